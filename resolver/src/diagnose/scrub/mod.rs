//! Takes out of texts what says whose machine it is: names of users and hosts, folders of users,
//! serial numbers, unique ids, UUIDs, addresses of networks, mail, tokens, passwords.
//!
//! `names` learns whose names they are and replaces them wherever they stand, `keys` takes the
//! values behind telling words, `forms` knows things by their looks. Words that merely hold a
//! telling one (`tokenizers`, `pyserial`) are left alone.

mod forms;
mod keys;
mod names;

use serde_json::Value;

/// Scrubs the texts of one machine: a name that one of them tells is taken out of all.
#[derive(Debug, Clone, Default)]
pub struct Scrubber {
    names: Vec<String>,
}

impl Scrubber {
    /// Learns names from texts, beside those that are known already.
    pub fn new<'t>(known: &[String], texts: impl IntoIterator<Item = &'t str>) -> Self {
        let mut names = known.to_vec();
        for text in texts {
            names.extend(names::told(text));
        }
        names.retain(|name| names::is_telling(name));
        names.sort_by_key(|name| (std::cmp::Reverse(name.len()), name.to_lowercase()));
        names.dedup_by_key(|name| name.to_lowercase());
        Self { names }
    }

    /// A text without them.
    pub fn text(&self, text: &str) -> String {
        let mut out = String::with_capacity(text.len());
        let mut in_key = false;
        for line in text.lines() {
            let begins = line.contains("-----BEGIN ") && line.contains("PRIVATE KEY");
            if begins || in_key {
                in_key = !line.contains("-----END ");
                out.push_str("REMOVED\n");
                continue;
            }
            out.push_str(&self.line(line));
            out.push('\n');
        }
        out
    }

    /// JSON without them: texts are scrubbed, keys and numbers stay, so that it can be read again.
    /// What is no JSON is scrubbed as a text.
    pub fn json(&self, text: &str) -> String {
        let Ok(mut value) = serde_json::from_str::<Value>(text) else { return self.text(text) };
        self.value(&mut value);
        serde_json::to_string_pretty(&value).map_or_else(|_| self.text(text), |text| text + "\n")
    }

    fn value(&self, value: &mut Value) {
        match value {
            Value::String(text) => *text = self.line(text),
            Value::Array(values) => values.iter_mut().for_each(|value| self.value(value)),
            Value::Object(fields) => {
                let name = fields.get("name").and_then(Value::as_str).map(str::to_owned);
                // `{"name": "HF_TOKEN", "value": "..."}` is a setting, too
                if let (Some(name), Some(Value::String(value))) = (name, fields.get_mut("value")) {
                    let whole = keys::values(&format!("{name}={value}"));
                    if let Some((_, scrubbed)) = whole.split_once('=') {
                        scrubbed.clone_into(value);
                    }
                }
                fields.values_mut().for_each(|value| self.value(value));
            }
            Value::Null | Value::Bool(_) | Value::Number(_) => {}
        }
    }

    fn line(&self, line: &str) -> String {
        let line = names::homes(line);
        let line = forms::credentials(&line);
        let line = keys::values(&line);
        let line = names::identities(&line);
        let line = names::replaced(&line, &self.names);
        forms::words(&line)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn scrubbed(text: &str) -> String {
        Scrubber::new(&[], [text]).text(text).trim_end().to_owned()
    }

    #[test]
    fn innocent_words_survive() {
        for line in [
            "tokenizers==0.19.1",
            "tokenizers                0.19.1",
            "pyserial: 3.5, serialize=1, max_tokens=4096, eos_token=</s>",
            "uuid==1.30 keyring==24.3 secretstorage==3.3.3",
            "Serial: 8250/16550 driver, 32 ports, IRQ sharing enabled",
            "hf_transfer-0.1.9.dist-info hf-xet 1.1.0 hf_olmo",
            "sk-learn-contrib 0.1, ghp_import==2.1.0, AKIAplugin",
            "nvidia-nccl-cu12 2.27.3 12.8.4.1 32.0.21025.1024 6.16.6.30200100-2255209.24.04",
            "kfd kfd: amdgpu: skipped device 1002:744c, PCI rejects atomics 494<509",
            "0000:03:00.0 VGA compatible controller [0300]: [1002:744c] (rev c8)",
            "[   12.345678] amdgpu 0000:c4:00.0: amdgpu: ring gfx_0.0.0 timeout 12:34:56",
            "AttributeError: token error: file not found",
            "torch @ https://download.pytorch.org/whl/rocm7.2/torch-2.11.0%2Brocm7.2-cp312.whl",
            "git+https://github.com/ROCm/aiter@0123456789abcdef0123456789abcdef01234567",
            "c10::hip::HIPCachingAllocator rocr::AMD::hsa_amd_memory_lock",
            "user@1000.service: render group, root is member of render group",
            "sha256:9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
        ] {
            assert_eq!(scrubbed(line), line);
        }
    }

    #[test]
    fn names_that_a_text_tells_are_taken_out_of_all_of_it() {
        let text = "Linux wonderbox 6.8.0-45-generic #45-Ubuntu SMP x86_64\n\
            igor is member of render group\n\
            Aug 22 21:34:01 thinkcenter kernel: amdgpu: x\n\
            igor and wonderbox and THINKCENTER; rigorous";
        assert_eq!(
            scrubbed(text),
            "Linux HOST 6.8.0-45-generic #45-Ubuntu SMP x86_64\n\
             NAME is member of render group\n\
             Aug 22 21:34:01 NAME kernel: amdgpu: x\n\
             NAME and NAME and NAME; rigorous"
        );
    }

    #[test]
    fn json_stays_json() {
        let text = r#"{"memory": {"total-bytes": 5}, "cpu": {"model": "model of mallory"},
            "environment": [{"name": "HF_TOKEN", "value": "abcdefgh1"}]}"#;
        let scrubber = Scrubber::new(&["model".to_owned(), "mallory".to_owned()], []);
        let value: Value = serde_json::from_str(&scrubber.json(text)).unwrap();
        assert_eq!(value["memory"]["total-bytes"], 5);
        assert_eq!(value["cpu"]["model"], "NAME of NAME");
        assert_eq!(value["environment"][0]["value"], "REMOVED");
    }

    #[test]
    fn a_private_key_goes_as_a_whole() {
        let text = "a\n-----BEGIN OPENSSH PRIVATE KEY-----\nb3BlbnNzaC1rZXk\n\
            -----END OPENSSH PRIVATE KEY-----\nz";
        assert_eq!(scrubbed(text), "a\nREMOVED\nREMOVED\nREMOVED\nz");
    }
}
