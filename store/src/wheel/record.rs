//! RECORD: one row of path, digest and size per file, as comma-separated values.

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use rocmenv_manifests::digest::Sha256;

use super::WheelError;

/// One row.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RecordRow {
    /// The path, relative to the folder that the `.dist-info` folder lies in.
    pub path: String,
    /// `sha256=...`, if one is given.
    pub hash: Option<String>,
    /// Bytes, if given.
    pub size: Option<u64>,
}

impl RecordRow {
    /// The row of a file whose content is known.
    pub fn of(path: impl Into<String>, digest: &Sha256, size: u64) -> Self {
        let hash = format!("sha256={}", base64_url(digest.as_bytes()));
        Self { path: path.into(), hash: Some(hash), size: Some(size) }
    }
}

/// Reads the rows of a RECORD.
pub fn read_record(text: &str) -> Result<Vec<RecordRow>, WheelError> {
    let bad = |line: usize, what: &str| WheelError::Unreadable {
        file: "RECORD".to_owned(),
        what: format!("row {line}: {what}"),
    };
    let mut rows = Vec::new();
    for (at, line) in text.lines().enumerate() {
        if line.trim().is_empty() {
            continue;
        }
        let fields = fields(line).ok_or_else(|| bad(at + 1, "an open quotation mark"))?;
        let [path, hash, size] =
            <[String; 3]>::try_from(fields).map_err(|_| bad(at + 1, "not three fields"))?;
        let size = match size.trim() {
            "" => None,
            digits => Some(digits.parse().map_err(|_| bad(at + 1, "a size that is no number"))?),
        };
        let hash = Some(hash).filter(|hash| !hash.is_empty());
        rows.push(RecordRow { path: path.replace('\\', "/"), hash, size });
    }
    Ok(rows)
}

/// Writes a RECORD, row by row.
#[derive(Debug, Default)]
pub struct RecordWriter {
    text: String,
}

impl RecordWriter {
    /// With room for this many rows.
    pub fn for_rows(count: usize) -> Self {
        Self { text: String::with_capacity(count * USUAL_ROW) }
    }

    /// Adds a file whose content is known.
    pub fn file(&mut self, path: &str, digest: &Sha256, size: u64) {
        self.path(path);
        self.text.push_str(",sha256=");
        URL_SAFE_NO_PAD.encode_string(digest.as_bytes(), &mut self.text);
        self.text.push(',');
        self.text.push_str(&size.to_string());
        self.text.push('\n');
    }

    /// Adds a file that RECORD cannot describe: itself, or what is made later.
    pub fn bare(&mut self, path: &str) {
        self.path(path);
        self.text.push_str(",,\n");
    }

    /// The text.
    pub fn into_text(self) -> String {
        self.text
    }

    fn path(&mut self, path: &str) {
        if path.contains([',', '"', '\n', '\r']) {
            self.text.push('"');
            self.text.push_str(&path.replace('"', "\"\""));
            self.text.push('"');
        } else {
            self.text.push_str(path);
        }
    }
}

/// The fields of one line; `None` if a quotation mark is left open.
fn fields(line: &str) -> Option<Vec<String>> {
    let (mut fields, mut field, mut quoted) = (Vec::new(), String::new(), false);
    let mut chars = line.chars().peekable();
    while let Some(c) = chars.next() {
        match c {
            '"' if quoted && chars.peek() == Some(&'"') => {
                chars.next();
                field.push('"');
            }
            '"' => quoted = !quoted,
            ',' if !quoted => fields.push(std::mem::take(&mut field)),
            _ => field.push(c),
        }
    }
    fields.push(field);
    (!quoted).then_some(fields)
}

/// Base64 with the URL alphabet and without padding (PEP 427).
pub(super) fn base64_url(bytes: &[u8]) -> String {
    URL_SAFE_NO_PAD.encode(bytes)
}

/// Bytes of a row as they usually are: a path, 52 of the digest, and a size.
const USUAL_ROW: usize = 120;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_are_written_and_read_back() {
        let (empty, x) = (Sha256::of(b""), Sha256::of(b"x"));
        let mut record = RecordWriter::default();
        record.file("a/b,c.py", &empty, 0);
        record.file("say \"x\".py", &x, 1);
        record.bare("a.dist-info/RECORD");
        let text = record.into_text();
        let rows = [
            RecordRow::of("a/b,c.py", &empty, 0),
            RecordRow::of("say \"x\".py", &x, 1),
            RecordRow { path: "a.dist-info/RECORD".to_owned(), hash: None, size: None },
        ];
        assert_eq!(read_record(&text).unwrap(), rows);
        assert_eq!(
            text.lines().next(),
            Some("\"a/b,c.py\",sha256=47DEQpj8HBSa-_TImW-5JCeuQeRkm5NMpJWZG3hSuFU,0")
        );
    }

    #[test]
    fn broken_rows_are_named() {
        for text in ["a,b", "\"a,b,c", "a,,x"] {
            assert!(read_record(text).is_err(), "{text}");
        }
    }
}
