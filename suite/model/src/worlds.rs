//! From a case to its expectation: the case is played in every world, and what all worlds demand is separated from the rest.

use crate::{
    absence, chapters,
    claims::{Claims, draw_together},
    contradiction::contradiction,
    oracle::{Oracle, next_world},
    session::Session,
    table,
};
use hookproof_contract::{Case, Claim, Expectation, Reading, Readings, Revision, WhatHappens, World};
use std::fmt;

/// The most worlds that a case may have; a case that asks more should be split.
pub const MOST_WORLDS: usize = 64;

/// Why a case has no expectation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unsupported {
    /// The step that the model does not cover, if it is one step's fault.
    pub step: Option<usize>,
    /// What is not covered.
    pub what: String,
}

impl fmt::Display for Unsupported {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(step) = self.step {
            write!(f, "step {step}: ")?;
        }
        f.write_str(&self.what)
    }
}

impl std::error::Error for Unsupported {}

/// What the contract demands of a runtime in this case. `declared` are readings that the candidate says it follows: they bind.
///
/// # Errors
///
/// When the case has an event or a handler that the model does not cover, or touches too many open points at once.
pub fn expect(revision: Revision, declared: &Readings, case: &Case) -> Result<Expectation, Unsupported> {
    for moment in case.moments() {
        let WhatHappens::Fires(firing) = moment.what else { continue };
        let what = match table::row(firing.event) {
            None => Some(format!("the model does not cover {} yet", firing.event)),
            Some(row) => contradiction(&case.host, row, firing),
        };
        if let Some(what) = what {
            return Err(Unsupported { step: Some(moment.number), what });
        }
    }
    let mut worlds: Vec<(Vec<Reading>, Vec<Claim>)> = Vec::new();
    let mut laid_down = Some(Vec::new());
    while let Some(answers) = laid_down {
        if worlds.len() == MOST_WORLDS {
            let what =
                format!("the case touches so many open points that it has more than {MOST_WORLDS} worlds: split it");
            return Err(Unsupported { step: None, what });
        }
        let oracle = Oracle::new(revision, declared, answers);
        let claims = play(case, &oracle)?;
        let answers = oracle.into_answers();
        laid_down = next_world(answers.clone(), declared);
        worlds.push((answers, claims));
    }
    let mut expectation = sort_out(worlds);
    absence::only_what_can_be_told_apart(&mut expectation, case);
    Ok(expectation)
}

fn play(case: &Case, oracle: &Oracle<'_>) -> Result<Vec<Claim>, Unsupported> {
    let mut session = Session::new(case, oracle);
    let mut claims = Claims::new(oracle.revision, case);
    for moment in case.moments() {
        claims.step = moment.number;
        match moment.what {
            WhatHappens::Fires(firing) => {
                chapters::fire(&mut session, firing, &mut claims)
                    .map_err(|what| Unsupported { step: Some(moment.number), what })?;
                session.has_fired(firing);
            }
            WhatHappens::Happens(happening) => {
                session.happens(happening);
                session.pending.happens(happening, &mut claims);
            }
        }
    }
    Ok(claims.into_made())
}

/// What is demanded in every world is common; the rest stays with its world.
fn sort_out(mut worlds: Vec<(Vec<Reading>, Vec<Claim>)>) -> Expectation {
    if worlds.len() == 1 {
        let claims = worlds.pop().map(|(_, claims)| claims).unwrap_or_default();
        return Expectation { claims: draw_together(claims), worlds: Vec::new() };
    }
    let (first, others) = worlds.split_at(1);
    // Where all worlds demand the same by different rules, the rule of the default readings is named.
    let everywhere = |claim: &&Claim| others.iter().all(|(_, claims)| claims.iter().any(|c| is_same_demand(c, claim)));
    let common: Vec<Claim> = first[0].1.iter().filter(everywhere).cloned().collect();
    let worlds = worlds.into_iter().map(|(readings, mut claims)| {
        claims.retain(|claim| !common.iter().any(|c| is_same_demand(c, claim)));
        World { readings: readings.into_iter().collect(), claims: draw_together(claims) }
    });
    Expectation { worlds: worlds.collect(), claims: draw_together(common) }
}

fn is_same_demand(a: &Claim, b: &Claim) -> bool {
    a.at == b.at && a.steps == b.steps && a.of == b.of && a.path == b.path && a.must == b.must
}

#[cfg(test)]
mod tests {
    use super::Unsupported;

    #[test]
    fn what_is_not_covered_is_told_with_its_step() {
        let what = "the model does not cover it".to_owned();
        assert_eq!(
            Unsupported { step: Some(2), what: what.clone() }.to_string(),
            "step 2: the model does not cover it"
        );
        assert_eq!(Unsupported { step: None, what }.to_string(), "the model does not cover it");
    }
}
