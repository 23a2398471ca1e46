use super::{Moments, Overflow, Spread, mean_interval, normal, shared_out, student, wilson};

fn near(found: f64, wanted: f64, within: f64) {
    assert!((found - wanted).abs() < within, "{found} is not {wanted}");
}

#[test]
fn quantiles_of_the_normal_distribution_are_those_of_the_tables() {
    for (probability, value) in [
        (0.5, 0.0),
        (0.75, 0.674_489_750_196_081_7),
        (0.95, 1.644_853_626_951_472_7),
        (0.975, 1.959_963_984_540_054),
        (0.995, 2.575_829_303_548_900_4),
        (0.999_999, 4.753_424_308_817_087),
    ] {
        near(normal(probability), value, 1e-9);
        near(normal(1.0 - probability), -value, 1e-9);
    }
    near(normal(1e-10), -6.361_340_902_404_056, 1e-9);
    assert_eq!((normal(0.0), normal(1.0)), (f64::NEG_INFINITY, f64::INFINITY));
}

#[test]
fn quantiles_of_students_distribution_are_those_of_the_tables() {
    // One degree of freedom is Cauchy's: tan(pi (p - 1/2)); two: (2p - 1) / sqrt(2 p (1 - p)).
    near(student(0.975, 1.0), 12.706_204_736_174_698, 1e-9);
    near(student(0.975, 2.0), 0.95 / (2.0_f64 * 0.975 * 0.025).sqrt(), 1e-9);
    for (freedom, value) in [(5.0, 2.570_581_836), (9.0, 2.262_157_163), (30.0, 2.042_272_456), (120.0, 1.979_930_405)]
    {
        near(student(0.975, freedom), value, 1e-8);
        near(student(0.025, freedom), -value, 1e-8);
    }
    near(student(0.975, 1e5), 1.959_987_7, 1e-6);
    near(student(0.975, 1e9), normal(0.975), 1e-12);
    near(student(0.5, 7.0), 0.0, 1e-12);
}

#[test]
fn shares_have_wilsons_interval() {
    // 8 of 10, z = 1.96, z² = 3.8416: (0.8 + 0.19208) / 1.38416 = 0.716738;
    // 1.96 / 1.38416 * sqrt(0.8 * 0.2 / 10 + 3.8416 / 400) = 1.416021 * sqrt(0.025604) = 0.226580.
    let found = wilson(8, 1, 10, 0.95).expect("games");
    near(found.value, 0.8, 1e-12);
    near(found.low, 0.716_738 - 0.226_580, 1e-4);
    near(found.high, 0.716_738 + 0.226_580, 1e-4);
    // Nothing of 10: 0 to z² / (10 + z²) = 3.8415 / 13.8415.
    let none = wilson(0, 1, 10, 0.95).expect("games");
    assert!(none.low.abs() < 1e-12);
    near(none.high, 3.841_459 / 13.841_459, 1e-6);
    let all = wilson(10, 1, 10, 0.95).expect("games");
    near(all.low, 1.0 - none.high, 1e-12);
    near(all.high, 1.0, 1e-12);
    // Ten games that two win together are ten halves.
    assert_eq!(wilson(10, 2, 10, 0.95).map(|found| found.value.to_bits()), Some(0.5_f64.to_bits()));
    assert_eq!(wilson(0, 1, 0, 0.95), None);
}

#[test]
fn means_and_variances_come_from_whole_sums() {
    // 1, 2, 3, 4: mean 2.5; squared distances 2.25 + 0.25 + 0.25 + 2.25 = 5, by 3.
    let mut moments = Moments::default();
    for value in 1..=4 {
        moments.add(value, 1).expect("room");
    }
    assert_eq!((moments.count, moments.sum, moments.squares), (4, 10, 30));
    near(moments.mean().expect("values"), 2.5, 1e-15);
    near(moments.variance().expect("values"), 5.0 / 3.0, 1e-15);
    // The error is sqrt(5/3) / 2 = 0.645497; Student's quantile for 3 degrees of freedom 3.182446.
    let interval = mean_interval(&moments, 0.95).expect("values");
    near(interval.high - 2.5, 3.182_446_305 * 0.645_497_224, 1e-8);
    near(2.5 - interval.low, 3.182_446_305 * 0.645_497_224, 1e-8);
    // Far from 0 floats would lose the distances: these differ by one at ten to the fifteenth.
    let mut far = Moments::default();
    for value in [1_000_000_000_000_000, 1_000_000_000_000_001] {
        far.add(value, 1).expect("room");
    }
    near(far.variance().expect("values"), 0.5, 1e-15);
    assert_eq!(mean_interval(&Moments { count: 1, sum: 3, squares: 9 }, 0.95), None, "one value has no error");
    assert_eq!(Moments::default().mean(), None);
}

#[test]
fn pairs_are_compared_by_their_differences() {
    // Pairs (3, 5), (4, 4), (5, 8), (6, 9): differences 2, 0, 3, 3; mean 2, squared distances 0 + 4 + 1 + 1 = 6.
    // The error is sqrt(6/3) / 2 = 0.707107, so that 2 ± 3.182446 * 0.707107 = -0.250 to 4.250.
    let mut difference = crate::simulate::report::Difference { unit: 1, ..Default::default() };
    for (base, changed) in [(3, 5), (4, 4), (5, 8), (6, 9)] {
        difference.add(base, changed).expect("room");
    }
    difference.derive(0.95, 1);
    let raw = difference.raw.expect("pairs");
    near(raw.low, 2.0 - 3.182_446_305 * 0.5_f64.sqrt(), 1e-8);
    near(raw.high, 2.0 + 3.182_446_305 * 0.5_f64.sqrt(), 1e-8);
    assert_eq!((difference.raw, difference.survives), (difference.adjusted, false));
    // All eight values: sum 44, squares 272; variance (272 - 242) / 7, and the effect 2 / sqrt(30/7).
    near(difference.effect.expect("pairs"), 2.0 / (30.0_f64 / 7.0).sqrt(), 1e-12);
    // As one of ten statements the interval is that of 99.5 %.
    difference.derive(0.95, 10);
    assert_eq!(difference.adjusted, mean_interval(&difference.difference.moments, shared_out(0.95, 10)));
    near(shared_out(0.95, 10), 0.995, 1e-12);
    assert!(difference.adjusted.expect("pairs").width() > difference.raw.expect("pairs").width());
}

#[test]
fn sums_that_do_not_fit_are_told() {
    let mut moments = Moments { count: 1, sum: i128::MAX, squares: 0 };
    assert_eq!(moments.add(1, 1), Err(Overflow));
    assert_eq!(Moments::default().add(i64::MIN, u64::MAX), Err(Overflow));
    let mut spread = Spread::default();
    assert_eq!(spread.add(i64::MIN, 1).and_then(|()| spread.add(i64::MAX, 1)), Ok(()));
}

#[test]
fn spreads_do_not_depend_on_the_order() {
    let mut values: Vec<i64> = (0..5000).map(|at| at * 7_919 % 100_003 - 20_000).collect();
    values.extend([3; 50]);
    let whole = spread(&values);
    assert!(whole.width > 1 && whole.bins.len() <= 1000 && whole.bins.len() > 500, "{}", whole.width);
    let mut backwards = values.clone();
    backwards.reverse();
    assert_eq!(spread(&backwards), whole);
    let mut parts = spread(&values[..1000]);
    parts.merge(&spread(&values[1000..])).expect("room");
    assert_eq!(parts, whole);
    assert_eq!(whole.bins.values().sum::<u64>(), 5050);
}

fn spread(values: &[i64]) -> Spread {
    let mut spread = Spread::default();
    values.iter().try_for_each(|value| spread.add(*value, 1)).expect("room");
    spread
}

#[test]
fn medians_are_in_the_middle() {
    for (values, median) in [(&[4_i64, 1, 10, 2][..], 3.0), (&[5, 1, 2], 2.0), (&[-3, -1], -2.0), (&[7], 7.0)] {
        let mut spread = spread(values);
        spread.derive(0.95);
        assert_eq!(spread.median, Some(median), "{values:?}");
        assert_eq!((spread.min, spread.max), (values.iter().copied().min(), values.iter().copied().max()));
    }
    let mut empty = Spread::default();
    empty.derive(0.95);
    assert_eq!((empty.mean, empty.median, empty.low), (None, None, None));
}

#[test]
fn intervals_contain_the_truth_as_often_as_they_say() {
    // Coins of a generator, 2000 times 50 of them: 95 % of the intervals, give or take three deviations of
    // sqrt(0.95 * 0.05 / 2000) = 0.005; Wilson's interval for 50 fair coins contains the truth in 93.5 %
    // by the binomial distribution (19 to 31 heads: sum of C(50, k) / 2^50).
    let mut random = crate::machine::Random::new(11);
    let mut contained = 0;
    for _ in 0..2000 {
        let heads = (0..50).filter(|_| random.below(2) == 1).count() as u64;
        let interval = wilson(heads, 1, 50, 0.95).expect("games");
        contained += u32::from(!interval.excludes(0.5));
    }
    near(f64::from(contained) / 2000.0, 0.935, 0.0166);
}
