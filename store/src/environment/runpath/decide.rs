//! Which files of a prefix get which search path. Reads no file: what each needs and where it
//! looks was read before.
//!
//! The loader's order is that of ld.so(8): LD_LIBRARY_PATH, then DT_RUNPATH of the very file that
//! needs the library, then the host's folders.

use rocmenv_manifests::device_code::{FileKind, Linking, ObjectFacts};

use super::Runpaths;
use super::tree::{Tree, folder_of, joined};
use crate::environment::Prefix;
use crate::object::Object;

/// The paths for the files of each object of `prefix`, in their order; files that find what they
/// need, or need nothing of the prefix, get none.
pub(super) fn runpaths<'o>(
    objects: &[Object],
    prefix: &[&'o Object],
    facts: &'o [ObjectFacts],
) -> Vec<Runpaths<'o>> {
    let tree = Tree::of(prefix, facts);
    let decision = Decision { tree: &tree, libraries: Prefix::of(objects).libraries };
    facts.iter().map(|facts| decision.of_object(facts)).collect()
}

struct Decision<'t, 'o> {
    tree: &'t Tree<'o>,
    /// The folders that LD_LIBRARY_PATH leads to, which other packages put their libraries in.
    libraries: Vec<String>,
}

/// Where an entry of a search path leads.
enum Leads {
    /// To this folder of the prefix.
    Inside(String),
    /// Above the prefix, where nothing of anybody lies.
    Nowhere,
    /// To the host.
    Outside,
}

impl Decision<'_, '_> {
    fn of_object<'o>(&self, facts: &'o ObjectFacts) -> Runpaths<'o> {
        let elf = facts.files.iter().filter(|file| file.kind == FileKind::Elf);
        let linked = elf.filter_map(|file| Some((file.path.as_str(), file.linking.as_ref()?)));
        linked.filter_map(|(path, linking)| Some((path, self.of_file(path, linking)?))).collect()
    }

    fn of_file(&self, path: &str, linking: &Linking) -> Option<String> {
        let name = path.rsplit('/').next().unwrap_or(path);
        if is_of_glibc(name) || linking.soname.as_deref().is_some_and(is_of_glibc) {
            return None;
        }
        let search = &linking.search;
        let mut new: Vec<String> = Vec::new();
        for place in self.tree.places(path) {
            let needs = linking.needs.iter().filter(|name| !is_of_glibc(name));
            for name in needs.filter(|name| !self.is_found(&place, search, name)) {
                let Some(folder) = self.supplier(&place, search, name) else { continue };
                let entry = relative(&place, &folder);
                if !new.contains(&entry) {
                    new.push(entry);
                }
            }
        }
        if new.is_empty() {
            return None;
        }
        // The file's own entries go first as long as they stay in the prefix: the packager knew
        // which of two copies is meant. Those that leave it come last, because a host's
        // `/opt/rocm` would win over the prefix.
        let own = folder_of(path);
        let (inside, other): (Vec<&String>, Vec<&String>) =
            search.iter().partition(|entry| matches!(self.leads(own, entry), Leads::Inside(_)));
        let mut all: Vec<String> = Vec::new();
        for entry in inside.into_iter().chain(&new).chain(other) {
            if !all.contains(entry) {
                all.push(entry.clone());
            }
        }
        Some(all.join(":"))
    }

    /// Whether a file that is loaded from `place` finds the library in the prefix and looks nowhere
    /// on the host before.
    fn is_found(&self, place: &str, search: &[String], name: &str) -> bool {
        for entry in search {
            match self.leads(place, entry) {
                Leads::Inside(folder) if self.tree.holds(&folder, name) => return true,
                Leads::Inside(_) | Leads::Nowhere => {}
                Leads::Outside => return false,
            }
        }
        false
    }

    /// The folder of the prefix that the library is meant to come from: where the file's own
    /// entries lead, those read as if the prefix were the root of the host; then beside the file;
    /// then a folder of libraries.
    fn supplier(&self, place: &str, search: &[String], name: &str) -> Option<String> {
        let own = search.iter().filter_map(|entry| match self.leads(place, entry) {
            Leads::Inside(folder) => Some(folder),
            Leads::Outside => self.tree.real(entry.strip_prefix('/')?),
            Leads::Nowhere => None,
        });
        let usual = self.libraries.iter().filter_map(|folder| self.tree.real(folder));
        let mut all = own.chain([place.to_owned()]).chain(usual);
        all.find(|folder| self.tree.holds(folder, name) && !self.has_glibc(folder))
    }

    fn leads(&self, place: &str, entry: &str) -> Leads {
        let rest = entry.strip_prefix("$ORIGIN").or_else(|| entry.strip_prefix("${ORIGIN}"));
        match rest {
            // `$LIB` and `$PLATFORM` are for the loader of the day to say.
            Some(rest) if rest.contains('$') => Leads::Outside,
            Some(rest) if rest.is_empty() || rest.starts_with('/') => {
                self.tree.real(&joined(place, rest)).map_or(Leads::Nowhere, Leads::Inside)
            }
            _ => Leads::Outside,
        }
    }

    /// A host's loader works with the host's C library alone, so no path may lead to another one.
    fn has_glibc(&self, folder: &str) -> bool {
        GLIBC.iter().any(|name| self.tree.has(&joined(folder, name)))
    }
}

/// `$ORIGIN/../lib`, from one folder to another.
fn relative(from: &str, to: &str) -> String {
    let parts = |path: &'_ str| -> Vec<String> {
        path.split('/').filter(|part| !part.is_empty()).map(str::to_owned).collect()
    };
    let (from, to) = (parts(from), parts(to));
    let shared = from.iter().zip(&to).take_while(|(one, other)| one == other).count();
    let up = from[shared..].iter().map(|_| "..");
    let down = to[shared..].iter().map(String::as_str);
    std::iter::once("$ORIGIN").chain(up).chain(down).collect::<Vec<_>>().join("/")
}

/// The dynamic loader and the libraries of glibc (its own `shlib-versions`), which are the host's.
fn is_of_glibc(name: &str) -> bool {
    name.starts_with("ld-linux") || name.starts_with("libnss_") || GLIBC.contains(&name)
}

const GLIBC: [&str; 16] = [
    "libc.so.6",
    "libm.so.6",
    "libmvec.so.1",
    "libdl.so.2",
    "libpthread.so.0",
    "librt.so.1",
    "libutil.so.1",
    "libresolv.so.2",
    "libanl.so.1",
    "libnsl.so.1",
    "libBrokenLocale.so.1",
    "libthread_db.so.1",
    "libc_malloc_debug.so.0",
    "ld-linux-x86-64.so.2",
    "ld-linux-aarch64.so.1",
    "ld64.so.2",
];

#[cfg(test)]
mod tests;
