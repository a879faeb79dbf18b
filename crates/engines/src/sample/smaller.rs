//! Inputs smaller than one that shows something, one at a time, in the terms of the board.
//!
//! ```text
//! rager, owl (ward), rager, relic │ choices 3 1 4      rager, relic?  rager, owl?  …  owl without ward?  …
//! ```
//!
//! First entities are left out, many at once and then fewer; then everything is made as plain as it
//! can be (the value that a place has if nothing is said, the first one, one nearer to it); then
//! choices are left out, or the first alternative taken. Whoever asks says of each input whether it is
//! [kept](Smaller::keep); all of it is gone through again until nothing of it is kept.
//!
//! *Guarantees.* No input is longer than the one before that was kept, and of the same length only
//! with a place that is plainer; so it ends.

use super::form::{Form, RECORD_HEAD};

/// Where the search for smaller inputs stands.
#[derive(Debug, Clone)]
pub struct Smaller {
    best: Vec<u8>,
    stage: Stage,
    /// Something was kept since the first stage began.
    better: bool,
    /// The input that was given last.
    tried: Option<Vec<u8>>,
}

#[derive(Debug, Clone)]
enum Stage {
    /// Leaves out so many entities from one on.
    Entities { together: usize, first: usize },
    /// Puts other bytes into these places: the rest of what is to be tried, last first.
    Values(Vec<Place>),
    /// Leaves out the last so many choices.
    Length(usize),
    /// Leaves out the choice before this byte, or takes the first alternative.
    Choice { end: usize, remove: bool },
    /// Nothing is left to try.
    Done,
}

/// What is made plainer at once.
#[derive(Debug, Clone)]
enum Place {
    /// The bytes from one on, by these.
    Whole(usize, Vec<u8>),
    /// One byte: its plain value, and how many tries there were.
    One { at: usize, plain: u8, tries: usize },
}

impl Smaller {
    /// Than an input.
    pub fn new(input: &[u8]) -> Self {
        Self {
            best: input.to_vec(),
            stage: Stage::Entities {
                together: usize::MAX,
                first: 0,
            },
            better: false,
            tried: None,
        }
    }

    /// The last input that was kept.
    pub fn best(&self) -> &[u8] {
        &self.best
    }

    /// The next input to try; the one before is not kept. `None`: there is no more.
    pub fn next(&mut self, form: &Form) -> Option<Vec<u8>> {
        if self.tried.take().is_some() {
            self.pass();
        }
        loop {
            if matches!(self.stage, Stage::Done) {
                return None;
            }
            match self.candidate(form) {
                Some(input) if input != self.best => {
                    self.tried = Some(input.clone());
                    return Some(input);
                }
                Some(_) => self.pass(),
                None => self.stage = self.following(form),
            }
        }
    }

    /// Keeps the last input that was given.
    pub fn keep(&mut self) {
        let Some(tried) = self.tried.take() else {
            return;
        };
        self.best = tried;
        self.better = true;
        match &mut self.stage {
            // The next entities have moved up to where these were.
            Stage::Entities { .. } | Stage::Done => {}
            Stage::Values(places) => {
                places.pop();
            }
            Stage::Length(length) => *length = (*length).min(self.best.len()),
            Stage::Choice { end, remove } => {
                (*end, *remove) = (*end - 1, true);
            }
        }
    }

    /// Goes on to what is tried after an input that is not kept.
    fn pass(&mut self) {
        match &mut self.stage {
            Stage::Entities { together, first } => *first = first.saturating_add(*together),
            Stage::Values(places) => {
                if let Some(Place::One { tries, .. }) = places.last_mut() {
                    *tries += 1;
                } else {
                    places.pop();
                }
            }
            Stage::Length(length) => *length /= 2,
            Stage::Choice { end, remove } => {
                if *remove {
                    *remove = false;
                } else {
                    (*end, *remove) = (*end - 1, true);
                }
            }
            Stage::Done => {}
        }
    }

    /// What the stage tries next; `None`: it is over.
    fn candidate(&mut self, form: &Form) -> Option<Vec<u8>> {
        let (records, end) = form.records(&self.best);
        let schedule = (end + 1).min(self.best.len());
        let mut input = self.best.clone();
        match &mut self.stage {
            Stage::Entities { together, first } => {
                *together = (*together).min(records.len().max(1));
                if *first >= records.len() && *together > 1 {
                    (*together, *first) = (together.div_ceil(2), 0);
                }
                let &start = records.get(*first)?;
                let after = records.get(*first + *together).copied().unwrap_or(end);
                input.drain(start.min(after)..after);
            }
            Stage::Values(places) => loop {
                match places.last()? {
                    Place::Whole(first, plain) => {
                        let rest = input.iter_mut().skip(*first);
                        rest.zip(plain).for_each(|(held, &byte)| *held = byte);
                        break;
                    }
                    Place::One { at, plain, tries } => {
                        if let Some(byte) = plainer(input[*at], *plain, *tries) {
                            input[*at] = byte;
                            break;
                        }
                        places.pop();
                    }
                }
            },
            Stage::Length(length) => {
                *length = (*length).min(input.len() - schedule);
                if *length == 0 {
                    return None;
                }
                input.truncate(input.len() - *length);
            }
            Stage::Choice { end, remove } => {
                *end = (*end).min(input.len());
                if *end <= schedule {
                    return None;
                }
                if *remove {
                    input.remove(*end - 1);
                } else {
                    input[*end - 1] = 0;
                }
            }
            Stage::Done => return None,
        }
        Some(input)
    }

    /// The stage after this one.
    fn following(&mut self, form: &Form) -> Stage {
        match self.stage {
            Stage::Entities { .. } => Stage::Values(places(form, &self.best)),
            Stage::Values(_) => Stage::Length(usize::MAX),
            Stage::Length(_) => Stage::Choice {
                end: usize::MAX,
                remove: true,
            },
            Stage::Choice { .. } if self.better => {
                self.better = false;
                Stage::Entities {
                    together: usize::MAX,
                    first: 0,
                }
            }
            Stage::Choice { .. } | Stage::Done => Stage::Done,
        }
    }
}

/// What can be made plainer, the last first: the readings and variables, then each entity, whole and
/// place by place.
fn places(form: &Form, input: &[u8]) -> Vec<Place> {
    let mut places = Vec::new();
    let one = |at, plain| {
        let tries = 0;
        (at < input.len()).then_some(Place::One { at, plain, tries })
    };
    let vars = form.plain_vars();
    for at in 1..form.first_record {
        let plain = at.checked_sub(form.first_var);
        let plain = plain.and_then(|at| vars.get(at)).copied().unwrap_or(0);
        places.extend(one(at, plain));
    }
    let (records, _) = form.records(input);
    for record in records {
        let plain = form.plain_fields(form.sort_of(input[record]));
        let first = record + RECORD_HEAD;
        places.push(Place::Whole(first, plain.clone()));
        places.extend(one(record + 1, 0));
        for (at, &byte) in plain.iter().enumerate() {
            places.extend(one(first + at, byte));
        }
    }
    places.reverse();
    places
}

/// A try for a place: the plain value, the first, then one nearer to the first; `None`: there are no
/// more.
fn plainer(now: u8, plain: u8, tries: usize) -> Option<u8> {
    if now == plain {
        return None;
    }
    let all = [plain, 0, now / 2, now.saturating_sub(1)].into_iter();
    all.filter(|&byte| byte == plain || byte < now).nth(tries)
}
