//! What a person wrote into a case file must follow from the model: a `then` that nobody looks at would be a wish.

use hookproof_contract::{Case, CaseFile, Claim, Readings, Revision, WhatHappens, judge::implies, read::Flaw};
use hookproof_model::expect;

/// Checks every claim of a file that somebody else wrote. A case that the model does not cover has nothing to compare with.
///
/// # Errors
///
/// Names the first claim that does not follow, with what is demanded in its place.
pub fn check(file: &CaseFile) -> Result<(), Flaw> {
    for (number, (_, case, then)) in file.variants()?.iter().enumerate() {
        let Ok(expectation) = expect(Revision::NEWEST, &Readings::default(), case) else { continue };
        let place = match number {
            0 => "/then".to_owned(),
            n => format!("/but/{}/then", n - 1),
        };
        for (i, claim) in then.iter().enumerate().filter(|(_, c)| c.rule.holds_at(Revision::NEWEST)) {
            check_claim(claim, case, &expectation.claims).map_err(|what| Flaw::at(format!("{place}/{i}"), what))?;
        }
    }
    Ok(())
}

fn check_claim(claim: &Claim, case: &Case, demanded: &[Claim]) -> Result<(), String> {
    for moment in case.moments().filter(|m| claim.covers(m.number)) {
        if claim.steps.is_none() && matches!(moment.what, WhatHappens::Happens(_)) {
            continue;
        }
        let here = |c: &&Claim| c.covers(moment.number) && c.at == claim.at && c.of == claim.of;
        if demanded.iter().filter(here).any(|c| implies(c, claim)) {
            continue;
        }
        let instead: Vec<String> =
            demanded.iter().filter(here).map(|c| format!("{} ({})", crate::words::demand(&c.must), c.rule)).collect();
        let instead = if instead.is_empty() { "nothing".to_owned() } else { instead.join("; ") };
        let wanted = crate::words::demand(&claim.must);
        return Err(format!(
            "step {}, {}: the contract does not demand {wanted}; what it demands there: {instead}",
            moment.number,
            crate::words::place(claim)
        ));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::check;
    use hookproof_contract::CaseFile;

    fn file(fate: &str) -> CaseFile {
        let text = r#"{"about":"x","rules":["EXIT-2-EV-PreToolUse"],
            "case":{"settings":[{"from":"user","settings":{"hooks":{"PreToolUse":[{"hooks":[{"type":"command","command":"g"}]}]}}}],
                    "results":{"g":{"end":{"exit":2}}},"steps":[{"fire":{"event":"PreToolUse","input":{"tool_name":"Bash"}}}]},
            "then":[{"at":"fate","must":{"be":"FATE"},"rule":"EXIT-2-EV-PreToolUse"}]}"#;
        CaseFile::read(&text.replace("FATE", fate)).expect("well-formed")
    }

    #[test]
    fn a_claim_that_does_not_follow_is_told_what_does() {
        assert_eq!(check(&file("prevented")), Ok(()));
        let flaw = check(&file("proceeds")).expect_err("it does not follow").to_string();
        assert_eq!(
            flaw,
            "at /then/0: step 0, fate: the contract does not demand proceeds; what it demands there: prevented (EXIT-2-EV-PreToolUse)"
        );
    }
}
