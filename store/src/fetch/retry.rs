//! Which failures pass by themselves, and how long to wait for that.

use std::error::Error;
use std::io;
use std::time::Duration;

use reqwest::StatusCode;
use reqwest::header::{HeaderMap, RETRY_AFTER};
use url::Url;

use super::error::{FetchError, brief, shown};
use super::options::FetchOptions;
use crate::report::{Notice, Reporter};

/// A failed try.
pub(super) enum Attempt {
    /// It will fail the same way again.
    Final(FetchError),
    /// It may pass; the server may have said when.
    Passing(FetchError, Option<Duration>),
}

/// Counts the tries of one transfer.
pub(super) struct Retries<'a> {
    options: &'a FetchOptions,
    used: u32,
}

impl<'a> Retries<'a> {
    pub(super) fn new(options: &'a FetchOptions) -> Self {
        Self { options, used: 0 }
    }

    /// Waits until the next try, or says that there is none.
    pub(super) async fn pause(
        &mut self,
        failed: Attempt,
        reporter: &dyn Reporter,
    ) -> Result<(), FetchError> {
        let (error, asked) = match failed {
            Attempt::Final(error) => return Err(error),
            Attempt::Passing(error, _) if self.used >= self.options.retries => return Err(error),
            Attempt::Passing(error, asked) => (error, asked),
        };
        let pause = self.length(asked);
        self.used += 1;
        reporter.noticed(&Notice::Retrying {
            why: brief(&error),
            pause_ms: u64::try_from(pause.as_millis()).unwrap_or(u64::MAX),
        });
        tokio::time::sleep(pause).await;
        Ok(())
    }

    /// Progress was made: failures so far do not count against the next ones.
    pub(super) fn forgive(&mut self) {
        self.used = 0;
    }

    fn length(&self, asked: Option<Duration>) -> Duration {
        let doubled = self.options.first_pause.saturating_mul(1 << self.used.min(10));
        asked.unwrap_or(doubled).max(doubled).min(self.options.longest_pause)
    }
}

/// A transfer broke off before or in its body.
pub(super) fn broken_off(url: &Url, error: reqwest::Error) -> Attempt {
    let hopeless = error.is_builder() || error.is_redirect() || is_certificate(&error);
    let error = FetchError::network(url, error);
    if hopeless { Attempt::Final(error) } else { Attempt::Passing(error, None) }
}

/// A server said no. `408`, `425`, `429` and most of `5xx` pass.
pub(super) fn refused(url: &Url, status: StatusCode, headers: &HeaderMap) -> Attempt {
    let error = FetchError::Status { what: shown(url), status };
    if matches!(status.as_u16(), 408 | 425 | 429 | 500 | 502..=504 | 520..=530) {
        Attempt::Passing(error, retry_after(headers))
    } else {
        Attempt::Final(error)
    }
}

/// `Retry-After` in seconds. The form with a date is left to the doubling pause: it would need
/// this machine's clock to agree with the server's.
fn retry_after(headers: &HeaderMap) -> Option<Duration> {
    let seconds = headers.get(RETRY_AFTER)?.to_str().ok()?.trim().parse().ok()?;
    Some(Duration::from_secs(seconds))
}

/// Whether the server's certificate was refused: no retry makes a certificate valid.
fn is_certificate(error: &(dyn Error + 'static)) -> bool {
    if let Some(tls) = error.downcast_ref::<rustls::Error>() {
        return matches!(tls, rustls::Error::InvalidCertificate(_));
    }
    // The source of an `io::Error` is what lies behind the error that it holds.
    if let Some(held) = error.downcast_ref::<io::Error>().and_then(io::Error::get_ref) {
        return is_certificate(held);
    }
    error.source().is_some_and(is_certificate)
}
