//! A run before which a person sits: standard input and standard error are a terminal.
//!
//! The terminal is one of Python's `pty`; what is typed is typed when the question is there.

use std::process::Command;

use super::{Output, Run};

impl Run<'_> {
    /// Runs to the end at a terminal. Each answer is typed once the program has shown the text
    /// beside it; where the program ends before, that is no fault of the test. The output's
    /// `stderr` is what stands on the terminal.
    pub fn at_terminal(mut self, answers: &[(&str, &str)]) -> Output {
        let mut command = Command::new("/usr/bin/python3");
        command.env_clear().args(["-E", "-S", "-c", PERSON]);
        command.arg(answers.len().to_string());
        for (shown, typed) in answers {
            command.args([shown, typed]);
        }
        command.arg(self.command.get_program()).args(self.command.get_args());
        for (name, value) in self.command.get_envs() {
            match value {
                Some(value) => command.env(name, value),
                None => command.env_remove(name),
            };
        }
        command.current_dir(self.command.get_current_dir().expect("a run has a folder"));
        self.command = command;
        let mut output = self.run();
        output.stderr = seen(&output.stderr);
        output
    }
}

/// What stands on a terminal after all was written: a line that was cleared is gone.
fn seen(written: &str) -> String {
    let codes = regex::Regex::new("\u{1b}\\[[0-9;?]*[A-Za-z]").expect("it is a pattern");
    let line = |line: &str| {
        let last = line.rsplit("\u{1b}[2K").next().unwrap_or_default();
        codes.replace_all(last, "").replace('\r', "")
    };
    let lines: Vec<String> = written.split('\n').map(line).collect();
    lines.join("\n")
}

/// Gives the program a terminal, types, and writes what the terminal showed to standard error.
const PERSON: &str = r#"
import os, subprocess, sys
first = 2 + 2 * int(sys.argv[1])
answers = list(zip(sys.argv[2:first:2], sys.argv[3:first:2]))
master, slave = os.openpty()
program = subprocess.Popen(sys.argv[first:], stdin=slave, stderr=slave)
os.close(slave)
shown, looked = b"", 0
while True:
    try:
        part = os.read(master, 4096)
    except OSError:
        break
    if not part:
        break
    shown += part
    if answers and answers[0][0].encode() in shown[looked:]:
        looked = len(shown)
        os.write(master, answers.pop(0)[1].encode())
sys.stderr.buffer.write(shown)
sys.exit(program.wait())
"#;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cleared_line_is_gone_and_colours_are_no_text() {
        let written = "one\r\nAsk? [y/N] \r\u{1b}[2K\u{1b}[32mAsk?\u{1b}[0m yes\r\n";
        assert_eq!(seen(written), "one\nAsk? yes\n");
    }

    #[test]
    fn the_program_sees_a_terminal_and_reads_what_is_typed() {
        let sandbox = crate::Sandbox::new();
        let ask =
            "test -t 0 && test -t 2 && printf 'Name? ' >&2 && read name && echo $name; exit 3";
        let output = sandbox.command("/bin/sh").args(["-c", ask]).at_terminal(&[("Name?", "me\n")]);
        assert_eq!((output.code, output.stdout.as_str()), (3, "me\n"));
        assert_eq!(output.stderr, "Name? me\n");
    }
}
