//! The shader of `docs/src/reference/palette.md` in Rust: f32 throughout, reading the binary form of a palette alone.

/// A palette as a shader sees it.
pub struct Bound<'b>(pub &'b [u8]);

#[derive(Clone, Copy, Debug)]
pub struct Frame {
    pub position: [f32; 3],
    pub normal: [f32; 3],
}

type Vec3 = [f32; 3];
type Quat = [f32; 4];

fn dot<const N: usize>(a: [f32; N], b: [f32; N]) -> f32 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

fn cross(a: Vec3, b: Vec3) -> Vec3 {
    [0, 1, 2].map(|i| {
        let (j, k) = ((i + 1) % 3, (i + 2) % 3);
        a[j] * b[k] - a[k] * b[j]
    })
}

fn unit_or(v: Vec3, rest: Vec3) -> Vec3 {
    let length = dot(v, v).sqrt();
    if length > 1e-12 {
        v.map(|c| c / length)
    } else {
        rest
    }
}

fn turned([w, x, y, z]: Quat, v: Vec3) -> Vec3 {
    let axis = [x, y, z];
    let once = cross(axis, v);
    let twice = cross(axis, [0, 1, 2].map(|i| once[i] + w * v[i]));
    [0, 1, 2].map(|i| v[i] + 2.0 * twice[i])
}

impl Bound<'_> {
    pub fn word(&self, offset: u32) -> u32 {
        let at = offset as usize;
        u32::from_le_bytes(self.0[at..at + 4].try_into().unwrap())
    }

    fn float(&self, offset: u32) -> f32 {
        f32::from_bits(self.word(offset))
    }

    fn vector<const N: usize>(&self, offset: u32) -> [f32; N] {
        std::array::from_fn(|i| self.float(offset + 4 * i as u32))
    }

    pub fn mesh(&self, mesh: u32, place: u32) -> u32 {
        self.word(self.word(24) + 64 * mesh + 4 * place)
    }

    pub fn skin(&self, skin: u32, place: u32) -> u32 {
        self.word(self.word(16) + 64 * skin + 4 * place)
    }

    fn slots(&self, mesh: u32, vertex: u32) -> Vec<(u32, f32)> {
        let sets = self.mesh(mesh, 4);
        let slots = (vertex * sets * 4)..((vertex + 1) * sets * 4);
        slots
            .map(|slot| {
                let joint = self.word(self.mesh(mesh, 5) + 4 * slot);
                (joint, self.float(self.mesh(mesh, 6) + 4 * slot))
            })
            .collect()
    }

    /// The vertex by linear blending of the matrices at `matrices`.
    fn linear(&self, matrices: u32, slots: &[(u32, f32)], cofactors: bool, rest: Frame) -> Frame {
        let mut rows = [[0.0f32; 4]; 3];
        for (joint, weight) in slots {
            for (row, sum) in rows.iter_mut().enumerate() {
                let from: [f32; 4] = self.vector(matrices + 48 * joint + 16 * row as u32);
                for (sum, number) in sum.iter_mut().zip(from) {
                    *sum += weight * number;
                }
            }
        }
        let [p, n] = [rest.position, rest.normal];
        let [a, b, c] = rows.map(|[x, y, z, _]| [x, y, z]);
        let [bc, ca, ab] = [cross(b, c), cross(c, a), cross(a, b)];
        let sign = if dot(a, bc) < 0.0 { -1.0 } else { 1.0 };
        let turned = match cofactors {
            true => [bc, ca, ab].map(|row| sign * dot(row, n)),
            false => [a, b, c].map(|row| dot(row, n)),
        };
        Frame {
            position: rows.map(|row| dot(row, [p[0], p[1], p[2], 1.0])),
            normal: unit_or(turned, n),
        }
    }

    /// Returns the addition to the dual part of a joint: `q` is its rotation, and the blended dual quaternion is applied to `base`.
    fn carried(&self, skin: u32, joint: u32, q: Quat, rest: Vec3, base: Vec3) -> Quat {
        if self.skin(skin, 2) & 2 == 0 {
            return [0.0; 4];
        }
        let [x, y, z] = rest;
        let row = |row: u32| self.vector(self.skin(skin, 6) + 48 * joint + 16 * row);
        let image = [0, 1, 2].map(|at| dot(row(at), [x, y, z, 1.0]));
        let u = [0, 1, 2].map(|i| image[i] - base[i]);
        let axis = [q[1], q[2], q[3]];
        let across = cross(axis, u);
        let vector = [0, 1, 2].map(|i| q[0] * u[i] + across[i]);
        [-dot(axis, u), vector[0], vector[1], vector[2]].map(|part| 0.5 * part)
    }

    /// The vertex by the blended dual quaternion.
    fn dual(
        &self,
        skin: u32,
        reference: u32,
        slots: &[(u32, f32)],
        at_rest: Vec3,
        rest: Frame,
    ) -> Frame {
        let duals = self.skin(skin, 5);
        let reference: Quat = self.vector(duals + 32 * reference);
        let (mut real, mut dual) = ([0.0f32; 4], [0.0f32; 4]);
        for (joint, weight) in slots {
            let of_joint: Quat = self.vector(duals + 32 * joint);
            let of_dual: Quat = self.vector(duals + 32 * joint + 16);
            let weight = if dot(of_joint, reference) < 0.0 {
                -weight
            } else {
                *weight
            };
            let carried = self.carried(skin, *joint, of_joint, at_rest, rest.position);
            for part in 0..4 {
                real[part] += weight * of_joint[part];
                dual[part] += weight * (of_dual[part] + carried[part]);
            }
        }
        let length = dot(real, real).sqrt();
        let r = real.map(|part| part / length);
        let s = dual.map(|part| part / length);
        let k = dot(r, s);
        let d: Quat = std::array::from_fn(|part| s[part] - k * r[part]);
        let (rv, dv) = ([r[1], r[2], r[3]], [d[1], d[2], d[3]]);
        let across = cross(dv, rv);
        let moved = [0, 1, 2].map(|i| 2.0 * (r[0] * dv[i] - d[0] * rv[i] - across[i]));
        let position = turned(r, rest.position);
        Frame {
            position: [0, 1, 2].map(|i| position[i] + moved[i]),
            normal: unit_or(turned(r, rest.normal), rest.normal),
        }
    }

    /// The vertex as the shader poses it.
    pub fn posed(&self, mesh: u32, vertex: u32, by_dual: bool, rest: Frame) -> Frame {
        let skin = self.mesh(mesh, 2);
        let slots = self.slots(mesh, vertex);
        let flags = self.skin(skin, 2);
        if !by_dual {
            return self.linear(self.skin(skin, 4), &slots, flags & 4 != 0, rest);
        }
        assert!(flags & 1 != 0, "the skin has dual quaternions");
        let at_rest = rest.position;
        let rest = match flags & 2 != 0 {
            true => self.linear(self.skin(skin, 6), &slots, true, rest),
            false => rest,
        };
        let reference = self.word(self.mesh(mesh, 11) + 4 * vertex);
        self.dual(skin, reference, &slots, at_rest, rest)
    }
}
