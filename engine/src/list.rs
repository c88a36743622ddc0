//! Lists whose items may be made when they are first asked for, so that a ruleset from an image costs what a run uses of it.

use std::fmt;
use std::sync::{Arc, OnceLock};

/// A list; each of its items is there already, or is made when it is first asked for.
#[derive(Clone)]
pub struct List<T> {
    made: Vec<T>,
    /// In place of `made`.
    later: Option<Later<T>>,
}

#[derive(Clone)]
struct Later<T> {
    cells: Box<[OnceLock<Option<Box<T>>>]>,
    make: Make<T>,
}

/// Makes the item of an index.
type Make<T> = Arc<dyn Fn(usize) -> Option<T> + Send + Sync>;

impl<T> List<T> {
    /// A list of so many items. What `make` gives nothing for is left out.
    #[must_use]
    pub fn later(length: usize, make: impl Fn(usize) -> Option<T> + Send + Sync + 'static) -> Self {
        let cells = (0..length).map(|_| OnceLock::new()).collect();
        Self { made: Vec::new(), later: Some(Later { cells, make: Arc::new(make) }) }
    }

    /// How many items it has.
    #[must_use]
    pub fn len(&self) -> usize {
        self.later.as_ref().map_or(self.made.len(), |later| later.cells.len())
    }

    /// Whether it has none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// An item.
    #[must_use]
    pub fn get(&self, index: usize) -> Option<&T> {
        match &self.later {
            None => self.made.get(index),
            Some(Later { cells, make }) => cells.get(index)?.get_or_init(|| make(index).map(Box::new)).as_deref(),
        }
    }

    /// All items in order.
    pub fn iter(&self) -> impl DoubleEndedIterator<Item = &T> + Clone {
        (0..self.len()).filter_map(|index| self.get(index))
    }

    /// The items, all made, to be changed.
    pub(crate) fn made(&mut self) -> &mut Vec<T> {
        if let Some(Later { mut cells, make }) = self.later.take() {
            let own = |(index, cell): (usize, &mut OnceLock<Option<Box<T>>>)| match cell.take() {
                Some(item) => item.map(|item| *item),
                None => make(index),
            };
            self.made = cells.iter_mut().enumerate().filter_map(own).collect();
        }
        &mut self.made
    }

    pub(crate) fn push(&mut self, item: T) {
        self.made().push(item);
    }

    pub(crate) fn get_mut(&mut self, index: usize) -> Option<&mut T> {
        self.made().get_mut(index)
    }
}

impl<T> Default for List<T> {
    fn default() -> Self {
        Vec::new().into()
    }
}

impl<T> From<Vec<T>> for List<T> {
    fn from(items: Vec<T>) -> Self {
        Self { made: items, later: None }
    }
}

impl<T> FromIterator<T> for List<T> {
    fn from_iter<I: IntoIterator<Item = T>>(items: I) -> Self {
        items.into_iter().collect::<Vec<_>>().into()
    }
}

impl<T: fmt::Debug> fmt::Debug for List<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.iter()).finish()
    }
}

#[cfg(test)]
impl<T> std::ops::Index<usize> for List<T> {
    type Output = T;

    fn index(&self, index: usize) -> &T {
        self.get(index).unwrap()
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicUsize, Ordering};

    use super::*;

    #[test]
    fn an_item_is_made_once_and_when_it_is_asked_for() {
        static MADE: AtomicUsize = AtomicUsize::new(0);
        let mut list = List::later(3, |index| {
            MADE.fetch_add(1, Ordering::Relaxed);
            (index != 1).then_some(index * 10)
        });
        assert_eq!((list.len(), MADE.load(Ordering::Relaxed)), (3, 0));
        assert_eq!((list.get(2), list.get(2), list.get(3)), (Some(&20), Some(&20), None));
        assert_eq!(MADE.load(Ordering::Relaxed), 1);
        list.push(30);
        assert_eq!(list.iter().rev().copied().collect::<Vec<_>>(), [30, 20, 0]);
    }
}
