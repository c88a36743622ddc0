//! Programs that use a graphics processor.

use std::cmp::Reverse;
use std::collections::BTreeMap;

use rulecheck::{Reading, Reason};

use crate::facts::{Facts, Fields};
use crate::told::{self, Told};

/// What is said of one program that uses a graphics processor.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UserReading {
    /// The program's number.
    pub id: u32,
    /// Its name.
    pub name: Told<String>,
    /// The place of the graphics processor on the bus.
    pub bus: Option<String>,
    /// The memory of the graphics processor that it holds.
    pub memory: Told<u64>,
}

impl UserReading {
    /// Programs of which nothing is known but that there may be some, and why.
    #[must_use]
    pub fn untold(bus: Option<String>, reason: &Reason) -> Self {
        Self { id: 0, name: Err(reason.clone()), bus, memory: Err(reason.clone()) }
    }
}

/// As many programs as are worth naming.
const NAMED: usize = 16;

/// The facts of the programs that use a graphics processor: those of one name on one card together, the largest first.
#[must_use]
pub fn user_facts(users: Result<Vec<UserReading>, Reason>) -> Facts {
    Facts::record("gpu-program", users.map(|users| together(once(users)).iter().map(fields).take(NAMED).collect()))
}

/// A program that both computes and draws is told twice, by the same number.
fn once(users: Vec<UserReading>) -> Vec<UserReading> {
    let mut found = BTreeMap::<(u32, Option<String>), UserReading>::new();
    let mut untold = Vec::new();
    for user in users {
        if user.id == 0 {
            untold.push(user);
            continue;
        }
        let known = found.entry((user.id, user.bus.clone())).or_insert_with(|| user.clone());
        known.memory = larger(&known.memory, &user.memory);
    }
    found.into_values().chain(untold).collect()
}

fn larger(one: &Told<u64>, other: &Told<u64>) -> Told<u64> {
    match (one, other) {
        (Ok(one), Ok(other)) => Ok(*one.max(other)),
        (Ok(told), Err(_)) | (Err(_), Ok(told)) => Ok(*told),
        (Err(reason), Err(_)) => Err(reason.clone()),
    }
}

/// Those of one name count together, as browsers have many. What cannot be told comes last.
fn together(users: Vec<UserReading>) -> Vec<UserReading> {
    let mut sums: Vec<UserReading> = Vec::new();
    for user in users {
        match sums.iter_mut().find(|sum| sum.name.is_ok() && sum.name == user.name && sum.bus == user.bus) {
            Some(sum) => sum.memory = added(&sum.memory, &user.memory),
            None => sums.push(user),
        }
    }
    let known = |user: &UserReading| user.memory.as_ref().ok().copied().flatten();
    let name = |user: &UserReading| user.name.as_ref().ok().cloned().flatten();
    sums.sort_by_key(|user| (user.name.is_err(), Reverse(known(user)), name(user), user.bus.clone()));
    sums
}

fn added(one: &Told<u64>, other: &Told<u64>) -> Told<u64> {
    match (one, other) {
        (Ok(Some(one)), Ok(Some(other))) => Ok(Some(one.saturating_add(*other))),
        (Err(reason), _) | (_, Err(reason)) => Err(reason.clone()),
        (Ok(None), told) | (told, Ok(None)) => told.clone(),
    }
}

fn fields(user: &UserReading) -> Fields {
    // Of programs that nobody may see nobody knows what they use.
    let bus =
        user.name.as_ref().map(|_| user.bus.clone()).or_else(|reason| user.bus.clone().map(Some).ok_or(reason.clone()));
    let fields: [(&str, Reading); 3] = [
        ("gpu-program.name", told::text(&user.name)),
        ("gpu-program.bus", told::text(&bus)),
        ("gpu-program.vram", told::size(&user.memory)),
    ];
    fields.into_iter().map(|(name, reading)| (name.to_owned(), reading)).collect()
}
