//! README.zh-CN.md says what README.md says: the same commands, tables of commands, links and
//! sections, in the same order. Only the words differ.

use std::collections::BTreeSet;

use crate::repository;

struct Readme {
    /// Lines of code without their comments.
    code: Vec<String>,
    /// What stands between backticks outside of code.
    spans: BTreeSet<String>,
    /// Where links lead.
    links: BTreeSet<String>,
    /// Levels of headings, and numbers of rows of tables.
    shape: Vec<String>,
}

fn read(name: &str) -> Readme {
    let text = fs_err::read_to_string(repository(name)).expect("the README");
    let mut readme = Readme {
        code: Vec::new(),
        spans: BTreeSet::new(),
        links: BTreeSet::new(),
        shape: Vec::new(),
    };
    let mut prose = String::new();
    let mut in_code = false;
    for line in text.lines() {
        if line.starts_with("```") {
            in_code = !in_code;
            readme.code.push(line.to_owned());
        } else if in_code {
            readme.code.extend(without_comment(line));
        } else {
            prose.push_str(line);
            prose.push('\n');
            let level = line.chars().take_while(|letter| *letter == '#').count();
            if level > 0 {
                readme.shape.push(format!("heading {level}"));
            } else if line.starts_with('|') {
                readme.shape.push(format!("row of {}", line.matches('|').count()));
            }
        }
    }
    let spans = prose.split('`').skip(1).step_by(2);
    readme.spans =
        spans.map(|span| span.split_whitespace().collect::<Vec<_>>().join(" ")).collect();
    let links = prose.split("](").skip(1);
    readme.links = links.filter_map(|rest| Some(rest.split_once(')')?.0.to_owned())).collect();
    // each names the other
    readme.links.retain(|link| !link.starts_with("README"));
    readme
}

/// A line of code without what it says to people; nothing of a line that says nothing else.
fn without_comment(line: &str) -> Option<String> {
    let comment = line.find("# ").filter(|at| *at == 0 || line[..*at].ends_with("  "));
    let code = comment.map_or(line, |at| &line[..at]).trim_end();
    (!code.is_empty()).then(|| code.to_owned())
}

#[test]
fn both_readmes_have_the_same_commands() {
    let (english, chinese) = (read("README.md"), read("README.zh-CN.md"));
    for at in 0..english.code.len().max(chinese.code.len()) {
        assert_eq!(
            english.code.get(at),
            chinese.code.get(at),
            "README.zh-CN.md (right) has other code than README.md at its line of code {at}"
        );
    }
    let differing = |one: &BTreeSet<String>, other: &BTreeSet<String>| -> Vec<String> {
        one.difference(other).cloned().collect()
    };
    let lacks = differing(&english.spans, &chinese.spans);
    let more = differing(&chinese.spans, &english.spans);
    assert!(lacks.is_empty() && more.is_empty(), "in backticks, lacks {lacks:?}, has {more:?}");
    let lacks = differing(&english.links, &chinese.links);
    let more = differing(&chinese.links, &english.links);
    assert!(lacks.is_empty() && more.is_empty(), "links: lacks {lacks:?}, has {more:?}");
    assert_eq!(english.shape, chinese.shape, "headings and tables");
}

#[test]
fn a_comment_is_no_command() {
    let code = |line: &str| without_comment(line);
    assert_eq!(code("rocmenv lock   # locks").as_deref(), Some("rocmenv lock"));
    assert_eq!(code("# nothing else"), None);
    assert_eq!(code("echo '#1' # no").as_deref(), Some("echo '#1' # no"));
}
