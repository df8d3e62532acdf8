//! The pages that `matrix` writes: whole in one file, true to the registry, and filtered by their
//! own script in a real browser.

use std::path::Path;

use rocmenv_tests::{Browser, Output, Sandbox};
use serde_json::Value;

use super::snapshot;

fn call(sandbox: &Sandbox, words: &[&str]) -> Output {
    sandbox.command(env!("CARGO_BIN_EXE_rocmenv")).args(words).run()
}

/// Something of a user's own that would be markup, were it not escaped.
const OVERLAY: &str = r#"
[[sources.source]]
key = "own"
site = "</script><script>document.title='broken'</script>"
path = "notes"

[[drivers.conflict]]
driver = "31.50.x"
rocm = "10.1.0"
status = "conflict"
notes = "<img src=x onerror=alert(1)> says yes, </script> says no"
source = "own"
"#;

#[test]
fn the_whole_matrix_is_one_page_that_filters_itself() {
    let sandbox = Sandbox::new();
    sandbox.write("rocm.toml", "[project]\nname = \"p\"\n");
    sandbox.write("rocm.registry.d/own.toml", OVERLAY);
    let output = call(&sandbox, &["matrix", "--html", "matrix.html"]);
    assert_eq!(output.code, 0, "{}", output.snapshot());
    let page = sandbox.read("matrix.html");
    is_alone(&page);
    assert!(page.len() < 3_000_000, "{} bytes", page.len());
    let data = embedded(&page);
    agrees_with_check(&sandbox, &data);
    let disputes = data["disputes"].as_array().expect("a list");
    assert!(disputes.iter().any(|one| one["about"] == "driver 6.3.x with ROCm 7.1.x: conflict"));
    let Some(browser) = Browser::find("the_whole_matrix_is_one_page_that_filters_itself") else {
        return;
    };
    filters(&browser, &sandbox.project().join("matrix.html"));
}

/// Cells of the page are the answers that `check` gives to the same pairs.
fn agrees_with_check(sandbox: &Sandbox, data: &Value) {
    for (gpu, os, rocm) in [
        ("AMD Radeon RX 7900 XTX", "ubuntu-24.04.4", "10.0.0"),
        ("AMD Radeon RX 6800 XT", "windows-11-25H2", "10.0.0"),
        ("AMD Instinct MI300X", "rhel-9.6", "7.2.0"),
        ("AMD Radeon VII", "ubuntu-22.04.3", "5.7.1"),
    ] {
        let rocm_wish = format!("rocm=={rocm}");
        let words = ["check", &rocm_wish, "--gpu", gpu, "--os", os, "--json"];
        let output = call(sandbox, &words);
        let answer: Value = serde_json::from_str(&output.stdout).expect("JSON");
        let said = find_pair(&answer, &format!("{gpu} on {os}"));
        let cell = gpu_cell(data, gpu, os, rocm);
        let silence = || Value::from("not-known");
        let said = said.map_or_else(silence, |pair| pair["judgement"]["verdict"].clone());
        let shown = cell.as_ref().map_or_else(silence, |cell| cell["verdict"].clone());
        assert_eq!(shown, said, "{gpu} on {os} with {rocm}: {answer}");
        for quote in cell.iter().flat_map(|cell| cell["quotes"].as_array().expect("a list")) {
            let document = at(&data["documents"], &quote["document"]);
            assert!(
                document["date"].as_str().is_some_and(|day| day.starts_with("20")),
                "{document}"
            );
        }
    }
}

/// The pair of an answer that speaks of a GPU, wherever it stands.
fn find_pair(answer: &Value, name: &str) -> Option<Value> {
    match answer {
        Value::Object(fields) if fields.get("left").is_some_and(|left| left["gpu"] == name) => {
            Some(answer.clone())
        }
        Value::Object(fields) => fields.values().find_map(|value| find_pair(value, name)),
        Value::Array(items) => items.iter().find_map(|value| find_pair(value, name)),
        _ => None,
    }
}

fn gpu_cell(data: &Value, gpu: &str, os: &str, rocm: &str) -> Option<Value> {
    let place = |list: &str, key: &str, name: &str| {
        let mut items = data[list].as_array().expect("a list").iter();
        items.position(|one| one[key] == name).unwrap_or_else(|| panic!("no {name} in {list}"))
    };
    let product = &data["products"][place("products", "name", gpu)];
    let system = place("systems", "name", os).to_string();
    let row = at(&data["kinds"], &product["kind"])["gpu"][&system].as_array()?.clone();
    let release = place("releases", "version", rocm);
    let cell = row.into_iter().find(|cell| cell[0] == release)?;
    Some(at(&data["judgements"], &cell[1]))
}

fn at(list: &Value, place: &Value) -> Value {
    list[usize::try_from(place.as_u64().expect("a place")).expect("small")].clone()
}

fn filters(browser: &Browser, page: &Path) {
    let all = browser.document(page, "");
    assert!(all.contains("<title>ROCm compatibility matrix</title>"), "the overlay is no markup");
    assert!(all.contains("&lt;img src=x onerror=alert(1)&gt; says yes"), "it is text");
    let count = |document: &str| -> Vec<usize> {
        let from = document.split("id=\"count\" role=\"status\">").nth(1).expect("a count");
        let text = from.split('<').next().unwrap_or_default();
        text.split(|c: char| !c.is_ascii_digit()).filter_map(|word| word.parse().ok()).collect()
    };
    let whole = count(&all);
    assert!(whole[0] > 200 && whole[1] > 5_000 && whole[2] > 0, "{whole:?}");
    let one = browser.document(
        page,
        "product=AMD+Radeon+RX+7900+XTX&os=ubuntu-24.04.4&rocm=10.0.0&driver=31.50.0%40linux\
         &framework=PyTorch&version=2.12.0&python=3.12",
    );
    assert_eq!(count(&one)[..2], [5, 5], "one row for each part, and one for all together");
    assert!(one.contains("ad-matrix-10.0, 20"), "the driver's document with its day");
    assert!(one.contains(">worst of its parts<"));
    let disputes = one.split("id=\"disputes\"").nth(1).and_then(|rest| rest.split("</ul>").next());
    let disputes = disputes.expect("a list");
    assert!(!disputes.contains("820M"), "disputes of other products are left out: {disputes}");
    let no = browser.document(page, "product=AMD+Radeon+RX+6800+XT&os=windows-11-25H2&rocm=10.0.0");
    assert!(no.contains("<b>stated no</b>"), "the table of the release says no");
    let contradicted = count(&browser.document(page, "disputed=1"));
    assert!(
        contradicted[0] < whole[0] / 4 && contradicted[2] == whole[2],
        "{contradicted:?} of {whole:?}"
    );
}

#[test]
fn the_roadmap_shows_the_place_and_the_planned_way() {
    let sandbox = Sandbox::new();
    sandbox.write("rocm.toml", PROJECT);
    sandbox.write("rocm.lock", LOCK);
    let words = ["matrix", "roadmap", "--html", "road.html", "--to", "10.0"];
    let output = call(&sandbox, &words);
    assert_eq!(output.code, 0, "{}", output.snapshot());
    let page = sandbox.read("road.html");
    is_alone(&page);
    // The page says what `upgrade` says.
    let upgrade = call(&sandbox, &["upgrade", "--to", "10.0", "--json"]);
    let plan: Value = serde_json::from_str(&upgrade.stdout).expect("JSON");
    let stages = plan["stages"].as_array().expect("a list");
    assert!(stages.len() >= 2, "{plan}");
    for stage in stages {
        assert!(page.contains(&format!("id=\"stage-{}\"", stage["number"])), "{stage}");
    }
    assert_eq!(page.matches("class=\"way\"").count(), moves(stages), "a bow for each move");
    assert!(page.contains(">here: 6.1.2<") && page.contains(">planned: 10.0.0<"));
    for line in ["classic", "preview", "therock"] {
        assert!(page.contains(&format!(">{line}</text>")), "{line}");
    }
    let releases = page.matches("<g class=\"release ").count();
    let known = call(&sandbox, &["matrix", "roadmap", "--json"]);
    let known: Value = serde_json::from_str(&known.stdout).expect("JSON");
    let known = known["tables"]["roadmap"]["releases"].as_array().expect("a list").len();
    assert_eq!(releases, known, "every release is drawn");
    // Every source that is named has its document on the page.
    for reference in page.split("href=\"#doc-").skip(1) {
        let key = reference.split('"').next().unwrap_or_default();
        assert!(page.contains(&format!("id=\"doc-{key}\"")), "{key}");
    }
}

fn moves(stages: &[Value]) -> usize {
    stages.iter().filter(|stage| stage["from"]["rocm"] != stage["to"]["rocm"]).count()
}

#[test]
fn a_page_of_one_table_is_refused() {
    let sandbox = Sandbox::new();
    insta::assert_snapshot!(snapshot(&sandbox, "matrix driver --html x.html"), @r"
    exit: 2
    --- stdout ---
    --- stderr ---
    error: there is a page of the whole matrix and one of the roadmap, none of one table
    help: rocmenv matrix --html matrix.html
    ");
    insta::assert_snapshot!(snapshot(&sandbox, "matrix --to 10.0"), @r"
        exit: 2
        --- stdout ---
        --- stderr ---
        error: the following required arguments were not provided:
          --html <FILE>

        Usage: rocmenv matrix --html <FILE> --to <ROCM> [TOPIC] [ONLY]

        For more information, try '--help'.
        ");
    assert!(!sandbox.project().join("x.html").exists());
}

/// Nothing is loaded from anywhere: the page's own policy forbids it, and nothing asks for it.
fn is_alone(page: &str) {
    assert!(page.contains("content=\"default-src 'none';"), "it has a policy");
    let mut own = page.to_owned();
    if let Some((before, data)) = page.split_once("<script type=\"application/json\"") {
        own = format!("{before}{}", data.split_once("</script>").expect("it ends").1);
    }
    for asks in [" src=", "<link", "@import", "url(http", "fetch(", "XMLHttp", "href=\"http"] {
        assert!(!own.contains(asks), "{asks}");
    }
}

fn embedded(page: &str) -> Value {
    let from = page.split("id=\"data\">").nth(1).expect("data");
    let text = from.split("</script>").next().unwrap_or_default();
    serde_json::from_str(text).expect("JSON, whatever stands in it")
}

const PROJECT: &str = "[project]\nname = \"vision\"\n\n[requires]\nrocm = \"6.1\"\npython = \"3.12\"\n\
                       pytorch = \"*\"\n\n[targets.box]\nos = \"ubuntu-22.04\"\n\
                       gpus = [\"RX 7900 XTX\"]\ndriver = \"6.2.4\"\nkernel = \"6.8\"\n";
const LOCK: &str = "version = 1\n\n[[target]]\nname = \"box\"\nenv = \"default\"\ninputs = \
                    \"0000000000000000000000000000000000000000000000000000000000000000\"\nrocm = \
                    \"6.1.2\"\nchannel = \"amd\"\npython = \"3.12\"\npython-floor = \"3.12.0\"\n\
                    packages = 0\nhard = []\nsoft = []\n";
