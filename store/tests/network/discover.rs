//! Where the general Python index is found, from files and variables alone.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use rocmenv_manifests::sourced::{Origin, Sourced};
use rocmenv_store::index::{DiscoverError, PythonIndexes, Surroundings, discover};

#[derive(Default)]
struct Machine {
    files: BTreeMap<PathBuf, Vec<u8>>,
    variables: BTreeMap<String, String>,
    project: Option<Sourced<String>>,
}

impl Machine {
    fn file(mut self, path: &str, text: &str) -> Self {
        self.files.insert(path.into(), text.into());
        self
    }

    fn variable(mut self, name: &str, value: &str) -> Self {
        self.variables.insert(name.to_owned(), value.to_owned());
        self
    }

    fn look(&self) -> Result<PythonIndexes, DiscoverError> {
        discover(&Surroundings {
            project: self.project.clone(),
            folder: Path::new("/home/me/project"),
            home: Some(Path::new("/home/me")),
            variables: &self.variables,
            pips: &["/venv/site-packages".into(), "/usr/share/pip.whl".into()],
            read: &|path| self.files.get(path).cloned(),
        })
    }

    fn index(&self) -> String {
        self.look().unwrap().index.map_or("none".to_owned(), |index| said(&index))
    }
}

fn said(index: &Sourced<url::Url>) -> String {
    format!("{} ({})", index.value, index.origin)
}

const PIP: &str = "class PackageIndex: ...\nMain = PackageIndex(\"https://default.test/\", x)\n";

/// Everything that can name an index, the strongest added last.
#[test]
fn the_order_is_project_variables_uv_pip_and_pip_s_own_default() {
    let mut machine = Machine::default();
    let mut seen = vec![machine.index()];
    machine = machine.file("/venv/site-packages/pip/_internal/models/index.py", PIP);
    seen.push(machine.index());
    let steps: [(&str, &str); 6] = [
        ("/etc/pip.conf", "[global]\nindex-url = https://etc.test/simple\n"),
        ("/home/me/.pip/pip.conf", "[global]\nindex_url=https://old.test/simple\n"),
        (
            "/home/me/.config/pip/pip.conf",
            "# mine\n[install]\nindex-url: https://user.test/simple\n",
        ),
        ("/etc/uv/uv.toml", "index-url = \"https://uv-etc.test/simple\"\n"),
        ("/home/me/.config/uv/uv.toml", "\n[pip]\nindex-url = \"https://uv-user.test/simple\"\n"),
        (
            "/home/me/project/pyproject.toml",
            "[[tool.uv.index]]\nname = \"x\"\nurl = \"https://uv-project.test/simple\"\n\
             default = true\n",
        ),
    ];
    for (path, text) in steps {
        machine = machine.file(path, text);
        seen.push(machine.index());
    }
    for name in ["PIP_INDEX_URL", "UV_INDEX_URL", "UV_DEFAULT_INDEX", "ROCMENV_INDEX_URL"] {
        machine = machine.variable(name, &format!("https://{}.test/", name.replace('_', "-")));
        seen.push(machine.index());
    }
    let origin = Origin::File { file: "rocm.toml".to_owned(), line: 4 };
    machine.project = Some(Sourced::new("https://project.test/simple/".to_owned(), origin));
    seen.push(machine.index());
    insta::assert_debug_snapshot!(seen, @r#"
    [
        "none",
        "https://default.test/simple/ (this host (pip in /venv/site-packages))",
        "https://etc.test/simple (/etc/pip.conf:2)",
        "https://old.test/simple (/home/me/.pip/pip.conf:2)",
        "https://user.test/simple (/home/me/.config/pip/pip.conf:3)",
        "https://uv-etc.test/simple (/etc/uv/uv.toml:1)",
        "https://uv-user.test/simple (/home/me/.config/uv/uv.toml:3)",
        "https://uv-project.test/simple (/home/me/project/pyproject.toml:3)",
        "https://pip-index-url.test/ ($PIP_INDEX_URL)",
        "https://uv-index-url.test/ ($UV_INDEX_URL)",
        "https://uv-default-index.test/ ($UV_DEFAULT_INDEX)",
        "https://rocmenv-index-url.test/ ($ROCMENV_INDEX_URL)",
        "https://project.test/simple/ (rocm.toml:4)",
    ]
    "#);
}

#[test]
fn pip_s_default_is_found_in_a_wheel_too() {
    let wheel = rocmenv_tests::WheelBuilder::new("pip", "25.0")
        .file("pip/_internal/models/index.py", PIP)
        .build();
    let mut machine = Machine::default();
    machine.files.insert("/usr/share/pip.whl".into(), wheel.bytes);
    assert_eq!(
        machine.index(),
        "https://default.test/simple/ (this host (pip in /usr/share/pip.whl))"
    );
}

#[test]
fn more_indexes_links_and_certificates() {
    let machine = Machine::default().file(
        "/etc/pip.conf",
        "[global]\nextra-index-url =\n    https://a.test/simple\n    https://u:pw@b.test/simple\n\
         find-links = wheels /opt/wheels\n; a comment\ncert = /etc/ssl/mine.pem\n",
    );
    let found = machine.look().unwrap();
    let extra: Vec<_> = found.extra.iter().map(said).collect();
    let line = "/etc/pip.conf:2";
    assert_eq!(
        extra,
        [format!("https://a.test/simple ({line})"), format!("https://b.test/simple ({line})")]
    );
    let links: Vec<_> = found.find_links.iter().map(said).collect();
    let line = "/etc/pip.conf:5";
    assert_eq!(
        links,
        [
            format!("file:///home/me/project/wheels ({line})"),
            format!("file:///opt/wheels ({line})")
        ]
    );
    assert_eq!(found.certificates[0].value, Path::new("/etc/ssl/mine.pem"));
    assert!(!format!("{found:?}").contains("pw"));
    let none = Machine { files: machine.files.clone(), ..Machine::default() }
        .variable("PIP_CONFIG_FILE", "/dev/null")
        .look()
        .unwrap();
    assert!(none.extra.is_empty() && none.find_links.is_empty() && none.certificates.is_empty());
}

#[test]
fn a_login_is_taken_out_and_an_address_that_is_none_is_not_shown() {
    let machine =
        Machine::default().variable("UV_DEFAULT_INDEX", "mine=https://u:pw@a.test/simple");
    assert_eq!(machine.index(), "https://a.test/simple ($UV_DEFAULT_INDEX)");
    let machine = Machine::default().variable("PIP_INDEX_URL", "https://u:pw@[/simple");
    let error = machine.look().unwrap_err();
    assert_eq!(error.to_string(), "$PIP_INDEX_URL does not say an address of an index");
}
