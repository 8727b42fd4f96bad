//! Tests of the decoder with streams from meshoptimizer 1.3.0's encoder and the results of its decoder (`vectors.txt`:
//! name, mode, filter, count, stride, stream, and the elements, or their SHA-256 if there is no filter).

use super::encoding::Filter;
use super::*;
use rigy_kernel::random::Random;
use sha2::{Digest, Sha256};

struct Vector {
    name: String,
    encoding: Encoding,
    stream: Vec<u8>,
    expected: Vec<u8>,
}

fn unhex(text: &str) -> Vec<u8> {
    let digits = text.as_bytes().chunks(2);
    digits
        .map(|pair| u8::from_str_radix(std::str::from_utf8(pair).unwrap(), 16).unwrap())
        .collect()
}

fn vectors() -> Vec<Vector> {
    let line = |line: &str| {
        let fields: Vec<&str> = line.split(' ').collect();
        let mode = match fields[1] {
            "ATTRIBUTES" => Mode::Attributes,
            "TRIANGLES" => Mode::Triangles,
            _ => Mode::Indices,
        };
        let filter = match fields[2] {
            "OCTAHEDRAL" => Filter::Octahedral,
            "QUATERNION" => Filter::Quaternion,
            "EXPONENTIAL" => Filter::Exponential,
            "COLOR" => Filter::Color,
            _ => Filter::None,
        };
        let (count, stride) = (fields[3].parse().unwrap(), fields[4].parse().unwrap());
        Vector {
            name: fields[0].into(),
            encoding: Encoding {
                mode,
                filter,
                count,
                stride,
            },
            stream: unhex(fields[5]),
            expected: unhex(fields[6]),
        }
    };
    include_str!("vectors.txt").lines().map(line).collect()
}

/// True if filtered elements agree as closely as the specification requires: within one unit, exponentials exactly.
fn agree(encoding: &Encoding, a: &[u8], b: &[u8]) -> bool {
    let near =
        |a: i32, b: i32, wrap: i32| (a - b).rem_euclid(wrap) <= 1 || (b - a).rem_euclid(wrap) <= 1;
    match (encoding.filter, encoding.stride) {
        (Filter::Exponential, _) => a == b,
        (_, 4) => a
            .iter()
            .zip(b)
            .all(|(a, b)| near((*a).into(), (*b).into(), 256)),
        _ => a.chunks(2).zip(b.chunks(2)).all(|(a, b)| {
            let word = |pair: &[u8]| i32::from(u16::from_le_bytes([pair[0], pair[1]]));
            near(word(a), word(b), 65536)
        }),
    }
}

#[test]
fn every_codec_decodes_what_the_public_encoder_wrote() {
    for vector in vectors() {
        let Vector {
            name,
            encoding,
            stream,
            expected,
        } = vector;
        encoding.check().unwrap();
        let elements = decode(&stream, &encoding).unwrap_or_else(|error| panic!("{name}: {error}"));
        assert_eq!(elements.len() as u64, encoding.count * encoding.stride);
        if encoding.filter == Filter::None {
            assert_eq!(Sha256::digest(&elements).as_slice(), expected, "{name}");
        } else {
            assert!(agree(&encoding, &elements, &expected), "{name}");
        }
    }
}

#[test]
fn streams_that_are_cut_or_too_long_are_refused() {
    for vector in vectors() {
        for end in 0..vector.stream.len() {
            // A block of zeros that is cut in its padding must not be read as a block with another baseline.
            let cut = decode(&vector.stream[..end], &vector.encoding);
            assert!(cut.is_err(), "{} cut at {end}", vector.name);
        }
        let longer = [&vector.stream[..1], &[0; 40], &vector.stream[1..]].concat();
        assert!(
            decode(&longer, &vector.encoding).is_err() || vector.name.contains("soup"),
            "{}",
            vector.name
        );
    }
}

#[test]
fn damaged_streams_never_panic() {
    let mut random = Random::new(1);
    for vector in vectors() {
        for _ in 0..200 {
            let mut stream = vector.stream.clone();
            for _ in 0..1 + random.below(4) {
                let at = random.below(stream.len());
                stream[at] ^= 1 << random.below(8);
            }
            let _ = decode(&stream, &vector.encoding);
        }
    }
}

#[test]
fn counts_that_the_data_cannot_hold_are_refused_before_anything_is_allocated() {
    for vector in vectors() {
        for count in [1 << 20, 1 << 40, u64::MAX / 256, u64::MAX - 2] {
            let count = count / 3 * 3;
            let encoding = Encoding {
                count,
                ..vector.encoding
            };
            assert!(
                decode(&vector.stream, &encoding).is_err(),
                "{} {count}",
                vector.name
            );
        }
    }
}
