//! `/dev/kfd` and the render nodes: owner, mode, and what opening them gives.

use super::Reader;
use super::machine::is_numbered;
use crate::host::facts::{DeviceNode, DeviceOpen};

/// `/dev/kfd` first, also where it is absent, then the render nodes.
pub(super) fn find(reader: &mut Reader<'_>) -> Vec<DeviceNode> {
    let groups = reader.text("/etc/group").unwrap_or_default();
    let mut paths = vec!["/dev/kfd".to_owned()];
    let mut names = render_names(reader);
    names.sort_by_key(|name| (name.len(), name.clone()));
    paths.extend(names.into_iter().map(|name| format!("/dev/dri/{name}")));
    paths.into_iter().map(|path| node(reader, path, &groups)).collect()
}

fn render_names(reader: &mut Reader<'_>) -> Vec<String> {
    let names = reader.list("/dev/dri");
    let names = names.into_iter().filter(|name| is_numbered(name, "renderD"));
    names.filter(|name| !is_foreign(reader, name)).collect()
}

/// Whether sysfs says that another maker's GPU is behind a node: it is no concern of ROCm's.
fn is_foreign(reader: &Reader<'_>, name: &str) -> bool {
    let vendor = reader.attribute(format!("/sys/class/drm/{name}/device/vendor"));
    vendor.is_some_and(|vendor| vendor != "0x1002")
}

fn node(reader: &Reader<'_>, path: String, groups: &str) -> DeviceNode {
    let root = reader.root();
    let Ok(owner) = root.ownership(path.as_ref()) else {
        let open = DeviceOpen::Absent;
        return DeviceNode { path, uid: None, gid: None, group: None, mode: None, open };
    };
    DeviceNode {
        uid: Some(owner.uid),
        gid: Some(owner.gid),
        group: group_name(groups, owner.gid),
        mode: Some(format!("{:04o}", owner.mode)),
        open: root.open_device(path.as_ref()),
        path,
    }
}

/// The name of a group in `/etc/group` (group(5): `name:password:gid:members`).
fn group_name(groups: &str, gid: u32) -> Option<String> {
    let wanted = gid.to_string();
    groups.lines().find_map(|line| {
        let mut fields = line.split(':');
        let name = fields.next()?;
        (fields.nth(1)? == wanted).then(|| name.to_owned())
    })
}
