use super::*;

fn value(text: &str) -> Result<f64, Code> {
    let parameter = |name: &str| match name {
        "two" => Ok(2.0),
        _ => Err(Fault::new(Code::V69, "")),
    };
    let body = body(text).expect("the text is an expression");
    evaluate(body, parameter).map_err(|fault| fault.code)
}

#[test]
#[allow(clippy::approx_constant)] // they are rounded to multiples of 1e-9
fn the_published_values() {
    for (text, expected) in [
        ("=0.1+0.2", 0.30000000000000004_f64),
        ("=1e9", 1000000000.0000001),
        ("=15", 15.000000000000002),
        ("=rad2deg(1)", 57.29577951300001),
        ("=1/3", 0.333333333),
        ("=123456789.123456789", 123456789.12345679),
        ("=sqrt(2)", 1.414213562),
        ("=tan(deg2rad(90))", 1.633123935319537e+16),
        ("=-0.0000000001", 0.0),
        ("=2.5e-9", 2e-09),
        ("=1.5e-9", 2e-09),
        ("=atan2(-0,-1)", -3.141592654),
        ("=clamp(5,3,1)", 3.0),
        ("= 2 * $two - -1\n", 5.0),
        ("=5.", 5.0),
        ("=(1+2)*3", 9.0),
        ("=min(2,1)+max(2,1)*abs(-2)", 5.0),
    ] {
        assert_eq!(
            value(text).map(f64::to_bits),
            Ok(expected.to_bits()),
            "{text}"
        );
    }
}

#[test]
fn faults_have_the_codes_of_the_contract() {
    use Code::{U10, V68, V69, V70, V71};
    let deep = |n: usize| format!("={}1{}", "(".repeat(n), ")".repeat(n));
    let signs = |n: usize| format!("={}1", "-".repeat(n));
    let long = |n: usize| format!("=1{}", " ".repeat(n - 2));
    for (text, expected) in [
        ("=1e300", V70),
        ("=2**3", V68),
        ("=pi", V68),
        ("=.5", V68),
        ("=1_0", V68),
        ("=1/0 @", V68),
        ("=1/0", V70),
        ("=1/(1e308*10)", V70),
        ("=1e999", V70),
        ("=$nope+)", V69),
        ("=foo(1/0)", V68),
        // Faults of grammar and of names come before values that are not finite.
        ("=1e308*10Sqrt(4)abs() ", V68),
        ("=1e308+1e308)", V68),
        ("=(1e999", V68),
        ("=sqrt(1e308*10, 2)", V68),
        ("=1e999-$nope", V69),
        ("=1e999-sqrt(-1)", V70),
        ("=sin(1e999)", V70),
        ("=1e999*0", V70),
        ("=min(1e999, 2)", V70),
        ("=sin(1/0,2)", V70),
        ("=sqrt(-1,2)", V68),
        ("=sqrt(-1)", V71),
        ("=sin()", V68),
        ("=1\u{a0}+1", V68),
        ("=1 1", V68),
        (&deep(65), U10),
        (&signs(65), U10),
        (&long(4_097), U10),
    ] {
        assert_eq!(value(text), Err(expected), "{text}");
    }
    assert_eq!(value("=sqrt(-0)"), Ok(0.0));
    for text in [deep(64), signs(64), long(4_096)] {
        assert!(value(&text).is_ok());
    }
}

#[test]
fn only_a_sign_and_one_line_are_an_expression() {
    assert!(is_expression("=a") && is_expression("=1\n"));
    for text in ["=", "", "a=1", "=\n", "=1\n2", "=1\n\n"] {
        assert!(!is_expression(text), "{text:?}");
    }
}
