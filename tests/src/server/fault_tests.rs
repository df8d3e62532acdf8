use std::io::ErrorKind;
use std::time::{Duration, Instant};

use insta::assert_snapshot;

use super::IndexServer;
use super::client::ask;
use super::tests::{JSON, WHEEL_A, one_wheel};
use crate::{Fault, Index, WheelBuilder, World};

fn faulty(fault: Fault) -> IndexServer {
    IndexServer::start(one_wheel().fault(".whl", fault))
}

#[test]
fn bodies_break() {
    let right = WheelBuilder::new("a", "1").build().bytes;
    let length = right.len().to_string();

    let cut = ask(faulty(Fault::Truncated(100)).port(), WHEEL_A, &[]);
    assert_eq!(cut.header("content-length"), Some(length.as_str()));
    assert_eq!(cut.body, right[..100]);

    let reset = ask(faulty(Fault::Reset { after: 100 }).port(), WHEEL_A, &[]);
    assert_eq!(reset.broken, Some(ErrorKind::ConnectionReset));

    let flipped = ask(faulty(Fault::WrongByte(7)).port(), WHEEL_A, &[]).body;
    assert_eq!(flipped.len(), right.len());
    let differing: Vec<usize> = (0..right.len()).filter(|at| flipped[*at] != right[*at]).collect();
    assert_eq!(differing, [7]);

    let pause = Duration::from_millis(200);
    let server = faulty(Fault::Stall { after: 50, pause });
    let started = Instant::now();
    assert_eq!(ask(server.port(), WHEEL_A, &[]).body, right);
    assert!(started.elapsed() >= pause);

    let packed = ask(faulty(Fault::Gzipped).port(), WHEEL_A, &[]);
    assert_eq!(packed.header("content-encoding"), Some("gzip"));
    assert_eq!(packed.body[..2], [0x1f, 0x8b]);
}

#[test]
fn ranges_lie() {
    let right = WheelBuilder::new("a", "1").build().bytes;
    let ask_part = |fault| ask(faulty(fault).port(), WHEEL_A, &["Range: bytes=10-19"]);

    let wrong = ask_part(Fault::WrongRange);
    assert_eq!(wrong.status, 206);
    let stated = format!("bytes 0-9/{}", right.len());
    assert_eq!(wrong.header("content-range"), Some(stated.as_str()));
    assert_eq!(wrong.body, right[..10]);

    let ignored = ask_part(Fault::RangeIgnored);
    assert_eq!((ignored.status, ignored.body), (200, right));

    let server = faulty(Fault::ChangingTag);
    let tags = [(); 2].map(|()| {
        let answer = ask(server.port(), WHEEL_A, &[]);
        answer.header("etag").unwrap().to_owned()
    });
    assert_ne!(tags[0], tags[1]);
    let resumed =
        ask(server.port(), WHEEL_A, &["Range: bytes=10-19", &format!("If-Range: {}", tags[1])]);
    assert_eq!(resumed.status, 200);
}

#[test]
fn faults_end_after_their_number() {
    let busy = Fault::Unavailable { retry_after: 1 };
    let world =
        one_wheel().fault_first(2, ".whl", busy).fault_first(1, "/simple/a/", Fault::RedirectLoop);
    let server = IndexServer::start(world);
    let answers = [(); 3].map(|()| ask(server.port(), WHEEL_A, &[]));
    assert_eq!(answers.each_ref().map(|it| it.status), [503, 503, 200]);
    assert_eq!(answers[0].header("retry-after"), Some("1"));
    let looping = ask(server.port(), "/main/simple/a/", &[]);
    assert_eq!(looping.header("location"), Some("/main/simple/a/"));
    let log: Vec<String> = server.requests().iter().map(ToString::to_string).collect();
    assert_snapshot!(log.join("\n"), @r"
    GET /main/files/a-1-py3-none-any.whl -> 503
    GET /main/files/a-1-py3-none-any.whl -> 503
    GET /main/files/a-1-py3-none-any.whl -> 200
    GET /main/simple/a/ -> 302
    ");
}

#[test]
fn pages_lie() {
    let index = Index::new("main")
        .wheel(WheelBuilder::new("a", "1"))
        .lying_hash()
        .wheel(WheelBuilder::new("a", "2"))
        .lying_size()
        .wheel(WheelBuilder::new("a", "3"))
        .vanished()
        .wheel(WheelBuilder::new("a", "4"))
        .unhashed();
    let server = IndexServer::start(World::new().index(index));
    let page = ask(server.port(), "/main/simple/a/", &[&format!("Accept: {JSON}")]);
    let page: serde_json::Value = serde_json::from_slice(&page.body).unwrap();
    let says = |version: usize| {
        let file = &page["files"][version - 1];
        let path = format!("/main/files/{}", file["filename"].as_str().unwrap());
        let answer = ask(server.port(), &path, &[]);
        (
            answer.status,
            file["hashes"]["sha256"] == crate::sha256(&answer.body),
            file["size"] == answer.body.len(),
        )
    };
    assert_eq!(says(1), (200, false, true));
    assert_eq!(says(2), (200, true, false));
    assert_eq!(says(3).0, 404);
    assert_eq!(says(4), (200, false, true));
}
