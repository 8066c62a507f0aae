//! Inputs that differ a little from known ones.

/// Numbers that look random and are the same in each run (`SplitMix64`).
pub struct Dice(u64);

impl Dice {
    /// Dice that begin with this number.
    pub const fn new(seed: u64) -> Self {
        Self(seed)
    }

    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mixed = (self.0 ^ self.0 >> 30).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        let mixed = (mixed ^ mixed >> 27).wrapping_mul(0x94D0_49BB_1331_11EB);
        mixed ^ mixed >> 31
    }

    /// A number below this one, which is not zero.
    fn below(&mut self, end: usize) -> usize {
        usize::try_from(self.next() % end as u64).expect("it is below a usize")
    }

    fn pick<'a, T>(&mut self, all: &'a [T]) -> &'a T {
        &all[self.below(all.len())]
    }

    /// A place in the input, its end included.
    fn place(&mut self, input: &[u8]) -> usize {
        self.below(input.len() + 1)
    }

    /// A part of the input, more often a short one.
    fn part(&mut self, input: &[u8]) -> (usize, usize) {
        let start = self.place(input);
        let most = (input.len() - start).min(1 << self.below(12));
        (start, start + self.below(most + 1))
    }
}

/// Texts that mean something to decoders.
const WORDS: [&str; 32] = [
    "\0",
    "\n",
    "\r\n",
    "\"",
    "\\",
    "\\u0000",
    "\\ud800",
    "{",
    "}",
    "[",
    "]",
    ":",
    ",",
    "null",
    "true",
    "-0",
    "1e400",
    "9223372036854775808",
    "0.1",
    "%00",
    "%ff",
    "%",
    "+",
    "&",
    "=",
    "..",
    "\u{202e}",
    "é",
    "𝄞",
    "--",
    "<",
    "'",
];

/// Bytes at the ends of ranges.
const BYTES: [u8; 8] = [0, 1, 0x7F, 0x80, 0xFF, b'0', b' ', b'/'];

/// A mutation of one input of the corpus, some with parts of another.
pub fn mutate(corpus: &[Vec<u8>], dice: &mut Dice) -> Vec<u8> {
    let mut input = dice.pick(corpus).clone();
    for _ in 0..=dice.below(4) {
        change(&mut input, corpus, dice);
    }
    input
}

fn change(input: &mut Vec<u8>, corpus: &[Vec<u8>], dice: &mut Dice) {
    let (start, end) = dice.part(input);
    match dice.below(7) {
        0 if !input.is_empty() => {
            let place = dice.below(input.len());
            input[place] ^= 1 << dice.below(8);
        }
        1 if !input.is_empty() => {
            let place = dice.below(input.len());
            input[place] = *dice.pick(&BYTES);
        }
        2 => drop(input.drain(start..end)),
        3 => {
            let part = input[start..end].to_vec();
            let place = dice.place(input);
            input.splice(place..place, part);
        }
        4 => {
            let other = dice.pick(corpus);
            let (from, to) = dice.part(other);
            input.splice(start..end, other[from..to].iter().copied());
        }
        5 => {
            let part = input[start..end].to_vec();
            let times = 1 << dice.below(8);
            input.splice(end..end, part.repeat(times));
        }
        _ => {
            let word = dice.pick(&WORDS);
            input.splice(start..end, word.bytes());
        }
    }
}
