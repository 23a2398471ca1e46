//! What a program has beside its code: layout, constants, runs, tables, pauses, partitions, sortings, routines.

use super::{Seen, Verifier, must};
use crate::machine::program::{Asks, HEADER, Otherwise, Partition, Routine, StatePlace};

/// Bytes that a block can have, with room for what lies behind its end: an offset is a number of 32 bits with a sign.
const MOST_BYTES: usize = i32::MAX as usize / 2;

/// Seats that a mask of winners has room for.
const MOST_PLAYERS: u32 = 16;

impl Verifier<'_> {
    pub(super) fn parts(&self) -> Seen {
        let draft = self.draft;
        self.layout()?;
        self.tables()?;
        for &(first, count) in &draft.runs {
            Self::in_a_row(first, usize::from(count), || format!("run of slots from {first}"))?;
        }
        must(draft.players <= MOST_PLAYERS, || "players".to_owned(), "there are too many")?;
        self.target(draft.begin, || "begin".to_owned())?;
        self.pauses()?;
        for (number, choice) in draft.choices.iter().enumerate() {
            let place = || format!("choice {number}");
            let pause = draft.pauses.get(usize::from(choice.pause)).map(|pause| pause.asks);
            must(pause.is_some_and(|asks| asks == player(number)), place, "its pause is another's")?;
            self.target(choice.every, place)?;
            match choice.otherwise {
                Otherwise::Must(trouble) => self.trouble(trouble, place)?,
                Otherwise::Pass(go) | Otherwise::PassIfNothing(go) | Otherwise::Skip(go) => self.target(go, place)?,
            }
        }
        self.chances()?;
        for (number, region) in draft.regions.iter().enumerate() {
            self.region(region, &|| format!("partition {number}"))?;
        }
        for (number, sorting) in draft.sortings.iter().enumerate() {
            for &column in sorting.columns.iter().chain(&sorting.keys) {
                self.written_run(column, 1, || format!("sorting {number}"))?;
            }
        }
        for routine in draft.routines() {
            self.routine(routine)?;
        }
        if let Some(winner) = draft.winner {
            self.target(winner, || "winner".to_owned())?;
        }
        let sorted = draft.spans.is_sorted_by_key(|(from, _)| *from);
        must(sorted, || "spans".to_owned(), "they are not in order")?;
        let tested = draft.tests.iter().all(|test| test.code.end as usize <= draft.code.len());
        must(tested, || "tests".to_owned(), "they lie outside of the code")
    }

    /// States lie one behind the other between the header and what the flow keeps.
    fn layout(&self) -> Seen {
        let draft = self.draft;
        let whole = (HEADER.max(16)..=MOST_BYTES).contains(&draft.bytes);
        must(whole && draft.bytes.is_multiple_of(16), || "block".to_owned(), "it has no such size")?;
        must(
            (HEADER..=draft.bytes).contains(&draft.flow),
            || "block".to_owned(),
            "what the flow keeps lies outside of it",
        )?;
        let mut end = HEADER as u64;
        for state in &draft.layout {
            let place = || format!("state {:?} at byte {}", state.state, state.first);
            must(matches!(state.cell.width, 1 | 2 | 4 | 8), place, "no unit has so many bytes")?;
            must(u64::from(state.first) >= end, place, "it lies in the header or in another state")?;
            let size = u64::from(state.count) * u64::from(state.cell.units) * u64::from(state.cell.width);
            end = u64::from(state.first).saturating_add(size);
            must(end <= draft.flow as u64, place, "it ends behind what states have room for")?;
            must(numbered_within(state), place, "an element lies outside of it")?;
            let values = state.cell.width > 1 || state.values.is_none_or(|values| values <= 256);
            must(values, place, "a byte has not so many values")?;
        }
        Ok(())
    }

    /// Tables lie one behind the other.
    fn tables(&self) -> Seen {
        let mut end = 0_u64;
        for &(first, count) in &self.draft.table_runs {
            let place = || format!("table from {first}");
            must(u64::from(first) == end, place, "it does not begin where the one before ends")?;
            end += u64::from(count);
        }
        must(end == self.draft.tables.len() as u64, || "tables".to_owned(), "they do not end with the last one")
    }

    fn pauses(&self) -> Seen {
        let draft = self.draft;
        must(draft.pauses.len() < usize::from(u16::MAX), || "pauses".to_owned(), "there are too many")?;
        for (number, pause) in draft.pauses.iter().enumerate() {
            let place = || format!("pause {}", number + 1);
            let own = match pause.asks {
                Asks::Player(choice) => draft.choices.get(usize::from(choice)).map(|choice| choice.pause),
                Asks::Chance(chance) => draft.chances.get(usize::from(chance)).map(|chance| chance.pause),
            };
            must(own.map(usize::from) == Some(number), place, "nobody is asked there")?;
            for &(from, to) in &pause.clear {
                let kept = draft.flow <= from as usize && from <= to && to as usize <= draft.bytes;
                must(kept, place, "it clears what the flow does not keep")?;
            }
        }
        Ok(())
    }

    fn chances(&self) -> Seen {
        let draft = self.draft;
        for (number, chance) in draft.chances.iter().enumerate() {
            let place = || format!("chance {number}");
            let pause = draft.pauses.get(usize::from(chance.pause)).map(|pause| pause.asks);
            let own = u16::try_from(number).ok().map(Asks::Chance);
            must(pause.is_some() && pause == own, place, "its pause is another's")?;
            for target in [chance.indices, chance.every, chance.test, chance.resume] {
                self.target(target, place)?;
            }
            self.written(chance.value, place)?;
            self.trouble(chance.nothing, place)?;
            let last = i64::try_from(chance.size).ok().and_then(|size| chance.low.checked_add(size));
            must(chance.size == u64::MAX || last.is_some(), place, "its values are no numbers")?;
        }
        Ok(())
    }

    fn region(&self, region: &Partition, place: &dyn Fn() -> String) -> Seen {
        let members = usize::from(region.members);
        self.target(region.work_out, place)?;
        self.written_run(region.groups, members, place)?;
        for &(from, to) in &region.made_of {
            let of_states = HEADER <= from as usize && from <= to && to as usize <= self.draft.flow;
            must(of_states, place, "it is made of bytes that are not those of states")?;
        }
        if let Some((entry, slot)) = region.one_more {
            self.target(entry, place)?;
            self.written(slot, place)?;
            let each = |&(from, to): &(u32, u32)| members > 0 && ((to - from) as usize).is_multiple_of(members);
            must(region.made_of.iter().all(each), place, "its bytes are not those of its members")?;
        }
        Ok(())
    }

    fn routine(&self, routine: &Routine) -> Seen {
        let place = || format!("routine at {}", routine.entry);
        self.target(routine.entry, place)?;
        routine.seat.map_or(Ok(()), |seat| self.written(seat, place))
    }
}

fn player(number: usize) -> Asks {
    Asks::Player(u16::try_from(number).unwrap_or(u16::MAX))
}

/// Does every combination of indices lead to an element?
fn numbered_within(state: &StatePlace) -> bool {
    let (mut combinations, mut last) = (1_u64, 0_u64);
    for &(size, step) in &state.steps {
        combinations = combinations.saturating_mul(u64::from(size));
        last = last.saturating_add(u64::from(size.saturating_sub(1)) * u64::from(step));
    }
    state.count == 0 || combinations == u64::from(state.count) && last < u64::from(state.count)
}
