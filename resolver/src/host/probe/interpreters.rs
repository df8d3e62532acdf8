//! All interpreters of the machine: each candidate is run once, without site packages, so that
//! nothing of the user's runs.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc;
use std::thread;

use super::Reader;
use crate::host::facts::Interpreter;
use crate::host::interpreters::{Answer, Candidate, ask, candidates};
use crate::host::sysroot::Sysroot;

/// All interpreters that answer, each once.
pub(super) fn find(reader: &mut Reader<'_>) -> Vec<Interpreter> {
    let candidates = candidates(reader);
    let answers = ask_all(reader.root(), &candidates);
    let mut found = Vec::new();
    for (candidate, answer) in candidates.into_iter().zip(answers) {
        let path = candidate.path.to_string_lossy().into_owned();
        match answer {
            Ok(answer) => found.push(Interpreter {
                path,
                real_path: candidate.real.to_string_lossy().into_owned(),
                version: answer.version,
                implementation: answer.implementation,
                prefix: answer.prefix,
                free_threaded: answer.free_threaded,
                virtual_environment_of: candidate.base,
                origin: candidate.origin,
            }),
            Err(why) => reader.note(path, why),
        }
    }
    found
}

/// Asks several at a time: starting an interpreter mostly waits for the disk.
fn ask_all(root: &dyn Sysroot, candidates: &[Candidate]) -> Vec<Result<Answer, String>> {
    let next = AtomicUsize::new(0);
    let (sender, receiver) = mpsc::channel();
    thread::scope(|scope| {
        for _ in 0..candidates.len().min(AT_ONCE) {
            let (next, sender) = (&next, sender.clone());
            scope.spawn(move || {
                loop {
                    let at = next.fetch_add(1, Ordering::Relaxed);
                    let Some(candidate) = candidates.get(at) else {
                        break;
                    };
                    let answer = ask(root, &candidate.path).and_then(|words| Answer::parse(&words));
                    // the receiver outlives the scope
                    let _ = sender.send((at, answer));
                }
            });
        }
    });
    drop(sender);
    let mut answers: Vec<_> = receiver.into_iter().collect();
    answers.sort_by_key(|(at, _)| *at);
    answers.into_iter().map(|(_, answer)| answer).collect()
}

const AT_ONCE: usize = 4;
