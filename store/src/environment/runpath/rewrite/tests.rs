//! Real libraries and programs, made by this machine's compiler, copied and loaded.

use std::path::PathBuf;
use std::process::Command;

use rocmenv_manifests::device_code::{Linking, NativeFile};

use super::*;
use crate::native;

/// A folder with what a compiler makes of some C.
struct Made(tempfile::TempDir);

impl Made {
    fn new() -> Self {
        Self(tempfile::tempdir().unwrap())
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    /// `cc` with these words, in the folder.
    fn cc(&self, output: &str, code: &str, words: &[&str]) -> PathBuf {
        let (source, output) = (self.path("source.c"), self.path(output));
        fs::write(&source, code).unwrap();
        fs::create_dir_all(output.parent().unwrap()).unwrap();
        let mut command = Command::new("cc");
        command.current_dir(self.0.path()).arg("-o").arg(&output).arg(source).args(words);
        let said = command.output().unwrap();
        assert!(said.status.success(), "{}", String::from_utf8_lossy(&said.stderr));
        output
    }

    fn library(&self, words: &[&str]) -> PathBuf {
        let script = self.path("versions");
        fs::write(&script, "V1 { global: answer; local: *; };").unwrap();
        let always = [
            "-shared",
            "-fPIC",
            "-g",
            "-Wl,--build-id,--version-script=versions,-soname,libanswer.so.1",
        ];
        self.cc("libanswer.so.1", LIBRARY, &[&always, words].concat())
    }
}

fn facts(path: &Path) -> NativeFile {
    native::read("x", &DiskSource::open(path).unwrap()).unwrap()
}

fn image(path: &Path) -> Image {
    Image::read(&DiskSource::open(path).unwrap()).unwrap()
}

fn unfit(result: Result<(), RewriteError>) -> &'static str {
    match result {
        Err(RewriteError::Unfit(why)) => why,
        other => panic!("{other:?}"),
    }
}

#[test]
fn a_program_finds_its_library_and_the_library_works() {
    let made = Made::new();
    let library = made.library(&["-pthread"]);
    let program = made.cc("bin/program", PROGRAM, &["libanswer.so.1"]);
    let run = |program: &Path| Command::new(program).env_clear().output().unwrap();
    assert_eq!(run(&program).status.code(), Some(127), "the loader has no way to it yet");
    fs::create_dir_all(made.path("out/bin")).unwrap();
    fs::create_dir_all(made.path("out/lib")).unwrap();
    rewrite(&library, &made.path("out/lib/libanswer.so.1"), "$ORIGIN").unwrap();
    let copy = made.path("out/bin/program");
    rewrite(&program, &copy, "$ORIGIN/../lib").unwrap();
    crate::fs::set_mode(&copy, 0o755).unwrap();
    let said = run(&copy);
    assert_eq!(String::from_utf8_lossy(&said.stdout), "42 7 0 hello\n", "{said:?}");
}

#[test]
fn nothing_changes_but_the_path_and_where_names_lie() {
    let made = Made::new();
    let library = made.library(&[]);
    let (one, other) = (made.path("one"), made.path("other"));
    rewrite(&library, &one, "$ORIGIN/../lib:/x").unwrap();
    rewrite(&library, &other, "$ORIGIN/../lib:/x").unwrap();
    assert_eq!(fs::read(&one).unwrap(), fs::read(other).unwrap());
    let linking = |path: &Path| facts(path).linking.unwrap();
    let before = linking(&library);
    assert_eq!(before.search, [""; 0]);
    let search = vec!["$ORIGIN/../lib".to_owned(), "/x".to_owned()];
    assert_eq!(linking(&one), Linking { search, ..before });
    assert_eq!(
        native::defined_versions(&DiskSource::open(&one).unwrap()),
        ["libanswer.so.1", "V1"]
    );
    // Addresses and bytes of everything else are those of before: notes with the build's id,
    // symbols, hashes, versions, relocations, code, data.
    let (old, new) = (image(&library), image(&one));
    let (old_bytes, new_bytes) = (fs::read(&library).unwrap(), fs::read(&one).unwrap());
    let mut same = 0;
    for (was, is) in old.sections.iter().zip(&new.sections) {
        assert_eq!(was.sh_name.get(LE), is.sh_name.get(LE));
        if was.sh_addr.get(LE) != is.sh_addr.get(LE) {
            assert_eq!(is.sh_type.get(LE), elf::SHT_STRTAB);
            continue;
        }
        let kind = was.sh_type.get(LE);
        if matches!(kind, elf::SHT_NOBITS | elf::SHT_DYNAMIC | elf::SHT_NULL) {
            continue;
        }
        assert_eq!(bytes_of(was, &old_bytes), bytes_of(is, &new_bytes));
        same += 1;
    }
    assert!(same > 15, "{same}");
    for (was, is) in old.segments.iter().zip(&new.segments) {
        assert_eq!(was.p_vaddr.get(LE), is.p_vaddr.get(LE));
        assert_eq!(was.p_flags.get(LE), is.p_flags.get(LE));
        let align = is.p_align.get(LE).max(1);
        assert_eq!(is.p_offset.get(LE) % align, is.p_vaddr.get(LE) % align);
    }
}

fn bytes_of<'b>(section: &SectionHeader64<E>, bytes: &'b [u8]) -> &'b [u8] {
    let at = usize::try_from(section.sh_offset.get(LE)).unwrap();
    &bytes[at..at + usize::try_from(section.sh_size.get(LE)).unwrap()]
}

#[test]
fn a_path_that_is_there_is_replaced_and_keeps_its_kind() {
    let made = Made::new();
    for (words, kind) in [
        ("-Wl,--enable-new-dtags,-rpath,/opt/rocm/lib", elf::DT_RUNPATH),
        ("-Wl,--disable-new-dtags,-rpath,/opt/rocm/lib", elf::DT_RPATH),
    ] {
        // Without a free entry, so that there is no other way.
        let library = made.library(&[words, "-Wl,-z,norelro,--spare-dynamic-tags=1"]);
        let copy = made.path(&format!("copy-{kind}"));
        rewrite(&library, &copy, "$ORIGIN").unwrap();
        assert_eq!(facts(&copy).linking.unwrap().search, ["$ORIGIN"]);
        let has = |path: &Path, tag: i64| {
            let source = DiskSource::open(path).unwrap();
            let image = image(path);
            let (_, segment) = image.of_kind(elf::PT_DYNAMIC).next().unwrap();
            let count = segment.p_filesz.get(LE) / 16;
            let all: Vec<Dyn64<E>> = many(&source, segment.p_offset.get(LE), count).unwrap();
            all.iter().any(|entry| entry.d_tag.get(LE) == tag)
        };
        let other = elf::DT_RUNPATH + elf::DT_RPATH - kind;
        assert_eq!((has(&copy, kind), has(&copy, other)), (true, false));
    }
}

#[test]
fn what_cannot_be_changed_says_why_and_leaves_nothing() {
    let made = Made::new();
    let full = made.library(&["-Wl,--spare-dynamic-tags=1"]);
    let to = made.path("copy");
    let no_room = "its dynamic section has no room for a path";
    assert_eq!(unfit(rewrite(&full, &to, "$ORIGIN")), no_room);
    let object = made.cc("x.o", LIBRARY, &["-c"]);
    assert_eq!(unfit(rewrite(&object, &to, "$ORIGIN")), "nothing of it is loaded");
    let text = made.path("text");
    fs::write(&text, "INPUT(libanswer.so.1)").unwrap();
    assert_eq!(unfit(rewrite(&text, &to, "$ORIGIN")), "it is cut off");
    let fixture = rocmenv_tests::native::ElfBuilder::new().needs("liba.so").build();
    fs::write(&text, fixture).unwrap();
    let headers = "its headers are in the segment that would move";
    assert_eq!(unfit(rewrite(&text, &to, "$ORIGIN")), headers);
    assert!(!to.exists());
}

#[test]
fn no_damage_stops_it() {
    let made = Made::new();
    let whole = fs::read(made.library(&[])).unwrap();
    let (from, to) = (made.path("damaged"), made.path("copy"));
    let mut refused = 0;
    let mut attempt = |bytes: &[u8]| {
        fs::write(&from, bytes).unwrap();
        let done = rewrite(&from, &to, "$ORIGIN");
        assert!(!matches!(done, Err(RewriteError::Disk(_))), "{done:?}");
        refused += u32::from(done.is_err());
        let _ = fs::remove_file(&to);
    };
    for length in (0..whole.len()).step_by(whole.len() / 60) {
        attempt(&whole[..length]);
    }
    // The headers and the dynamic section.
    let image = image(&made.path("libanswer.so.1"));
    let (_, dynamic) = image.of_kind(elf::PT_DYNAMIC).next().unwrap();
    let start = usize::try_from(dynamic.p_offset.get(LE)).unwrap();
    let size = usize::try_from(dynamic.p_filesz.get(LE)).unwrap();
    for at in (0..64 + image.segments.len() * 56).chain(start..start + size) {
        let mut bytes = whole.clone();
        bytes[at] = 0xff;
        attempt(&bytes);
    }
    assert!(refused > 60, "{refused}");
}

const LIBRARY: &str = "\
static __thread int local = 7;
static char zeros[100000];
static const char* text = \"hello\";
int answer(int* one, int* other, const char** word) {
    *one = local; *other = 0; *word = text;
    for (int at = 0; at < sizeof zeros; at++) *other += zeros[at];
    return 42;
}
";

const PROGRAM: &str = "\
#include <stdio.h>
int answer(int*, int*, const char**);
int main() {
    int one, other; const char* word;
    int all = answer(&one, &other, &word);
    printf(\"%d %d %d %s\\n\", all, one, other, word);
    return 0;
}
";
