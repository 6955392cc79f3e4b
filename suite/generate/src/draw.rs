//! Choices made of bytes, canaries counted per case, and choices made of a seed.

use arbitrary::Unstructured;

/// The bytes that a case is made of, and how many canaries it holds so far.
pub(crate) struct Draw<'u, 'b> {
    bytes: &'u mut Unstructured<'b>,
    minted: u32,
}

impl<'u, 'b> Draw<'u, 'b> {
    pub(crate) fn new(bytes: &'u mut Unstructured<'b>) -> Self {
        Draw { bytes, minted: 0 }
    }

    /// The next byte; zero when there are none left.
    pub(crate) fn byte(&mut self) -> u8 {
        let mut one = [0];
        match self.bytes.fill_buffer(&mut one) {
            Ok(()) => one[0],
            Err(_) => 0,
        }
    }

    /// A number under `n`, which is at most 256.
    pub(crate) fn below(&mut self, n: usize) -> usize {
        (usize::from(self.byte()) * n) >> 8
    }

    /// Whether something happens that happens in so many of a hundred cases. Zeros say no.
    pub(crate) fn chance(&mut self, percent: usize) -> bool {
        usize::from(self.byte()) * 100 >= 256 * (100 - percent)
    }

    /// One of these; zeros pick the first.
    pub(crate) fn pick<T: Copy, const N: usize>(&mut self, items: &[T; N]) -> T {
        const { assert!(N > 0) };
        items[self.below(N)]
    }

    /// One of these, each as often as its weight says. The weights add up to 256 at most; zeros pick the first.
    pub(crate) fn weighted<T: Copy, const N: usize>(&mut self, items: &[(u8, T); N]) -> T {
        const { assert!(N > 0) };
        self.weighted_of(items.iter().copied()).unwrap_or(items[0].1)
    }

    /// One of these, each as often as its weight says, if there is any. The weights add up to 256 at most.
    pub(crate) fn weighted_of<T>(&mut self, items: impl Iterator<Item = (u8, T)> + Clone) -> Option<T> {
        let total = items.clone().map(|(weight, _)| usize::from(weight)).sum();
        let mut at = self.below(total);
        for (weight, item) in items {
            match at.checked_sub(usize::from(weight)) {
                Some(rest) => at = rest,
                None => return Some(item),
            }
        }
        None
    }

    /// How many canaries there are so far.
    pub(crate) fn minted(&self) -> u32 {
        self.minted
    }

    /// Writes a canary that this case does not hold yet: `CTX-04`, and from the hundredth on `CTXA-00`. No canary is the
    /// beginning of another, because numbers have a fixed width and a label ends at its hyphen.
    pub(crate) fn mint_into(&mut self, label: &str, out: &mut String) {
        let (series, number) = (self.minted / 100, self.minted % 100);
        self.minted += 1;
        out.push_str(label);
        let mut series = series;
        while series > 0 {
            out.push(char::from(b'A' + u8::try_from((series - 1) % 26).unwrap_or(0)));
            series = (series - 1) / 26;
        }
        out.push('-');
        for digit in [number / 10, number % 10] {
            out.push(char::from(b'0' + u8::try_from(digit).unwrap_or(0)));
        }
    }

    /// A canary as a string of its own.
    pub(crate) fn mint(&mut self, label: &str) -> String {
        let mut token = String::with_capacity(label.len() + 3);
        self.mint_into(label, &mut token);
        token
    }
}

/// The next number of the `SplitMix64` sequence.
pub(crate) fn split_mix(state: &mut u64) -> u64 {
    *state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let mut z = *state;
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

/// A number under `n`, which is not zero, by the next number of the sequence.
pub(crate) fn split_mix_below(state: &mut u64, n: usize) -> usize {
    usize::try_from(split_mix(state) % n as u64).unwrap_or(0)
}

/// Puts things in another order, by the sequence.
pub(crate) fn shuffle<T>(items: &mut [T], state: &mut u64) {
    for end in (1..items.len()).rev() {
        let at = split_mix_below(state, end + 1);
        items.swap(end, at);
    }
}

#[cfg(test)]
mod tests {
    use super::{Draw, split_mix};
    use arbitrary::Unstructured;

    #[test]
    fn zeros_and_nothing_are_the_simplest_answers() {
        let mut bytes = Unstructured::new(&[0]);
        let mut draw = Draw::new(&mut bytes);
        for _ in 0..3 {
            assert!(!draw.chance(99));
            assert_eq!(draw.pick(&["first", "second"]), "first");
            assert_eq!(draw.weighted(&[(1, 'a'), (255, 'b')]), 'a');
        }
    }

    #[test]
    fn the_highest_byte_reaches_the_last_answer() {
        let mut bytes = Unstructured::new(&[255; 4]);
        let mut draw = Draw::new(&mut bytes);
        assert!(draw.chance(1));
        assert_eq!(draw.pick(&[1, 2, 3]), 3);
        assert_eq!(draw.weighted(&[(250, 'a'), (1, 'b')]), 'b');
        assert_eq!(draw.below(7), 6);
    }

    #[test]
    fn no_canary_is_the_beginning_of_another() {
        let mut bytes = Unstructured::new(&[]);
        let mut draw = Draw::new(&mut bytes);
        let tokens: Vec<String> = (0..3000).map(|_| draw.mint("CTX")).collect();
        assert_eq!((tokens[4].as_str(), tokens[100].as_str()), ("CTX-04", "CTXA-00"));
        let mut sorted = tokens;
        sorted.sort();
        for pair in sorted.windows(2) {
            assert!(!pair[1].starts_with(&pair[0]), "{} begins {}", pair[0], pair[1]);
        }
    }

    #[test]
    fn the_sequence_is_the_published_one() {
        let mut state = 0;
        assert_eq!(split_mix(&mut state), 0xe220_a839_7b1d_cdaf);
    }
}
