//! A graph of names as an indented tree; what was shown before is not unfolded again.

use std::collections::BTreeSet;

/// The lines of the trees under `roots`. `label` is what a name is shown as, `below` the names
/// under it; `depth` limits how far it is unfolded.
pub fn tree<'a>(
    roots: &[&'a str],
    label: &dyn Fn(&str) -> String,
    below: &dyn Fn(&str) -> Vec<&'a str>,
    depth: usize,
) -> String {
    let mut lines = Vec::new();
    let mut shown = BTreeSet::new();
    let view = View { label, below, depth };
    for root in roots {
        view.node(root, "", "", 0, &mut shown, &mut lines);
    }
    lines.join("\n")
}

struct View<'v, 'a> {
    label: &'v dyn Fn(&str) -> String,
    below: &'v dyn Fn(&str) -> Vec<&'a str>,
    depth: usize,
}

impl<'a> View<'_, 'a> {
    fn node(
        &self,
        name: &'a str,
        branch: &str,
        indent: &str,
        level: usize,
        shown: &mut BTreeSet<&'a str>,
        lines: &mut Vec<String>,
    ) {
        let children = (self.below)(name);
        let fresh = shown.insert(name);
        let again = if fresh || children.is_empty() { "" } else { " (*)" };
        lines.push(format!("{branch}{}{again}", (self.label)(name)));
        if !fresh || level >= self.depth {
            return;
        }
        for (at, child) in children.iter().enumerate() {
            let last = at + 1 == children.len();
            let (mark, bar) = if last { ("└── ", "    ") } else { ("├── ", "│   ") };
            let branch = format!("{indent}{mark}");
            let indent = format!("{indent}{bar}");
            self.node(child, &branch, &indent, level + 1, shown, lines);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_is_unfolded_once_even_in_a_circle() {
        let below = |name: &str| match name {
            "jax" => vec!["jaxlib", "numpy"],
            "jaxlib" => vec!["scipy", "jax"],
            "scipy" => vec!["numpy"],
            _ => vec![],
        };
        insta::assert_snapshot!(tree(&["jax"], &|name| name.to_owned(), &below, usize::MAX), @r"
        jax
        ├── jaxlib
        │   ├── scipy
        │   │   └── numpy
        │   └── jax (*)
        └── numpy
        ");
    }
}
