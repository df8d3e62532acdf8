//! Answers one request from a rendered world, with the fault that is due.

use std::io::Write as _;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use axum::body::{Body, Bytes};
use axum::extract::{ConnectInfo, Request, State};
use axum::http::{HeaderMap, HeaderName, StatusCode, header};
use axum::response::Response;
use base64::Engine as _;

use super::listener::Peer;
use super::negotiate::{Asked, choose, range};
use super::{Service, body, log};
use crate::digest::{chance, sha256};
use crate::world::{Fault, Resource, Site, decode};

/// A site that is being served, with how often each fault was used.
#[derive(Debug)]
pub(super) struct Live {
    pub(super) site: Site,
    pub(super) used: Vec<AtomicUsize>,
}

pub(super) async fn answer(
    State(service): State<Service>,
    ConnectInfo(peer): ConnectInfo<Peer>,
    request: Request,
) -> Response {
    let live = service.live();
    let asked = Asking::new(&request);
    if let Some(delay) = live.delay(&asked.path) {
        tokio::time::sleep(delay).await;
    }
    let fault = live.fault(&asked.path);
    if let Some(Fault::Delay(delay)) = fault {
        tokio::time::sleep(*delay).await;
    }
    let reply = reply(&live.site, &asked, fault);
    service.log.add(log::Request {
        method: request.method().to_string(),
        path: asked.path.clone(),
        range: asked.header(&header::RANGE).map(str::to_owned),
        status: reply.status.as_u16(),
        bytes: reply.content.len(),
        authorized: asked.header(&header::AUTHORIZATION).is_some(),
    });
    let sent = match fault {
        Some(fault) => body::faulty(&reply.content, fault, &peer.reset),
        None => Body::from(reply.content.clone()),
    };
    let mut response = Response::builder().status(reply.status);
    for (name, value) in &reply.headers {
        response = response.header(name, value);
    }
    response
        .header(header::CONTENT_LENGTH, reply.content.len())
        .body(sent)
        .expect("headers are plain text")
}

impl Live {
    fn delay(&self, path: &str) -> Option<Duration> {
        let (seed, most) = self.site.delays?;
        let most = u64::try_from(most.as_micros()).expect("delays are short");
        (most > 0).then(|| Duration::from_micros(chance(seed, path) % most))
    }

    /// The first rule for `path` that is not used up; using it counts.
    fn fault(&self, path: &str) -> Option<&Fault> {
        let rules = self.site.faults.iter().zip(&self.used);
        for (rule, used) in rules {
            if path.ends_with(&rule.path) {
                let before = used.fetch_add(1, Ordering::Relaxed);
                if rule.times.is_none_or(|times| before < times) {
                    return Some(&rule.fault);
                }
            }
        }
        None
    }
}

/// What is asked, in the site's own terms.
struct Asking<'r> {
    path: String,
    /// `/HOST` where the request was for another host, else empty.
    host: String,
    headers: &'r HeaderMap,
}

impl<'r> Asking<'r> {
    fn new(request: &'r Request) -> Self {
        let headers = request.headers();
        let host = request
            .uri()
            .host()
            .or_else(|| headers.get(header::HOST)?.to_str().ok())
            .map_or("", |host| host.split(':').next().unwrap_or_default());
        let host = match host {
            "" | "127.0.0.1" | "localhost" => String::new(),
            other => format!("/{other}"),
        };
        Self { path: format!("{host}{}", decode(request.uri().path())), host, headers }
    }

    fn header(&self, name: &HeaderName) -> Option<&str> {
        self.headers.get(name)?.to_str().ok()
    }
}

struct Reply {
    status: StatusCode,
    headers: Vec<(HeaderName, String)>,
    content: Bytes,
}

impl Reply {
    fn status(status: u16) -> Self {
        Self {
            status: StatusCode::from_u16(status).expect("fixtures name real statuses"),
            headers: Vec::new(),
            content: Bytes::new(),
        }
    }

    fn with(mut self, name: HeaderName, value: impl Into<String>) -> Self {
        self.headers.push((name, value.into()));
        self
    }

    fn redirect(status: u16, location: String) -> Self {
        Self::status(status).with(header::LOCATION, location)
    }
}

fn reply(site: &Site, asked: &Asking<'_>, fault: Option<&Fault>) -> Reply {
    match fault {
        Some(Fault::Status(status)) => return Reply::status(*status),
        Some(Fault::Unavailable { retry_after }) => {
            return Reply::status(503).with(header::RETRY_AFTER, retry_after.to_string());
        }
        Some(Fault::RedirectLoop) => return Reply::redirect(302, location(asked, &asked.path)),
        Some(Fault::Redirect(to)) => return Reply::redirect(302, to.clone()),
        _ => {}
    }
    let guard = site.guard(&asked.path);
    if let Some((user, password)) = guard.and_then(|guard| guard.credentials.as_ref()) {
        let pair = base64::engine::general_purpose::STANDARD.encode(format!("{user}:{password}"));
        if asked.header(&header::AUTHORIZATION) != Some(&format!("Basic {pair}")) {
            return Reply::status(401).with(header::WWW_AUTHENTICATE, "Basic realm=\"index\"");
        }
    }
    match site.resources.get(&asked.path) {
        None if site.resources.contains_key(&format!("{}/", asked.path)) => {
            Reply::redirect(301, location(asked, &format!("{}/", asked.path)))
        }
        None => Reply::status(guard.map_or(404, |guard| guard.missing_status)),
        Some(Resource::Redirect { status, to }) => Reply::redirect(*status, location(asked, to)),
        Some(Resource::Content { variants, ranges }) => {
            let offered: Vec<&str> = variants.iter().map(|(media_type, _)| *media_type).collect();
            let (media_type, content) = &variants[choose(asked.header(&header::ACCEPT), &offered)];
            let ranges = *ranges && !matches!(fault, Some(Fault::RangeIgnored));
            deliver(site, asked, fault, content, ranges).with(header::CONTENT_TYPE, *media_type)
        }
    }
}

fn deliver(
    site: &Site,
    asked: &Asking<'_>,
    fault: Option<&Fault>,
    content: &Bytes,
    ranges: bool,
) -> Reply {
    let tag = match fault {
        Some(Fault::ChangingTag) => Some(changing_tag()),
        _ => site.validators.then(|| format!("\"{}\"", &sha256(content)[..16])),
    };
    let mut reply = if tag.is_some() && asked.header(&header::IF_NONE_MATCH) == tag.as_deref() {
        Reply::status(304)
    } else {
        content_reply(asked, fault, content, ranges, tag.as_deref())
    };
    if let Some(tag) = tag {
        reply = reply
            .with(header::ETAG, tag)
            .with(header::LAST_MODIFIED, "Mon, 01 Jan 2024 00:00:00 GMT");
    }
    reply
}

fn content_reply(
    asked: &Asking<'_>,
    fault: Option<&Fault>,
    content: &Bytes,
    ranges: bool,
    tag: Option<&str>,
) -> Reply {
    if matches!(fault, Some(Fault::Gzipped)) {
        let mut reply = Reply::status(200).with(header::CONTENT_ENCODING, "gzip");
        reply.content = gzip(content);
        return reply;
    }
    let same = asked.header(&header::IF_RANGE).is_none_or(|wanted| Some(wanted) == tag);
    let part = match range(asked.header(&header::RANGE), content.len()) {
        Asked::Part(part) if ranges && same => part,
        Asked::Outside if ranges && same => {
            let unsatisfied = format!("bytes */{}", content.len());
            return Reply::status(416).with(header::CONTENT_RANGE, unsatisfied);
        }
        _ => {
            let mut reply = Reply::status(200);
            if ranges {
                reply = reply.with(header::ACCEPT_RANGES, "bytes");
            }
            reply.content = content.clone();
            return reply;
        }
    };
    let part = match fault {
        // As long as the asked one, but elsewhere: at the start, or one byte on.
        Some(Fault::WrongRange) if part.start > 0 => 0..part.len(),
        Some(Fault::WrongRange) => 1..part.end.max(2).min(content.len()),
        _ => part,
    };
    let (start, last) = (part.start, part.end.saturating_sub(1));
    let mut reply = Reply::status(206)
        .with(header::CONTENT_RANGE, format!("bytes {start}-{last}/{}", content.len()));
    reply.content = content.slice(part);
    reply
}

/// The address of a path of the site, as the asking client has to spell it.
fn location(asked: &Asking<'_>, path: &str) -> String {
    let encoded = path.replace('+', "%2B");
    if asked.host.is_empty() {
        return encoded;
    }
    match encoded.strip_prefix(&asked.host) {
        Some(same_host) => same_host.to_owned(),
        None => format!("https:/{encoded}"),
    }
}

fn changing_tag() -> String {
    static COUNT: AtomicUsize = AtomicUsize::new(0);
    format!("\"answer-{}\"", COUNT.fetch_add(1, Ordering::Relaxed))
}

fn gzip(content: &[u8]) -> Bytes {
    let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::default());
    encoder
        .write_all(content)
        .and_then(|()| encoder.finish())
        .expect("writing to memory does not fail")
        .into()
}
