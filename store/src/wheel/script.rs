//! The text of scripts: their first line and, for entry points, all of it.

use super::EntryPoint;

/// The first line (or lines) that make the system run a Python script with `python`.
///
/// Linux cuts the line after 255 bytes (127 before 5.1) and splits it at spaces; then `/bin/sh`
/// starts the interpreter, by lines that are a string to Python. On Windows the line is a comment
/// that launchers of others may read, and backslashes in a string of Python would be no path.
pub fn shebang(python: &str) -> String {
    let direct = format!("#!{python}\n");
    if python.contains('\\') {
        return direct;
    }
    if direct.len() <= LONGEST_LINE && !python.contains(' ') {
        return direct;
    }
    let quoted = python.replace('\'', r"'\''");
    format!("#!/bin/sh\n'''exec' '{quoted}' \"$0\" \"$@\"\n' '''\n")
}

/// The whole script of an entry point.
pub fn launcher(point: &EntryPoint, python: &str) -> String {
    let EntryPoint { module, attribute, .. } = point;
    let imported = attribute.split('.').next().unwrap_or(attribute);
    let shebang = shebang(python);
    format!(
        "{shebang}# -*- coding: utf-8 -*-\n\
         import sys\n\
         from {module} import {imported}\n\
         \n\
         if __name__ == \"__main__\":\n    \
             if sys.argv[0].endswith(\"-script.py\"):\n        \
                 sys.argv[0] = sys.argv[0][:-10]\n    \
             sys.exit({attribute}())\n"
    )
}

/// A script of a wheel's `scripts` folder with its `#!python` line made real; `None` if it has
/// no such line and stays as it is.
pub(super) fn rewritten(script: &[u8], python: &str) -> Option<Vec<u8>> {
    let end = script.iter().position(|byte| *byte == b'\n').unwrap_or(script.len());
    let first = std::str::from_utf8(&script[..end]).ok()?.trim_end();
    let interpreter = first.strip_prefix("#!")?;
    // PEP 427: `#!python` or `#!pythonw`, possibly with arguments.
    let program = interpreter.split_whitespace().next()?;
    if program != "python" && program != "pythonw" {
        return None;
    }
    let mut text = shebang(python).into_bytes();
    text.extend_from_slice(script.get(end + 1..).unwrap_or_default());
    Some(text)
}

const LONGEST_LINE: usize = 127;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_launcher_calls_its_object() {
        let point = EntryPoint { name: "x".into(), module: "a.b".into(), attribute: "c.d".into() };
        insta::assert_snapshot!(launcher(&point, "/p/python"), @r#"
        #!/p/python
        # -*- coding: utf-8 -*-
        import sys
        from a.b import c

        if __name__ == "__main__":
            if sys.argv[0].endswith("-script.py"):
                sys.argv[0] = sys.argv[0][:-10]
            sys.exit(c.d())
        "#);
    }

    #[test]
    fn long_paths_and_spaces_go_through_the_shell() {
        assert_eq!(shebang("/p/python"), "#!/p/python\n");
        assert!(shebang("/with space/python").starts_with("#!/bin/sh\n'''exec'"));
        assert!(shebang(&format!("/{}/python", "x".repeat(200))).starts_with("#!/bin/sh\n"));
        let windows = r"C:\Users\a b\env\Scripts\python.exe";
        assert_eq!(shebang(windows), format!("#!{windows}\n"));
    }

    #[test]
    fn only_the_line_of_the_specification_is_rewritten() {
        assert_eq!(rewritten(b"#!python\nx\n", "/p").as_deref(), Some(&b"#!/p\nx\n"[..]));
        assert_eq!(rewritten(b"#!/bin/sh\nx\n", "/p"), None);
        assert_eq!(rewritten(b"\x7fELF", "/p"), None);
    }
}
