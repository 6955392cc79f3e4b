//! A file of the corpus: a case with the claims that a person wrote for it, from the contract's text.

use crate::{
    Case, Claim, RuleId,
    read::{self, Flaw},
};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};

/// A file of the corpus. Only `case` ever leaves the harness; the model must imply every line of `then`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct CaseFile {
    /// One sentence.
    pub about: String,
    /// Every rule that `then` and the near-misses name.
    pub rules: Vec<RuleId>,
    /// The public reports that it restates.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub seen_in: Vec<String>,
    /// What a candidate is given.
    pub case: Case,
    /// What the contract demands.
    pub then: Vec<Claim>,
    /// The same case but for one thing.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub but: Vec<NearMiss>,
}

/// The same case but for the one thing that the rule speaks of.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct NearMiss {
    /// One sentence: what is different, and what follows.
    pub about: String,
    /// JSON pointers into `case`, with the value to put there.
    pub change: BTreeMap<String, Value>,
    /// What the contract demands then.
    pub then: Vec<Claim>,
}

/// A case of a file: its sentence, the case, and the claims that were written for it.
pub type Variant<'f> = (&'f str, Case, &'f [Claim]);

impl CaseFile {
    /// Reads a case file and checks what its types cannot say: that claims have a possible form and speak of steps that
    /// there are, that near-misses can be made, and that `rules` lists what is named.
    ///
    /// # Errors
    ///
    /// Names the first pointer that is wrong, with what is allowed there.
    pub fn read(text: &str) -> Result<CaseFile, Flaw> {
        let value = read::value(text)?;
        let file: CaseFile = read::typed(&value)?;
        check_claims(&file.then, &file.case).map_err(|f| f.under("/then"))?;
        for (i, near) in file.but.iter().enumerate() {
            let case = near.apply(&value["case"]).map_err(|f| f.under(&format!("/but/{i}/change")))?;
            check_claims(&near.then, &case).map_err(|f| f.under(&format!("/but/{i}/then")))?;
        }
        file.check_rules()?;
        Ok(file)
    }

    /// The cases of the file, each with its sentence and its claims: the case itself, then its near-misses.
    ///
    /// # Errors
    ///
    /// When a near-miss cannot be made; [`CaseFile::read`] has proven that it can.
    pub fn variants(&self) -> Result<Vec<Variant<'_>>, Flaw> {
        let base = serde_json::to_value(&self.case).map_err(|e| Flaw::at("/case", e))?;
        let mut all = vec![(self.about.as_str(), self.case.clone(), self.then.as_slice())];
        for near in &self.but {
            all.push((near.about.as_str(), near.apply(&base)?, near.then.as_slice()));
        }
        Ok(all)
    }

    fn check_rules(&self) -> Result<(), Flaw> {
        let listed: BTreeSet<RuleId> = self.rules.iter().copied().collect();
        let claims = self.then.iter().chain(self.but.iter().flat_map(|near| &near.then));
        let named: BTreeSet<RuleId> = claims.map(|claim| claim.rule).collect();
        if let Some(rule) = named.difference(&listed).next() {
            return Err(Flaw::at("/rules", format_args!("a claim names `{rule}`, which must be listed here")));
        }
        if let Some(rule) = listed.difference(&named).next() {
            return Err(Flaw::at("/rules", format_args!("`{rule}` is listed, but no claim names it")));
        }
        if listed.len() != self.rules.len() {
            return Err(Flaw::at("/rules", "a rule is listed twice"));
        }
        Ok(())
    }
}

impl NearMiss {
    fn apply(&self, case: &Value) -> Result<Case, Flaw> {
        let mut changed = case.clone();
        for (pointer, new) in &self.change {
            read::put(&mut changed, pointer, new.clone())?;
        }
        if changed == *case {
            return Err(Flaw::at("", "nothing is changed: a near-miss differs in one thing"));
        }
        read::typed(&changed)
    }
}

fn check_claims(claims: &[Claim], case: &Case) -> Result<(), Flaw> {
    let count = case.moments_count();
    for (i, claim) in claims.iter().enumerate() {
        claim.check_form().map_err(|e| Flaw::at(format!("/{i}"), e))?;
        if let Some([_, last]) = claim.steps.filter(|[_, last]| *last >= count) {
            return Err(Flaw::at(
                format!("/{i}/steps"),
                format_args!("there is no step {last}: the case has {count}, counted from 0"),
            ));
        }
        if claims[..i].contains(claim) {
            return Err(Flaw::at(format!("/{i}"), "the same claim stands twice"));
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::CaseFile;

    fn file(then: &str, but: &str) -> String {
        format!(
            r#"{{"about":"x","rules":["PRETOOL-OUT-08"],
               "case":{{"settings":[],"results":{{"g":{{"end":{{"exit":2}}}}}},"steps":[{{"fire":{{"event":"PreToolUse"}}}}]}},
               "then":[{then}],"but":[{but}]}}"#
        )
    }

    const CLAIM: &str = r#"{"at":"fate","must":{"be":"prevented"},"rule":"PRETOOL-OUT-08"}"#;

    #[test]
    fn near_misses_become_cases_of_their_own() {
        let but = r#"{"about":"y","change":{"/results/g/end/exit":1,"/host":{"surface":"print"}},"then":[]}"#;
        let read = CaseFile::read(&file(CLAIM, but)).expect("well-formed");
        let variants = read.variants().expect("they were checked");
        assert_eq!(variants.len(), 2);
        assert_eq!(variants[1].1.results["g"].end, crate::End::Exit(1));
    }

    #[test]
    fn what_types_cannot_say_is_checked_too() {
        let late = CLAIM.replace(r#""at""#, r#""steps":[0,1],"at""#);
        let misplaced = CLAIM.replace("fate", "ran");
        let unlisted = CLAIM.replace("PRETOOL-OUT-08", "EXIT-2-01");
        for (json, shown) in [
            (file(&late, ""), "at /then/0/steps: there is no step 1: the case has 1, counted from 0"),
            (file(&misplaced, ""), "at /then/0: at `ran` the demand must be one of run_exactly"),
            (file(&format!("{CLAIM},{CLAIM}"), ""), "at /then/1: the same claim stands twice"),
            (file(&unlisted, ""), "at /rules: a claim names `EXIT-2-01`, which must be listed here"),
            (file("", ""), "at /rules: `PRETOOL-OUT-08` is listed, but no claim names it"),
            (
                file(CLAIM, r#"{"about":"y","change":{"/nowhere/x":1},"then":[]}"#),
                "at /but/0/change/nowhere/x: the pointer leads nowhere",
            ),
            (
                file(CLAIM, r#"{"about":"y","change":{"/results/g/end/exit":"1"},"then":[]}"#),
                "at /but/0/change/results/g/end/exit: invalid type: string",
            ),
            (file(CLAIM, r#"{"about":"y","change":{},"then":[]}"#), "nothing is changed"),
            (
                file(CLAIM, r#"{"about":"y","change":{"results/g":{}},"then":[]}"#),
                "at /but/0/change: `results/g` is no JSON pointer: it must begin with `/`",
            ),
            (
                file(&CLAIM.replace("PRETOOL-OUT-08", "PRETOOL-OUT-8"), ""),
                "at /then/0/rule: unknown rule `PRETOOL-OUT-8`; did you mean",
            ),
        ] {
            let flaw = CaseFile::read(&json).expect_err(shown).to_string();
            assert!(flaw.contains(shown), "wanted: {shown}\n  gave: {flaw}");
        }
    }
}
