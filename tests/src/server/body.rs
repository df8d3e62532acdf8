//! Bodies that stop, stall or break off on purpose.

use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use axum::body::{Body, Bytes};
use futures::StreamExt as _;

use crate::world::Fault;

/// The body that sends `content` as `fault` has it; `reset` is the connection's reset mark.
pub(super) fn faulty(content: &Bytes, fault: &Fault, reset: &Arc<AtomicBool>) -> Body {
    let cut = |at: usize| content.slice(..at.min(content.len()));
    match fault {
        Fault::Truncated(length) => {
            steps(vec![Step::Send(cut(*length)), Step::Pause(FLUSH), Step::Break])
        }
        Fault::Reset { after } => {
            steps(vec![Step::Send(cut(*after)), Step::Pause(FLUSH), Step::Reset(Arc::clone(reset))])
        }
        Fault::Stall { after, pause } => steps(vec![
            Step::Send(cut(*after)),
            Step::Pause(*pause),
            Step::Send(content.slice((*after).min(content.len())..)),
        ]),
        Fault::WrongByte(offset) => {
            let mut bytes = content.to_vec();
            if let Some(byte) = bytes.get_mut(*offset) {
                *byte ^= 0xff;
            }
            Body::from(bytes)
        }
        _ => Body::from(content.clone()),
    }
}

enum Step {
    Send(Bytes),
    Pause(Duration),
    Break,
    Reset(Arc<AtomicBool>),
}

fn steps(steps: Vec<Step>) -> Body {
    let chunks = futures::stream::iter(steps).then(|step| async {
        match step {
            Step::Send(bytes) => Ok(bytes),
            Step::Pause(time) => {
                tokio::time::sleep(time).await;
                Ok(Bytes::new())
            }
            Step::Break => Err(io::Error::other("broken off on purpose")),
            Step::Reset(mark) => {
                mark.store(true, Ordering::Relaxed);
                Err(io::Error::other("reset on purpose"))
            }
        }
    });
    Body::from_stream(chunks)
}

/// Long enough for what was sent before to leave the process.
const FLUSH: Duration = Duration::from_millis(20);
