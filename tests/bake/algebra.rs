//! Small matrices and quaternions for the oracle: arrays and loops, every sum from +0.0 and from left to right
//! (`numerics.md` §1, §6, §7).
//!
//! Where the contract leaves an order of operations open it is settled here: a determinant is the first row times its
//! cofactors; X⁻ᵀ is cofactors over the determinant; of the four candidates for a quaternion (Shepperd) each sum goes
//! from 1 on in the order of the diagonal, and the first of equal ones is taken; "the largest" of Newton's iteration is
//! that of the new X.

pub type V3 = [f64; 3];
pub type V4 = [f64; 4];
pub type M3 = [[f64; 3]; 3];
/// The first three rows of a 4×4 matrix whose last is 0 0 0 1.
pub type Affine = [[f64; 4]; 3];

pub const IDENTITY: Affine = [
    [1.0, 0.0, 0.0, 0.0],
    [0.0, 1.0, 0.0, 0.0],
    [0.0, 0.0, 1.0, 0.0],
];

pub fn dot(a: &[f64], b: &[f64]) -> f64 {
    let mut sum = 0.0;
    for i in 0..a.len() {
        sum += a[i] * b[i];
    }
    sum
}

/// Row times column; the last rows take part.
pub fn product(a: &Affine, b: &Affine) -> Affine {
    let mut to = [[0.0; 4]; 3];
    for row in 0..3 {
        for column in 0..4 {
            let last = if column == 3 { 1.0 } else { 0.0 };
            let below = [b[0][column], b[1][column], b[2][column], last];
            to[row][column] = dot(&a[row], &below);
        }
    }
    to
}

pub fn product3(a: &M3, b: &M3) -> M3 {
    let mut to = [[0.0; 3]; 3];
    for row in 0..3 {
        for column in 0..3 {
            to[row][column] = dot(&a[row], &[b[0][column], b[1][column], b[2][column]]);
        }
    }
    to
}

pub fn times(m: &M3, v: V3) -> V3 {
    [dot(&m[0], &v), dot(&m[1], &v), dot(&m[2], &v)]
}

pub fn apply(m: &Affine, p: V3) -> V3 {
    let p = [p[0], p[1], p[2], 1.0];
    [dot(&m[0], &p), dot(&m[1], &p), dot(&m[2], &p)]
}

pub fn linear(m: &Affine) -> M3 {
    m.map(|row| [row[0], row[1], row[2]])
}

pub fn translation(m: &Affine) -> V3 {
    m.map(|row| row[3])
}

pub fn affine(m: &M3, t: V3) -> Affine {
    let mut to = [[0.0; 4]; 3];
    for row in 0..3 {
        to[row] = [m[row][0], m[row][1], m[row][2], t[row]];
    }
    to
}

pub fn transposed(m: &M3) -> M3 {
    let mut to = [[0.0; 3]; 3];
    for row in 0..3 {
        for column in 0..3 {
            to[row][column] = m[column][row];
        }
    }
    to
}

pub fn cofactors(m: &M3) -> M3 {
    let at = |row: usize, column: usize| m[row % 3][column % 3];
    let cofactor = |i: usize, j: usize| {
        at(i + 1, j + 1) * at(i + 2, j + 2) - at(i + 1, j + 2) * at(i + 2, j + 1)
    };
    [0, 1, 2].map(|i| [0, 1, 2].map(|j| cofactor(i, j)))
}

pub fn determinant(m: &M3) -> f64 {
    dot(&m[0], &cofactors(m)[0])
}

pub fn sign(number: f64) -> f64 {
    if number < 0.0 { -1.0 } else { 1.0 }
}

pub fn inverse(m: &Affine) -> Affine {
    let whole = determinant(&linear(m));
    let inverted = transposed(&cofactors(&linear(m))).map(|row| row.map(|c| c / whole));
    affine(&inverted, times(&inverted, translation(m)).map(|c| 0.0 - c))
}

/// Divided by its length, or `rest` where it has none.
pub fn unit(v: V3, rest: V3) -> V3 {
    let length = dot(&v, &v).sqrt();
    if length > 1e-12 {
        v.map(|c| c / length)
    } else {
        rest
    }
}

fn largest(m: &M3) -> f64 {
    m.iter().flatten().fold(0.0, |a, b| f64::max(a, b.abs()))
}

/// The largest difference of a component from the identity's.
pub fn from_identity(m: &M3) -> f64 {
    let mut off = *m;
    for (i, row) in off.iter_mut().enumerate() {
        row[i] -= 1.0;
    }
    largest(&off)
}

/// R and S of `bake.md` §5, or `None` where there are none.
pub fn polar(m: &M3) -> Option<(M3, M3)> {
    let volume = determinant(m);
    let size = largest(m);
    if volume == 0.0 || volume.abs() < 1e-12 * (size * size * size) {
        return None;
    }
    let mut x = *m;
    for _ in 0..32 {
        let (cofactors, whole) = (cofactors(&x), determinant(&x));
        let mut next = x;
        let mut moved = x;
        for i in 0..3 {
            for j in 0..3 {
                next[i][j] = (x[i][j] + cofactors[i][j] / whole) / 2.0;
                moved[i][j] = next[i][j] - x[i][j];
            }
        }
        x = next;
        if largest(&moved) <= 1e-15 * largest(&x) {
            break;
        }
    }
    let r = x.map(|row| row.map(|c| sign(volume) * c));
    let s = product3(&transposed(&r), m);
    let mut even = s;
    for i in 0..3 {
        for j in 0..3 {
            even[i][j] = (s[i][j] + s[j][i]) * 0.5;
        }
    }
    Some((r, even))
}

/// w x y z of a rotation matrix.
pub fn quaternion_of(r: &M3) -> V4 {
    let [[a, b, c], [d, e, f], [g, h, i]] = *r;
    let candidates = [
        [1.0 + a + e + i, h - f, c - g, d - b],
        [h - f, 1.0 + a - e - i, b + d, c + g],
        [c - g, b + d, 1.0 - a + e - i, f + h],
        [d - b, c + g, f + h, 1.0 - a - e + i],
    ];
    let mut best = 0;
    for part in 1..4 {
        if candidates[part][part] > candidates[best][best] {
            best = part;
        }
    }
    normalised(candidates[best])
}

/// At unit length; the identity where there is none. w x y z. Where squares would leave the normal numbers, by the largest part
/// first.
pub fn normalised(q: V4) -> V4 {
    if q == [0.0; 4] {
        return [1.0, 0.0, 0.0, 0.0];
    }
    if !dot(&q, &q).is_normal() {
        let largest = q.map(f64::abs).into_iter().reduce(f64::max).unwrap();
        return normalised(q.map(|c| c / largest));
    }
    let length = dot(&q, &q).sqrt();
    q.map(|c| c / length)
}

pub fn matrix_of([w, x, y, z]: V4) -> M3 {
    [
        [
            1.0 - 2.0 * (y * y + z * z),
            2.0 * (x * y - w * z),
            2.0 * (x * z + w * y),
        ],
        [
            2.0 * (x * y + w * z),
            1.0 - 2.0 * (x * x + z * z),
            2.0 * (y * z - w * x),
        ],
        [
            2.0 * (x * z - w * y),
            2.0 * (y * z + w * x),
            1.0 - 2.0 * (x * x + y * y),
        ],
    ]
}

pub fn after([aw, ax, ay, az]: V4, [bw, bx, by, bz]: V4) -> V4 {
    [
        aw * bw - ax * bx - ay * by - az * bz,
        aw * bx + ax * bw + ay * bz - az * by,
        aw * by - ax * bz + ay * bw + az * bx,
        aw * bz + ax * by - ay * bx + az * bw,
    ]
}

pub fn conjugate([w, x, y, z]: V4) -> V4 {
    [w, -x, -y, -z]
}

pub fn turn(q: V4, [x, y, z]: V3) -> V3 {
    let [_, x, y, z] = after(after(q, [0.0, x, y, z]), conjugate(q));
    [x, y, z]
}
