//! Finds the anchors of an HTML page. Not a parser of HTML: index pages need only `<a>` and
//! `<base>`, and must be read however junk stands between them.

use std::borrow::Cow;

/// An `<a>` or `<base>` tag.
pub(super) struct Tag<'h> {
    /// Whether it is `<base>`.
    pub(super) is_base: bool,
    attributes: &'h str,
}

impl<'h> Tag<'h> {
    /// An attribute's value with its entities resolved; empty where it has none.
    pub(super) fn attribute(&self, wanted: &str) -> Option<Cow<'h, str>> {
        Attributes { rest: self.attributes }
            .find(|(name, _)| name.eq_ignore_ascii_case(wanted))
            .map(|(_, value)| unescape(value))
    }
}

/// All such tags of a page, in order.
pub(super) fn tags(html: &str) -> impl Iterator<Item = Tag<'_>> {
    let mut rest = html;
    std::iter::from_fn(move || {
        loop {
            let open = rest.find('<')?;
            rest = &rest[open + 1..];
            if let Some(comment) = rest.strip_prefix("!--") {
                rest = comment.find("-->").map_or("", |end| &comment[end + 3..]);
                continue;
            }
            let name_end = rest.find(|c: char| !c.is_ascii_alphanumeric()).unwrap_or(rest.len());
            let (name, after) = rest.split_at(name_end);
            let is_base = name.eq_ignore_ascii_case("base");
            if !is_base && !name.eq_ignore_ascii_case("a") {
                continue;
            }
            let end = tag_end(after);
            rest = &after[end..];
            return Some(Tag { is_base, attributes: &after[..end] });
        }
    })
}

/// Where a tag ends: at the first `>` outside quotes.
fn tag_end(text: &str) -> usize {
    let mut quote = None;
    let mut previous = ' ';
    for (at, c) in text.char_indices() {
        match quote {
            Some(open) if c == open => quote = None,
            None if c == '>' => return at,
            // A quote that is not the beginning of a value is a letter like others.
            None if matches!(c, '"' | '\'') && previous == '=' => quote = Some(c),
            _ => {}
        }
        if !c.is_whitespace() {
            previous = c;
        }
    }
    text.len()
}

struct Attributes<'h> {
    rest: &'h str,
}

impl<'h> Iterator for Attributes<'h> {
    type Item = (&'h str, &'h str);

    fn next(&mut self) -> Option<Self::Item> {
        let text = self.rest.trim_start_matches(|c: char| c.is_whitespace() || c == '/');
        if text.is_empty() {
            return None;
        }
        let name_end =
            text.find(|c: char| c.is_whitespace() || c == '=').unwrap_or(text.len()).max(1);
        let name_end = if text.is_char_boundary(name_end) { name_end } else { text.len() };
        let (name, after) = text.split_at(name_end);
        let Some(value) = after.trim_start().strip_prefix('=') else {
            self.rest = after;
            return Some((name, ""));
        };
        let value = value.trim_start();
        let quoted = value.chars().next().filter(|c| matches!(c, '"' | '\''));
        let (value, rest) = match quoted {
            Some(quote) => {
                let inner = &value[1..];
                inner.split_once(quote).unwrap_or((inner, ""))
            }
            None => value.split_at(value.find(char::is_whitespace).unwrap_or(value.len())),
        };
        self.rest = rest;
        Some((name, value))
    }
}

/// Resolves the character references that attributes of index pages hold.
pub(super) fn unescape(text: &str) -> Cow<'_, str> {
    if !text.contains('&') {
        return Cow::Borrowed(text);
    }
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find('&') {
        out.push_str(&rest[..at]);
        rest = &rest[at..];
        let reference = rest[1..].find(';').filter(|end| *end <= LONGEST_REFERENCE);
        let read = reference.and_then(|end| Some((character(&rest[1..=end])?, end + 2)));
        // What is no reference stands for itself.
        let (c, length) = read.unwrap_or(('&', 1));
        out.push(c);
        rest = &rest[length..];
    }
    out.push_str(rest);
    Cow::Owned(out)
}

fn character(reference: &str) -> Option<char> {
    if let Some(number) = reference.strip_prefix('#') {
        let code = match number.strip_prefix(['x', 'X']) {
            Some(digits) => u32::from_str_radix(digits, 16).ok()?,
            None => number.parse().ok()?,
        };
        return char::from_u32(code);
    }
    Some(match reference {
        "amp" => '&',
        "lt" => '<',
        "gt" => '>',
        "quot" => '"',
        "apos" => '\'',
        "nbsp" => '\u{a0}',
        "plus" => '+',
        _ => return None,
    })
}

const LONGEST_REFERENCE: usize = 10;

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn hrefs(html: &str) -> Vec<String> {
        tags(html).filter_map(|tag| tag.attribute("href").map(Cow::into_owned)).collect()
    }

    #[test]
    fn every_way_of_writing_an_anchor() {
        let html = "<!DOCTYPE html><body><A HREF='one'>x</a><a\n class=x href = \"two>2\" >\
                    <abbr href=no><!-- <a href=no> --><a href=three data-x>4</a><a name=q>\
                    <a data-requires-python=\"&gt;=3.8,&#60;4\" href=\"a&amp;b\"/>";
        assert_eq!(hrefs(html), ["one", "two>2", "three", "a&b"]);
        let last = tags(html).last().unwrap();
        assert_eq!(last.attribute("data-requires-python").unwrap(), ">=3.8,<4");
        assert_eq!(last.attribute("data-yanked"), None);
    }

    #[test]
    fn unfinished_pages_give_what_they_have() {
        for html in ["<", "<a", "<a href", "<a href=", "<a href='x", "<!-- <a href=x>", "<a é="] {
            let _ = hrefs(html);
        }
        assert_eq!(hrefs("<a href=x>1</a><a hr"), ["x"]);
        assert_eq!(unescape("a & b &unknown; &#x110000; &amp"), "a & b &unknown; &#x110000; &amp");
    }

    proptest! {
        #[test]
        fn no_page_stops_the_scanner(html in "[<>a='\"&#;! éhref/-]{0,200}") {
            let _ = hrefs(&html);
        }

        #[test]
        fn an_escaped_value_comes_back(value in "[^\\p{Cc}]{0,40}") {
            let escaped = value.replace('&', "&amp;").replace('"', "&quot;").replace('<', "&lt;");
            let html = format!("<p><a href=\"{escaped}\">x</a>");
            prop_assert_eq!(hrefs(&html), [value]);
        }
    }
}
