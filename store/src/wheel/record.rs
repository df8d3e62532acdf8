//! RECORD: one row of path, digest and size per file, as comma-separated values.

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

    /// The row of a file that RECORD cannot describe: itself, or what is made later.
    pub fn bare(path: impl Into<String>) -> Self {
        Self { path: path.into(), hash: None, size: None }
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

/// Writes rows as a RECORD.
pub fn write_record(rows: &[RecordRow]) -> String {
    let mut text = String::new();
    for row in rows {
        if row.path.contains([',', '"', '\n', '\r']) {
            text.push('"');
            text.push_str(&row.path.replace('"', "\"\""));
            text.push('"');
        } else {
            text.push_str(&row.path);
        }
        text.push(',');
        text.push_str(row.hash.as_deref().unwrap_or_default());
        text.push(',');
        if let Some(size) = row.size {
            text.push_str(&size.to_string());
        }
        text.push('\n');
    }
    text
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
    let mut text = String::with_capacity(bytes.len().div_ceil(3) * 4);
    for chunk in bytes.chunks(3) {
        let byte = |at: usize| u32::from(chunk.get(at).copied().unwrap_or(0));
        let bits = byte(0) << 16 | byte(1) << 8 | byte(2);
        for at in 0..=chunk.len() {
            let index = (bits >> (18 - 6 * at)) & 63;
            text.push(char::from(ALPHABET[index as usize]));
        }
    }
    text
}

const ALPHABET: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_are_written_and_read_back() {
        let rows = vec![
            RecordRow::of("a/b,c.py", &Sha256::of(b""), 0),
            RecordRow::of("say \"x\".py", &Sha256::of(b"x"), 1),
            RecordRow::bare("a.dist-info/RECORD"),
        ];
        let text = write_record(&rows);
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

    #[test]
    fn base64_has_no_padding() {
        let written: Vec<_> = [&b"f"[..], b"fo", b"foo"].map(base64_url).into();
        assert_eq!(written, ["Zg", "Zm8", "Zm9v"]);
    }
}
