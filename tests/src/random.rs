//! Numbers that look random and are the same in every run.

/// A generator (SplitMix64); its seed is its state.
#[derive(Debug, Clone)]
pub struct Random(u64);

impl Random {
    /// A generator of this seed.
    #[must_use]
    pub const fn new(seed: u64) -> Self {
        Self(seed)
    }

    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    /// A number below `limit`; 0 for 0.
    pub fn below(&mut self, limit: usize) -> usize {
        usize::try_from(self.next() % (limit.max(1) as u64)).unwrap_or(0)
    }

    /// True in so many of a hundred cases.
    pub fn chance(&mut self, percent: usize) -> bool {
        self.below(100) < percent
    }

    /// One of these; the default of nothing.
    pub fn pick<T: Copy + Default>(&mut self, from: &[T]) -> T {
        from.get(self.below(from.len())).copied().unwrap_or_default()
    }
}
