//! Damage that is the same in every run: bytes, numbers and lengths that lie, pieces that are
//! missing, doubled or from another file.

use rand::rngs::StdRng;
use rand::{Rng as _, SeedableRng as _};

/// A damaged form of `seed`; `number` says which.
pub(crate) fn damaged(seed: &[u8], others: &[&[u8]], number: u64) -> Vec<u8> {
    let mut random = StdRng::seed_from_u64(number);
    let mut bytes = seed.to_vec();
    for _ in 0..random.gen_range(1..6) {
        if bytes.is_empty() {
            break;
        }
        let at = random.gen_range(0..bytes.len());
        match random.gen_range(0..8) {
            0 | 1 => bytes[at] = random.r#gen(),
            2 => bytes[at] ^= 1 << random.gen_range(0..8),
            3 | 4 => lie(&mut bytes, at, &mut random),
            5 => bytes.truncate(at),
            6 => {
                let end = (at + random.gen_range(1..64)).min(bytes.len());
                let piece = bytes[at..end].to_vec();
                bytes.splice(at..at, piece);
            }
            _ => {
                let other = others[random.gen_range(0..others.len())];
                let from = random.gen_range(0..other.len().max(1)).min(other.len());
                let end = (from + random.gen_range(1..256)).min(other.len());
                bytes.splice(at..at, other[from..end].iter().copied());
            }
        }
    }
    bytes
}

/// A number in the place of another, of a width that formats use.
fn lie(bytes: &mut [u8], at: usize, random: &mut StdRng) {
    let length = bytes.len() as u64;
    let numbers = [0, 1, 0x7f, 0xff, 0xffff, 1 << 31, u64::from(u32::MAX), u64::MAX, u64::MAX - 7];
    let near = [length, length - 1, length + 1, length / 2];
    let all: Vec<u64> = numbers.into_iter().chain(near).collect();
    let number = all[random.gen_range(0..all.len())].to_le_bytes();
    let width = [1, 2, 4, 8][random.gen_range(0..4)];
    let end = (at + width).min(bytes.len());
    let count = end - at;
    bytes[at..end].copy_from_slice(&number[..count]);
}
