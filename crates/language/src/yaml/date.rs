//! Dates and date-times. They are recognised because no field accepts them.

/// Returns true for a date or an ISO date-time.
pub(super) fn is_date(text: &str) -> bool {
    let (date, rest) = match text.find(['T', 't', ' ', '\t']) {
        Some(at) => (
            &text[..at],
            Some(text[at + 1..].trim_start_matches([' ', '\t'])),
        ),
        None => (text, None),
    };
    let digits = |s: &str, lengths: std::ops::RangeInclusive<usize>| {
        lengths.contains(&s.len()) && s.bytes().all(|b| b.is_ascii_digit())
    };
    let mut parts = date.split('-');
    let (Some(year), Some(month), Some(day), None) =
        (parts.next(), parts.next(), parts.next(), parts.next())
    else {
        return false;
    };
    let shortest = if rest.is_some() { 1 } else { 2 };
    if !digits(year, 4..=4) || !digits(month, shortest..=2) || !digits(day, shortest..=2) {
        return false;
    }
    let Some(time) = rest else { return true };
    let mut parts = time.splitn(3, ':');
    let (Some(hour), Some(minute), Some(rest)) = (parts.next(), parts.next(), parts.next()) else {
        return false;
    };
    let second = rest.get(..2).is_some_and(|s| digits(s, 2..=2));
    digits(hour, 1..=2) && digits(minute, 2..=2) && second && is_time_tail(&rest[2..])
}

/// Returns true for the text after the seconds: a fraction, then `Z` or an offset, each of which may be missing.
fn is_time_tail(tail: &str) -> bool {
    let tail = match tail.strip_prefix('.') {
        Some(fraction) => fraction.trim_start_matches(|c: char| c.is_ascii_digit()),
        None => tail,
    };
    let zone = tail.trim_start_matches([' ', '\t']);
    if zone.is_empty() {
        return tail.is_empty();
    }
    if zone == "Z" {
        return true;
    }
    let Some(offset) = zone.strip_prefix(['-', '+']) else {
        return false;
    };
    let mut parts = offset.splitn(2, ':');
    let two = |s: Option<&str>, least: usize| {
        s.is_none_or(|s| (least..=2).contains(&s.len()) && s.bytes().all(|b| b.is_ascii_digit()))
    };
    two(parts.next(), 1) && two(parts.next(), 2)
}
