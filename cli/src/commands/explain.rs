//! `explain CODE`: the page of a stable code.

use crate::codes;
use crate::context::Context;
use crate::error::{Error, Exit, Failure};
use crate::render::Output;

/// Prints one page, or the list of all codes.
pub fn run(context: &Context, out: &mut Output, code: Option<&str>) -> Result<Exit, Error> {
    let Some(code) = code else { return list(context, out) };
    let Some(page) = codes::page(code) else {
        return Err(UnknownCode { code: code.to_owned(), nearest: codes::nearest(code) }.into());
    };
    if context.settings.json {
        out.json(&serde_json::json!({ "code": page.code, "text": page.text }))?;
    } else {
        out.data(page.text)?;
    }
    Ok(Exit::Done)
}

fn list(context: &Context, out: &mut Output) -> Result<Exit, Error> {
    if context.settings.json {
        let codes: Vec<_> = codes::PAGES
            .iter()
            .map(|page| serde_json::json!({ "code": page.code, "title": page.title() }))
            .collect();
        out.json(&codes)?;
        return Ok(Exit::Done);
    }
    let width = codes::PAGES.iter().map(|page| page.code.len()).max().unwrap_or(0);
    let lines: Vec<String> =
        codes::PAGES.iter().map(|page| format!("{:width$}  {}", page.code, page.title())).collect();
    out.data(&lines.join("\n"))?;
    Ok(Exit::Done)
}

#[derive(Debug, thiserror::Error)]
#[error("no code is named `{code}`")]
struct UnknownCode {
    code: String,
    nearest: Option<&'static str>,
}

impl Failure for UnknownCode {
    fn exit(&self) -> Exit {
        Exit::Usage
    }

    fn help(&self) -> Option<String> {
        Some(match self.nearest {
            Some(code) => format!("rocmenv explain {code}"),
            None => "rocmenv explain".to_owned(),
        })
    }
}
