//! Quantiles of the normal distribution and of Student's.

/// The value that a standard normal variable stays below with this probability, by Wichura (1988, AS 241): right to
/// about sixteen digits. Infinite at 0 and 1.
#[must_use]
pub fn normal(probability: f64) -> f64 {
    let centred = probability - 0.5;
    if centred.abs() <= 0.425 {
        let r = 0.180_625 - centred * centred;
        return centred * ratio_of(&MIDDLE, r);
    }
    let tail = if centred < 0.0 { probability } else { 1.0 - probability };
    if tail <= 0.0 {
        return if centred < 0.0 { f64::NEG_INFINITY } else { f64::INFINITY };
    }
    let r = (-tail.ln()).sqrt();
    let size = if r <= 5.0 { ratio_of(&TAIL, r - 1.6) } else { ratio_of(&FAR, r - 5.0) };
    size.copysign(centred)
}

/// A polynomial over another; coefficients from the constant on.
fn ratio_of((above, below): &([f64; 8], [f64; 8]), x: f64) -> f64 {
    let value = |coefficients: &[f64; 8]| coefficients.iter().rev().fold(0.0, |sum, c| sum * x + c);
    value(above) / value(below)
}

const MIDDLE: ([f64; 8], [f64; 8]) = (
    [
        3.387_132_872_796_366_5,
        133.141_667_891_784_38,
        1_971.590_950_306_551_3,
        13_731.693_765_509_46,
        45_921.953_931_549_87,
        67_265.770_927_008_7,
        33_430.575_583_588_13,
        2_509.080_928_730_122_7,
    ],
    [
        1.0,
        42.313_330_701_600_91,
        687.187_007_492_057_9,
        5_394.196_021_424_751,
        21_213.794_301_586_597,
        39_307.895_800_092_71,
        28_729.085_735_721_943,
        5_226.495_278_852_854,
    ],
);
const TAIL: ([f64; 8], [f64; 8]) = (
    [
        1.423_437_110_749_683_5,
        4.630_337_846_156_546,
        5.769_497_221_460_691,
        3.647_848_324_763_204_5,
        1.270_458_252_452_368_4,
        0.241_780_725_177_450_6,
        0.022_723_844_989_269_184,
        0.000_774_545_014_278_341_4,
    ],
    [
        1.0,
        2.053_191_626_637_759,
        1.676_384_830_183_803_8,
        0.689_767_334_985_1,
        0.148_103_976_427_480_08,
        0.015_198_666_563_616_457,
        0.000_547_593_808_499_534_5,
        1.050_750_071_644_416_9e-9,
    ],
);
const FAR: ([f64; 8], [f64; 8]) = (
    [
        6.657_904_643_501_103,
        5.463_784_911_164_114,
        1.784_826_539_917_291_3,
        0.296_560_571_828_504_9,
        0.026_532_189_526_576_124,
        0.001_242_660_947_388_078_4,
        0.000_027_115_555_687_434_876,
        2.010_334_399_292_288_1e-7,
    ],
    [
        1.0,
        0.599_832_206_555_888,
        0.136_929_880_922_735_8,
        0.014_875_361_290_850_615,
        0.000_786_869_131_145_613_2,
        0.000_018_463_183_175_100_548,
        1.421_511_758_316_446e-7,
        2.044_263_103_389_939_8e-15,
    ],
);

/// The same for Student's distribution with so many degrees of freedom: what a mean is compared with when the
/// variance is only known from the same values.
#[must_use]
pub fn student(probability: f64, freedom: f64) -> f64 {
    if freedom > 1e6 || !(0.0..=1.0).contains(&probability) {
        return normal(probability);
    }
    let tail = probability.min(1.0 - probability);
    if tail <= 0.0 {
        return normal(probability);
    }
    // The tail falls from a half to nothing: halve the room until it is found.
    let (mut low, mut high) = (0.0, 1.0);
    while tail_of(high, freedom) > tail && high < 1e300 {
        low = high;
        high *= 2.0;
    }
    for _ in 0..200 {
        let middle = 0.5 * (low + high);
        if middle <= low || middle >= high {
            break;
        }
        if tail_of(middle, freedom) > tail { low = middle } else { high = middle }
    }
    (0.5 * (low + high)).copysign(probability - 0.5)
}

/// How likely a variable of Student's is above `t`, which is not negative.
fn tail_of(t: f64, freedom: f64) -> f64 {
    0.5 * incomplete_beta(freedom / (freedom + t * t), freedom / 2.0, 0.5)
}

/// The regularised incomplete beta function.
fn incomplete_beta(x: f64, a: f64, b: f64) -> f64 {
    if x <= 0.0 || x >= 1.0 {
        return x.clamp(0.0, 1.0);
    }
    let front = (ln_gamma(a + b) - ln_gamma(a) - ln_gamma(b) + a * x.ln() + b * (-x).ln_1p()).exp();
    if x < (a + 1.0) / (a + b + 2.0) {
        front * fraction(x, a, b) / a
    } else {
        1.0 - front * fraction(1.0 - x, b, a) / b
    }
}

/// Its continued fraction, by Lentz.
fn fraction(x: f64, a: f64, b: f64) -> f64 {
    const TINY: f64 = 1e-300;
    let kept = |value: f64| if value.abs() < TINY { TINY } else { value };
    let mut above = 1.0;
    let mut below = 1.0 / kept(1.0 - (a + b) * x / (a + 1.0));
    let mut value = below;
    let mut step = 1.0;
    while step < 10_000.0 {
        let twice = a + 2.0 * step;
        let even = step * (b - step) * x / ((twice - 1.0) * twice);
        let odd = -(a + step) * (a + b + step) * x / (twice * (twice + 1.0));
        let mut factor = 1.0;
        for part in [even, odd] {
            below = 1.0 / kept(1.0 + part * below);
            above = kept(1.0 + part / above);
            factor = below * above;
            value *= factor;
        }
        if (factor - 1.0_f64).abs() < 1e-15 {
            break;
        }
        step += 1.0;
    }
    value
}

/// The logarithm of the gamma function for what is above 0, by Lanczos with g = 7 and nine terms.
fn ln_gamma(x: f64) -> f64 {
    const TERMS: [f64; 8] = [
        676.520_368_121_885_1,
        -1_259.139_216_722_402_8,
        771.323_428_777_653_1,
        -176.615_029_162_140_6,
        12.507_343_278_686_905,
        -0.138_571_095_265_720_12,
        9.984_369_578_019_572e-6,
        1.505_632_735_149_311_6e-7,
    ];
    if x < 0.5 {
        return (std::f64::consts::PI / (std::f64::consts::PI * x).sin()).ln() - ln_gamma(1.0 - x);
    }
    let x = x - 1.0;
    let (mut sum, mut at) = (0.999_999_999_999_809_9, x);
    for term in TERMS {
        at += 1.0;
        sum += term / at;
    }
    let t = x + 7.5;
    0.5 * (2.0 * std::f64::consts::PI).ln() + (x + 0.5) * t.ln() - t + sum.ln()
}
