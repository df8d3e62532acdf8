//! Small answers, held in memory: index pages, metadata, parts of files.

use bytes::{Bytes, BytesMut};
use reqwest::header::{
    ACCEPT, ACCEPT_ENCODING, CACHE_CONTROL, CONTENT_RANGE, CONTENT_TYPE, ETAG, HeaderMap,
    HeaderName, IF_MODIFIED_SINCE, IF_NONE_MATCH, LAST_MODIFIED, RANGE,
};
use reqwest::{Response, StatusCode};
use serde::{Deserialize, Serialize};
use url::Url;

use super::client::Fetcher;
use super::error::{FetchError, shown};
use super::retry::{self, Attempt, Retries};
use crate::report::Reporter;

/// A question to a server.
#[derive(Debug, Clone)]
pub struct Get<'a> {
    /// The address, without login.
    pub url: &'a Url,
    /// The `Accept` header.
    pub accept: Option<&'a str>,
    /// What an earlier answer said of itself: the server may say that it still holds.
    pub validators: Option<&'a Validators>,
    /// Only a part of it.
    pub part: Option<Part>,
    /// Answers other than success that the caller understands.
    pub expected: &'a [u16],
    /// The most bytes that the caller wants to hold.
    pub limit: u64,
}

impl<'a> Get<'a> {
    /// A plain question.
    pub fn new(url: &'a Url) -> Self {
        Self { url, accept: None, validators: None, part: None, expected: &[], limit: PAGE_LIMIT }
    }
}

/// A part of a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Part {
    /// From the first byte to the last one, both included.
    Bytes(u64, u64),
    /// The last so many bytes.
    Last(u64),
}

/// How an answer is recognised when it is asked for again (RFC 9110, section 8.8).
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Validators {
    /// `ETag`.
    pub etag: Option<String>,
    /// `Last-Modified`.
    pub last_modified: Option<String>,
}

impl Validators {
    /// What an answer says of itself.
    pub(super) fn of(headers: &HeaderMap) -> Self {
        Self { etag: text(headers, &ETAG), last_modified: text(headers, &LAST_MODIFIED) }
    }

    /// Whether there is anything to ask with.
    pub fn is_empty(&self) -> bool {
        self.etag.is_none() && self.last_modified.is_none()
    }

    /// The `ETag`, if it promises the same bytes and not just the same meaning.
    pub(super) fn strong(&self) -> Option<&str> {
        self.etag.as_deref().filter(|etag| etag.starts_with('"'))
    }
}

/// A server's answer.
#[derive(Debug, Clone)]
pub struct Reply {
    /// The HTTP status.
    pub status: u16,
    /// The address that answered, after redirects.
    pub url: Url,
    /// `Content-Type`, lower case.
    pub content_type: String,
    /// How to ask again.
    pub validators: Validators,
    /// How many seconds the answer may be used without asking again, where the server says.
    pub max_age: Option<u64>,
    /// For an answer in part: first byte and length of the whole.
    pub range: Option<(u64, u64)>,
    /// The body.
    pub body: Bytes,
}

impl Fetcher {
    /// Asks a question, again where a failure passes.
    ///
    /// # Errors
    /// Anything but success or an `expected` status, and whatever breaks on the way.
    pub async fn get(
        &self,
        question: &Get<'_>,
        reporter: &dyn Reporter,
    ) -> Result<Reply, FetchError> {
        if self.options.offline {
            return Err(FetchError::Offline { what: shown(question.url) });
        }
        let _turn = self.queries.acquire().await;
        let mut retries = Retries::new(&self.options);
        loop {
            match self.ask(question).await {
                Ok(reply) => return Ok(reply),
                Err(failed) => retries.pause(failed, reporter).await?,
            }
        }
    }

    async fn ask(&self, question: &Get<'_>) -> Result<Reply, Attempt> {
        let clients = self.clients().map_err(Attempt::Final)?;
        let url = question.url;
        let mut request = match question.part {
            // A part of a compressed answer would be of no use.
            Some(part) => self
                .request(&clients.files, url)
                .header(ACCEPT_ENCODING, "identity")
                .header(RANGE, range_header(part)),
            None => self.request(&clients.pages, url),
        };
        if let Some(accept) = question.accept {
            request = request.header(ACCEPT, accept);
        }
        if let Some(validators) = question.validators {
            if let Some(etag) = &validators.etag {
                request = request.header(IF_NONE_MATCH, etag);
            }
            if let Some(time) = &validators.last_modified {
                request = request.header(IF_MODIFIED_SINCE, time);
            }
        }
        let response = request.send().await.map_err(|e| retry::broken_off(url, e))?;
        let status = response.status();
        if !status.is_success() && !question.expected.contains(&status.as_u16()) {
            return Err(retry::refused(url, status, response.headers()));
        }
        read(response, question).await
    }
}

async fn read(mut response: Response, question: &Get<'_>) -> Result<Reply, Attempt> {
    let headers = response.headers();
    let mut reply = Reply {
        status: response.status().as_u16(),
        url: super::split_login(response.url().clone()).0,
        content_type: text(headers, &CONTENT_TYPE).unwrap_or_default().to_ascii_lowercase(),
        validators: Validators::of(headers),
        max_age: max_age(headers),
        range: content_range(headers),
        body: Bytes::new(),
    };
    // A server that ignores the range must not make us read gigabytes; the caller sees the 200.
    if question.part.is_some() && response.status() == StatusCode::OK {
        return Ok(reply);
    }
    let mut body = BytesMut::new();
    while let Some(chunk) =
        response.chunk().await.map_err(|e| retry::broken_off(question.url, e))?
    {
        body.extend_from_slice(&chunk);
        if body.len() as u64 > question.limit {
            let what = shown(question.url);
            return Err(Attempt::Final(FetchError::TooLarge { what, limit: question.limit }));
        }
    }
    reply.body = body.freeze();
    Ok(reply)
}

fn range_header(part: Part) -> String {
    match part {
        Part::Bytes(first, last) => format!("bytes={first}-{last}"),
        Part::Last(count) => format!("bytes=-{count}"),
    }
}

/// First byte and length of the whole, from `Content-Range: bytes 5-9/10`.
pub(super) fn content_range(headers: &HeaderMap) -> Option<(u64, u64)> {
    let value = text(headers, &CONTENT_RANGE)?;
    let (range, total) = value.strip_prefix("bytes ")?.split_once('/')?;
    let (first, _) = range.split_once('-')?;
    Some((first.trim().parse().ok()?, total.trim().parse().ok()?))
}

fn max_age(headers: &HeaderMap) -> Option<u64> {
    let value = text(headers, &CACHE_CONTROL)?.to_ascii_lowercase();
    let mut directives = value.split(',').map(str::trim);
    if directives.clone().any(|d| d == "no-cache" || d == "no-store") {
        return Some(0);
    }
    directives.find_map(|d| d.strip_prefix("max-age=")?.trim_matches('"').parse().ok())
}

fn text(headers: &HeaderMap, name: &HeaderName) -> Option<String> {
    headers.get(name)?.to_str().ok().map(str::to_owned)
}

/// Far above the largest page that is known (a few tens of megabytes).
const PAGE_LIMIT: u64 = 256 * 1024 * 1024;
