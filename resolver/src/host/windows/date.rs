//! Days as Windows writes them.

/// A day as `2026-06-28`, from any of Windows' forms: that one, CIM's `20260628000000.000000-000`,
/// JSON's `/Date(1782604800000)/`, the registry's and inf files' `6-28-2026` and `06/28/2026`.
pub(in crate::host) fn day(text: &str) -> Option<String> {
    let text = text.trim();
    if let Some(rest) = text.strip_prefix("/Date(") {
        let milliseconds: i64 = rest.split(')').next()?.parse().ok()?;
        return from_days(milliseconds.div_euclid(86_400_000));
    }
    let digits = text.get(..8).filter(|head| head.bytes().all(|letter| letter.is_ascii_digit()));
    if let Some(digits) = digits {
        return checked(&digits[..4], &digits[4..6], &digits[6..8]);
    }
    let parts: Vec<&str> = text.split(['-', '/']).map(str::trim).collect();
    let [first, second, third] = parts[..] else { return None };
    if first.len() == 4 {
        checked(first, second, third.get(..2).unwrap_or(third))
    } else {
        checked(third, first, second)
    }
}

fn checked(year: &str, month: &str, day: &str) -> Option<String> {
    let year: u32 = year.parse().ok().filter(|year| (1990..2200).contains(year))?;
    let month: u32 = month.parse().ok().filter(|month| (1..=12).contains(month))?;
    let day: u32 = day.parse().ok().filter(|day| (1..=31).contains(day))?;
    Some(format!("{year:04}-{month:02}-{day:02}"))
}

/// The civil day of a number of days since 1970 (Howard Hinnant, `civil_from_days`).
fn from_days(days: i64) -> Option<String> {
    let shifted = days + 719_468;
    let era = shifted.div_euclid(146_097);
    let of_era = shifted.rem_euclid(146_097);
    let year_of_era = (of_era - of_era / 1_460 + of_era / 36_524 - of_era / 146_096) / 365;
    let of_year = of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let shifted_month = (5 * of_year + 2) / 153;
    let day = of_year - (153 * shifted_month + 2) / 5 + 1;
    let month = if shifted_month < 10 { shifted_month + 3 } else { shifted_month - 9 };
    let year = year_of_era + era * 400 + i64::from(month <= 2);
    checked(&year.to_string(), &month.to_string(), &day.to_string())
}

#[cfg(test)]
mod tests {
    use super::day;

    #[test]
    fn every_form_of_a_day_is_the_same_day() {
        let forms = [
            "2026-06-28",
            "20260628000000.000000-000",
            "/Date(1782604800000)/",
            "6-28-2026",
            "06/28/2026",
            "2026-06-28T00:00:00",
        ];
        for form in forms {
            assert_eq!(day(form).as_deref(), Some("2026-06-28"), "{form}");
        }
        assert_eq!(day("/Date(951782400000)/").as_deref(), Some("2000-02-29"));
        for form in ["", "28.6.2026", "13-32-2026", "0"] {
            assert_eq!(day(form), None, "{form}");
        }
    }
}
