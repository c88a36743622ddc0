//! The name somebody probably meant.

/// Words longer than this are not compared: nobody mistypes them, they are pasted.
const LONGEST: usize = 64;

/// The candidate that `word` is most likely a slip of: the one with the fewest changed, missing, added or swapped
/// letters, case ignored; of equals the first by name. None where the word has fewer than 3 letters, or where a
/// third of it or more would have to change.
#[must_use]
pub fn nearest<'a>(word: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let letters = letters(word);
    if letters.len() < 3 || letters.len() > LONGEST {
        return None;
    }
    let allowed = letters.len().div_ceil(3).min(3);
    candidates
        .into_iter()
        .filter(|it| it.len() <= 4 * LONGEST)
        .filter_map(|it| {
            let other = self::letters(it);
            let gap = other.len().abs_diff(letters.len());
            let distance = (gap <= allowed).then(|| distance(&letters, &other))?;
            (distance <= allowed).then_some((distance, it))
        })
        .min()
        .map(|(_, it)| it)
}

fn letters(word: &str) -> Vec<char> {
    word.chars().flat_map(char::to_lowercase).collect()
}

/// The number of single-letter edits and swaps of neighbours between two words.
fn distance(a: &[char], b: &[char]) -> usize {
    let mut before_last = vec![0; b.len() + 1];
    let mut last: Vec<usize> = (0..=b.len()).collect();
    for (i, &x) in a.iter().enumerate() {
        let mut row = vec![i + 1];
        for (j, &y) in b.iter().enumerate() {
            let get = |row: &[usize], at: usize| row.get(at).copied().unwrap_or(usize::MAX / 2);
            let mut best = (get(&last, j + 1) + 1).min(get(&row, j) + 1).min(get(&last, j) + usize::from(x != y));
            let swapped = i > 0 && j > 0 && a.get(i - 1) == Some(&y) && b.get(j - 1) == Some(&x);
            if swapped {
                best = best.min(get(&before_last, j - 1) + 1);
            }
            row.push(best);
        }
        before_last = std::mem::replace(&mut last, row);
    }
    last.last().copied().unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::nearest;

    #[test]
    fn offers_the_closest_and_of_equals_the_first_by_name() {
        assert_eq!(nearest("probelm", ["problem", "probe"]), Some("problem"));
        assert_eq!(nearest("Problem", ["problem"]), Some("problem"));
        assert_eq!(nearest("facr", ["fact", "face"]), Some("face"));
    }

    #[test]
    fn offers_nothing_for_short_or_strange_words() {
        assert_eq!(nearest("fx", ["fix"]), None);
        assert_eq!(nearest("banana", ["fix", "fact"]), None);
        assert_eq!(nearest(&"x".repeat(1 << 20), ["fix"]), None);
    }
}
