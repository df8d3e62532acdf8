//! Days and instants of `exclude-newer`.

use jiff::Timestamp;
use jiff::civil::Date;
use jiff::tz::TimeZone;

/// Seconds since 1970 UTC of an RFC 3339 instant, or of the end of a day in UTC: a day that is
/// named is included, and the answer does not depend on where the machine stands.
pub(super) fn parse(text: &str) -> Result<i64, String> {
    if let Ok(instant) = text.parse::<Timestamp>() {
        return Ok(instant.as_second());
    }
    let end = text.parse::<Date>().and_then(Date::tomorrow);
    let midnight = end.and_then(|day| day.to_zoned_datetime(TimeZone::UTC));
    match midnight {
        Ok(midnight) => Ok(midnight.timestamp().as_second()),
        Err(_) => Err(format!("`{text}` is neither a day (`2026-11-01`) nor an RFC 3339 instant")),
    }
}
