//! Power cuts: what a disk holds at some instant of a call, looked at afterwards.
//!
//! The disk is a file system in an image, which lies on btrfs. A copy of the image that shares its
//! blocks is made in an instant and holds what had reached the disk. Between the flushes of the
//! program that is little: the system writes names and data when it likes. The worst that it may
//! like is to write all names and no data. That is what a flush of another file makes it do, so
//! that is done before each copy.

use std::io::Write as _;
use std::path::{Path, PathBuf};

use fs_err as fs;
use rocmenv_tests::{Disk, FileSystem, Output, Sandbox, make_subvolume, mounts, reflink};
use tempfile::TempDir;

use crate::stops::stop_at_each;

/// A disk whose power is cut.
pub(crate) struct Cuts {
    name: &'static str,
    kind: FileSystem,
    inner: Option<Disk>,
    outer: Disk,
    _folder: TempDir,
}

/// What a disk held at one instant.
pub(crate) struct Cut {
    image: PathBuf,
    /// The call that had just ended; nothing once the program had ended.
    pub(crate) after: Option<String>,
}

impl Cuts {
    /// A new disk for the test `name`, if tests may mount.
    pub(crate) fn start(name: &'static str) -> Option<Self> {
        if !mounts(name) {
            return None;
        }
        let folder = tempfile::tempdir().expect("a temporary folder can be made");
        let at = |name: &str| folder.path().join(name);
        let outer = Disk::make(FileSystem::Btrfs, &at("outer.img"), 16 << 10, &at("outer"));
        let (image, inner) = (outer.at().join("disk.img"), at("disk"));
        let kind = kind();
        let inner = Disk::make(kind, &image, kind.smallest(), &inner);
        Some(Self { name, kind, inner: Some(inner), outer, _folder: folder })
    }

    /// Where the disk is mounted.
    pub(crate) fn disk(&self) -> &Path {
        self.inner.as_ref().expect("a disk is mounted").at()
    }

    /// Runs a call twice from the same state. First undisturbed: what the disk holds once it has
    /// ended is the last cut. Then with a cut after each of its calls that change or flush names.
    pub(crate) fn during(&mut self, sandbox: &Sandbox, words: &str) -> Vec<Cut> {
        let words: Vec<&str> = words.split_whitespace().collect();
        let begin = self.outer.at().join("begin.img");
        self.replug(None);
        reflink(&self.image(), &begin);
        let output = sandbox.command(env!("CARGO_BIN_EXE_rocmenv")).args(&words).run();
        assert_eq!(output.code, 0, "{}", output.snapshot());
        let ended = Cut { image: self.copy("ended"), after: None };
        self.replug(Some(&begin));
        let (log, mut cuts) = (self.outer.at().join("calls"), Vec::new());
        let output = stop_at_each(sandbox, &words, CALLS, &log, |call| {
            self.write_names_out(cuts.len());
            let image = self.copy(&format!("cut-{}", cuts.len()));
            cuts.push(Cut { image, after: Some(call.to_owned()) });
        });
        assert_eq!(output.code, 0, "{}", output.snapshot());
        assert!(cuts.len() > 2, "{words:?} was cut {} times only", cuts.len());
        cuts.push(ended);
        cuts
    }

    /// Looks at what each cut left, or at some: the first, the last, and those between them in
    /// equal steps. The disk is that of the cut meanwhile.
    pub(crate) fn look(&mut self, cuts: &[Cut], mut look: impl FnMut(&Cut)) {
        let some = if is_every_one_wanted() { cuts.len() } else { LOOKS.min(cuts.len()) };
        for at in 0..some {
            let cut = &cuts[at * (cuts.len() - 1) / (some - 1).max(1)];
            self.replug(Some(&cut.image));
            look(cut);
        }
        let _ = writeln!(
            std::io::stderr(),
            "{}: {} instants of a power cut on {}, {some} looked at",
            self.name,
            cuts.len(),
            self.kind.name()
        );
    }

    /// Takes the disk away and puts it, or a copy of another, in its place.
    fn replug(&mut self, with: Option<&Path>) {
        let at = self.disk().to_owned();
        self.inner.take().expect("a disk is mounted").unmount();
        if let Some(with) = with {
            fs::remove_file(self.image()).expect("the image is there");
            reflink(with, &self.image());
        }
        self.inner = Some(Disk::of(self.kind, &self.image(), &at));
    }

    /// All names and no data. A flush of one file does that where there is a journal of all names;
    /// btrfs flushes no more than the file, but a new subvolume ends its transaction.
    fn write_names_out(&self, at: usize) {
        if self.kind == FileSystem::Btrfs {
            return make_subvolume(&self.disk().join(format!("another-{at}")));
        }
        let mut file = fs::File::create(self.disk().join("another file")).expect("it can be made");
        file.write_all(b"x").expect("it can be written");
        file.sync_all().expect("it can be flushed");
    }

    fn copy(&self, name: &str) -> PathBuf {
        let copy = self.outer.at().join(name).with_extension("img");
        reflink(&self.image(), &copy);
        copy
    }

    fn image(&self) -> PathBuf {
        self.outer.at().join("disk.img")
    }
}

impl Cut {
    /// Whether the program had said that it was done.
    pub(crate) fn has_ended(&self) -> bool {
        self.after.is_none()
    }

    /// One call of the binary, which must succeed.
    pub(crate) fn must(&self, sandbox: &Sandbox, words: &str) -> Output {
        let words = words.split_whitespace();
        let output = sandbox.command(env!("CARGO_BIN_EXE_rocmenv")).args(words).run();
        assert_eq!(output.code, 0, "{self}: {}", output.snapshot());
        output
    }
}

impl std::fmt::Display for Cut {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match &self.after {
            Some(call) => write!(f, "power cut after {call}"),
            None => write!(f, "power cut after the end"),
        }
    }
}

#[expect(clippy::disallowed_methods, reason = "a switch of the tests")]
fn is_every_one_wanted() -> bool {
    std::env::var_os("ROCMENV_MOUNTS").is_some_and(|value| value == "all")
}

/// Ext4, or what `ROCMENV_MOUNTS_DISK` says.
#[expect(clippy::disallowed_methods, reason = "a switch of the tests")]
fn kind() -> FileSystem {
    let Ok(asked) = std::env::var("ROCMENV_MOUNTS_DISK") else { return FileSystem::Ext4 };
    let mut all = [FileSystem::Ext4, FileSystem::Btrfs, FileSystem::Xfs].into_iter();
    all.find(|kind| kind.name() == asked).unwrap_or_else(|| panic!("no file system {asked}"))
}

const CALLS: &str = "rename,renameat,renameat2,link,linkat,unlink,unlinkat,rmdir,\
                     fsync,fdatasync,syncfs";
const LOOKS: usize = 9;
