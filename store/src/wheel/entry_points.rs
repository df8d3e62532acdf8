//! `entry_points.txt`: which scripts a project wants ("Entry points specification").

use super::WheelError;

/// The scripts of a project.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct EntryPoints {
    /// Programs of the terminal.
    pub console: Vec<EntryPoint>,
    /// Programs with windows of their own.
    pub gui: Vec<EntryPoint>,
}

/// One script: a name and the object that it calls.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EntryPoint {
    /// The script's file name.
    pub name: String,
    /// The module to import.
    pub module: String,
    /// The dotted name of the callable in it.
    pub attribute: String,
}

impl EntryPoints {
    /// Reads the file; groups that are no scripts are passed over.
    pub fn parse(text: &str) -> Result<Self, WheelError> {
        let mut points = Self::default();
        let mut group = "";
        for line in text.lines().map(str::trim) {
            if line.is_empty() || line.starts_with(['#', ';']) {
                continue;
            }
            if let Some(name) = line.strip_prefix('[').and_then(|rest| rest.strip_suffix(']')) {
                group = name.trim();
                continue;
            }
            let list = match group {
                "console_scripts" => &mut points.console,
                "gui_scripts" => &mut points.gui,
                _ => continue,
            };
            let point = EntryPoint::parse(line).ok_or_else(|| WheelError::Unreadable {
                file: "entry_points.txt".to_owned(),
                what: format!("`{line}` is no script"),
            })?;
            list.push(point);
        }
        Ok(points)
    }

    /// All scripts.
    pub fn all(&self) -> impl Iterator<Item = &EntryPoint> {
        self.console.iter().chain(&self.gui)
    }
}

impl EntryPoint {
    /// `name = module:attribute [extras]`. Names and references become file names and Python
    /// source, so only harmless characters pass.
    fn parse(line: &str) -> Option<Self> {
        let (name, reference) = line.split_once('=')?;
        let reference = reference.split('[').next()?.trim();
        let (module, attribute) = reference.split_once(':')?;
        let (name, module, attribute) = (name.trim(), module.trim(), attribute.trim());
        let file_name = |c: char| c.is_alphanumeric() || "_-.+ ".contains(c);
        let valid = !name.is_empty()
            && !name.starts_with('.')
            && name.chars().all(file_name)
            && is_dotted(module)
            && is_dotted(attribute);
        valid.then(|| Self {
            name: name.to_owned(),
            module: module.to_owned(),
            attribute: attribute.to_owned(),
        })
    }
}

fn is_dotted(text: &str) -> bool {
    let identifier = |part: &str| {
        part.chars().all(|c| c.is_alphanumeric() || c == '_')
            && part.chars().next().is_some_and(|c| !c.is_numeric())
    };
    text.split('.').all(identifier)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scripts_are_read_and_other_groups_passed_over() {
        let text = "[console_scripts]\n# a comment\nf2py = numpy.f2py.f2py2e:main\n\
                    x=a:b.c [extra]\n\n[jax_plugins]\nrocm = jax_rocm\n[gui_scripts]\nw = a:b\n";
        let points = EntryPoints::parse(text).unwrap();
        let names: Vec<_> = points.all().map(|point| point.name.as_str()).collect();
        assert_eq!(names, ["f2py", "x", "w"]);
        assert_eq!(points.console[1].attribute, "b.c");
    }

    #[test]
    fn code_and_paths_in_a_reference_are_refused() {
        for line in ["../x = a:b", "x = a", "x = a:b()", "x = os; import sys:b", ".. = a:b"] {
            let text = format!("[console_scripts]\n{line}\n");
            assert!(EntryPoints::parse(&text).is_err(), "{line}");
        }
    }
}
