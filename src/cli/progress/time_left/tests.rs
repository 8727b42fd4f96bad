//! The estimator over logs of real runs: seconds, work done and all work, in millions of bytes times frames.

use super::*;

type Moment = (f64, f64, f64);

/// 80 equal files.
const UNIFORM: &[Moment] = &[
    (0.0, 0.0, 14.3),
    (0.1, 0.7, 2294.2),
    (35.4, 293.1, 2294.2),
    (69.1, 625.7, 2294.2),
    (87.8, 773.4, 2294.2),
    (127.2, 1125.6, 2294.2),
    (188.8, 1596.8, 2294.2),
    (201.1, 1673.5, 2294.2),
    (267.3, 2248.0, 2294.2),
];

/// Small files first, then larger ones that take three times as long for the same work.
const FAST_START: &[Moment] = &[
    (0.1, 1.1, 255.7),
    (8.7, 60.6, 250.4),
    (17.3, 106.0, 250.1),
    (17.4, 106.7, 276.9),
    (20.5, 124.4, 276.9),
    (20.6, 125.3, 300.5),
    (25.1, 144.5, 300.5),
    (25.2, 145.2, 321.5),
    (28.4, 163.9, 321.5),
    (28.5, 164.4, 340.2),
    (30.7, 183.2, 340.2),
    (30.8, 184.1, 357.0),
    (33.6, 202.4, 357.0),
    (33.7, 203.1, 372.3),
    (37.5, 221.6, 372.3),
    (37.6, 222.7, 386.1),
    (39.2, 240.9, 386.1),
    (39.3, 242.0, 410.2),
    (44.5, 279.6, 410.2),
    (47.8, 280.5, 410.2),
    (47.9, 280.5, 420.9),
    (51.4, 298.6, 420.9),
    (51.5, 299.5, 430.7),
    (57.2, 338.4, 439.7),
    (57.3, 339.0, 448.1),
    (62.9, 355.6, 448.1),
    (63.0, 356.2, 456.0),
    (69.4, 379.5, 463.3),
    (80.7, 454.4, 482.5),
    (80.8, 455.1, 493.5),
    (86.8, 492.8, 493.5),
    (97.4, 493.5, 493.5),
];

/// 300 small files, then two of which each turns out to be a quarter of all work.
const LARGE_END: &[Moment] = &[
    (0.0, 0.0, 304.7),
    (16.7, 85.5, 304.7),
    (26.7, 155.6, 304.7),
    (31.5, 182.5, 304.7),
    (34.1, 204.9, 304.7),
    (34.2, 205.7, 455.9),
    (35.2, 209.7, 455.9),
    (37.9, 241.4, 455.9),
    (39.7, 257.2, 455.9),
    (40.6, 271.0, 455.9),
    (42.5, 286.9, 455.9),
    (43.3, 298.7, 455.9),
    (45.1, 310.6, 455.9),
    (47.8, 340.3, 455.9),
    (49.0, 348.2, 455.9),
    (50.3, 364.1, 455.9),
    (51.7, 372.0, 455.9),
    (52.2, 379.9, 455.9),
    (52.3, 381.9, 558.0),
    (55.5, 413.5, 558.0),
    (56.4, 417.5, 558.0),
    (58.3, 441.2, 558.0),
    (59.7, 451.1, 558.0),
    (60.8, 467.0, 558.0),
    (61.2, 467.0, 558.0),
    (61.7, 474.9, 558.0),
    (62.5, 478.8, 558.0),
    (63.2, 488.7, 558.0),
    (64.0, 492.7, 558.0),
    (65.5, 510.5, 558.0),
    (68.1, 526.3, 558.0),
    (71.2, 558.0, 558.0),
];

/// One file that nothing is known about until it is done, after ten that take as long together.
const STALL: &[Moment] = &[
    (0.0, 0.0, 20.0),
    (10.0, 10.0, 20.0),
    (30.0, 10.0, 20.0),
    (30.1, 20.0, 20.0),
];

/// The seconds that are left as they are shown ten times a second, with the time.
fn shown(log: &[Moment]) -> Vec<(f64, Option<f64>)> {
    let mut estimate = TimeLeft::default();
    let end = log.last().unwrap().0;
    let at = |step: usize| {
        let now = step as f64 / 10.0;
        let after = log
            .iter()
            .position(|(time, ..)| *time > now)
            .unwrap_or(log.len() - 1)
            .max(1);
        let ((t0, d0, _), (t1, d1, total)) = (log[after - 1], log[after]);
        let part = ((now - t0) / (t1 - t0)).min(1.0);
        let left = estimate.feed(Duration::from_secs_f64(now), d0 + part * (d1 - d0), total);
        (now, left.map(|left| left.as_secs_f64()))
    };
    (0..(end * 10.0) as usize).map(at).collect()
}

#[test]
fn the_time_never_grows_within_ten_seconds() {
    for log in [UNIFORM, FAST_START, LARGE_END, STALL] {
        let shown = shown(log);
        let times = shown
            .iter()
            .filter_map(|(now, left)| Some((*now, (*left)?)));
        let times: Vec<(f64, f64)> = times.collect();
        assert!(times.len() > 20, "it is shown");
        for (index, (now, left)) in times.iter().enumerate() {
            let later = times[index..]
                .iter()
                .take_while(|(later, _)| later - now <= CALM);
            for (later, then) in later {
                assert!(then <= left, "{left} at {now}, {then} at {later}");
            }
        }
    }
}

#[test]
fn nothing_is_shown_before_estimates_agree() {
    for log in [UNIFORM, FAST_START, LARGE_END] {
        let shown = shown(log);
        let (first, _) = shown.iter().find(|(_, left)| left.is_some()).unwrap();
        assert!((SETTLING..60.0).contains(first), "{first}");
    }
}

#[test]
fn the_time_of_a_uniform_run_is_near_the_truth() {
    let end = UNIFORM.last().unwrap().0;
    let shown = shown(UNIFORM);
    let known: Vec<f64> = (shown.iter())
        .filter_map(|(now, left)| Some(((*left)? - (end - now)).abs() / end))
        .collect();
    assert!(known.len() * 10 > shown.len() * 8, "{}", known.len());
    let far = known.iter().copied().fold(0.0, f64::max);
    assert!(far < 0.15, "the pace changed under way: {far}");
}

#[test]
fn a_time_that_has_passed_is_no_longer_shown() {
    let shown = shown(STALL);
    let at = |time: usize| shown[time * 10].1;
    assert!(
        at(10).is_some_and(|left| (left - 10.0).abs() < 0.5),
        "{:?}",
        at(10)
    );
    assert!(
        at(15).is_some_and(|left| (left - 5.0).abs() < 0.5),
        "{:?}",
        at(15)
    );
    assert_eq!(at(21), None);
    assert_eq!(at(29), None);
}

#[test]
fn the_history_stays_small() {
    let mut estimate = TimeLeft::default();
    for step in 0..200_000 {
        estimate.feed(Duration::from_millis(step * 100), step as f64, 1e6);
    }
    assert!(estimate.history.len() < 800, "{}", estimate.history.len());
    assert!(estimate.ends.len() < 400, "{}", estimate.ends.len());
}
