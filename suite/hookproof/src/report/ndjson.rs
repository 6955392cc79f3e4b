//! The report as NDJSON: one event a line, as things happen. `start`, then `case`…, then `rule`…, `posture`…, `skip`…, and `end`.

use super::{Again, Report, brief};
use crate::{
    baseline::Misfit,
    playable::depth_name,
    run::Tally,
    verdict::{CaseResult, Verdict},
};
use hookproof_contract::{
    Rule,
    message::{Depth, Hello},
};
use serde_json::{Map, Value, json};
use std::io::{self, Write};

/// The report.
pub struct Ndjson<'a> {
    out: &'a mut dyn Write,
    again: Again,
}

impl<'a> Ndjson<'a> {
    /// Begins the report.
    ///
    /// # Errors
    ///
    /// When it cannot be written.
    pub fn begin(out: &'a mut dyn Write, hello: &Hello, depth: Depth, again: Again) -> io::Result<Self> {
        let start = json!({
            "type": "start",
            "suite": env!("CARGO_PKG_VERSION"),
            "candidate": hello.candidate,
            "revision": hello.revision,
            "depth": depth_name(depth),
        });
        writeln!(out, "{start}")?;
        Ok(Ndjson { out, again })
    }
}

impl Report for Ndjson<'_> {
    fn case(&mut self, result: CaseResult) -> io::Result<()> {
        let mut event = Map::new();
        event.insert("type".to_owned(), json!("case"));
        event.insert("name".to_owned(), json!(result.name));
        event.insert("verdict".to_owned(), json!(result.verdict));
        if let Some(why) = &result.why {
            event.insert("why".to_owned(), json!(why));
        }
        if result.held > 0 {
            event.insert("held".to_owned(), json!(result.held));
        }
        if result.is_known {
            event.insert("known".to_owned(), json!(true));
        }
        if result.verdict.is_bad() {
            event.insert("about".to_owned(), json!(result.about));
            event.insert("misses".to_owned(), json!(result.misses));
            event.insert("case".to_owned(), brief::value(&result.case));
            event.insert("outcomes".to_owned(), json!(result.outcomes));
            event.insert("stderr".to_owned(), json!(result.stderr));
            event.insert("replay".to_owned(), json!(self.again.line(&result.replay)));
        }
        writeln!(self.out, "{}", Value::Object(event))
    }

    fn baseline(&mut self, known: usize, misfits: &[Misfit]) -> io::Result<()> {
        for misfit in misfits {
            let (kind, name) = match misfit {
                Misfit::Unknown(name) => ("unknown", name),
                Misfit::Stale(name) => ("stale", name),
                Misfit::Otherwise(name, ..) => ("otherwise", name),
            };
            let event = json!({"type": "misfit", "kind": kind, "name": name, "what": misfit.to_string()});
            writeln!(self.out, "{event}")?;
        }
        writeln!(self.out, "{}", json!({"type": "baseline", "known": known, "misfits": misfits.len()}))
    }

    fn end(&mut self, tally: &Tally) -> io::Result<()> {
        for rule in Rule::all() {
            let counts = tally.rules[rule.id.index()];
            if counts.held + counts.broken > 0 {
                let mut event = json!({"type": "rule", "id": rule.id, "held": counts.held, "broken": counts.broken});
                if let Some(harm) = counts.harm {
                    event["cases"] = json!(counts.cases);
                    event["harm"] = json!(harm);
                }
                writeln!(self.out, "{event}")?;
            }
        }
        for (point, shown) in tally.observed.points() {
            let fits: Vec<&str> = shown.fits.iter().map(|i| point.readings()[usize::from(*i)]).collect();
            let contradiction = shown.contradiction.as_ref().map(|(a, b)| [a, b]);
            writeln!(
                self.out,
                "{}",
                json!({"type": "posture", "point": point, "fits": fits, "contradiction": contradiction})
            )?;
        }
        for case in &tally.observed.unexplained {
            writeln!(self.out, "{}", json!({"type": "unexplained", "case": case}))?;
        }
        for (reason, count) in &tally.skips {
            writeln!(self.out, "{}", json!({"type": "skip", "reason": reason.to_string(), "cases": count}))?;
        }
        let verdicts: Map<String, Value> =
            Verdict::ALL.iter().map(|v| (v.name().replace(' ', "_"), json!(tally.count(*v)))).collect();
        let scope = super::counts::scope(tally);
        let parts: Map<String, Value> = super::counts::parts(tally)
            .iter()
            .map(|p| {
                let (cases, rules) = (
                    json!({"all": p.cases, "played": p.played, "passed": p.passed}),
                    json!({"scored": p.rules, "checked": p.checked, "broken": p.broken}),
                );
                (p.profile.name().to_owned(), json!({"cases": cases, "rules": rules}))
            })
            .collect();
        let end = json!({
            "type": "end",
            "verdicts": verdicts,
            "cases": {"all": tally.total(), "played": tally.played()},
            "rules": {"in_scope": scope.all, "checked": scope.checked, "broken": scope.broken},
            "profiles": parts,
            "claims": tally.claims,
            "stopped": tally.stopped,
            "notes": tally.notes,
            "trouble": tally.trouble.as_ref().map(|t| json!({"what": t.what, "detail": t.detail, "stderr": t.stderr})),
        });
        writeln!(self.out, "{end}")?;
        self.out.flush()
    }
}
