//! What becomes of the call.

use super::{BLOCKING, Bearing, Call, Opinion, Wish};
use crate::{
    claims::Claims,
    session,
    voice::{Ended, Word},
};
use hookproof_contract::{Fact, Fate, Must, Place, RuleId, Surface, reading, rule};
use serde_json::Value;

/// What is certain of the fate, and by which rule; nothing where the contract does not decide it.
type Decided = Option<(Fate, RuleId)>;

impl Call<'_, '_> {
    /// Claims what is certain of the fate, and says what it is.
    pub(super) fn fate(&self, claims: &mut Claims) -> Option<Fate> {
        if self.wish == Wish::Ask && self.may_be_denied() {
            let either = vec![Value::from("asked"), Value::from("prevented")];
            let unconfined =
                self.tool() == "Bash" && self.scene.session.case.host.facts.contains(&Fact::WithoutSandbox);
            let by = if unconfined { rule!("PRETOOL-ASK-02B") } else { rule!("PRETOOL-ASK-02") };
            claims.claim(Place::Fate, Must::BeOneOf(either), by, &[rule!("PRETOOL-OUT-05")]);
            return None;
        }
        let (fate, rule) = self.decided()?;
        claims.fate(fate, rule, &[]);
        Some(fate)
    }

    fn decided(&self) -> Decided {
        let host = &self.scene.session.case.host;
        let defers = self.opinions.iter().any(|o| o.wish == Wish::Defer);
        if defers && self.wish == Wish::Deny && self.winners().all(Opinion::is_only_judged) {
            return None;
        }
        if defers && host.surface != Surface::Print {
            // Whether an SDK or a background session counts as `-p` is not said; a deny wins over a defer as over none.
            let denied = self.wish == Wish::Deny && !self.scene.is_stopped();
            return denied.then(|| (Fate::Prevented, self.denying_rule()));
        }
        if self.scene.is_stopped() {
            return self.beside_a_stop();
        }
        if self.wish == Wish::Deny {
            return Some((Fate::Prevented, self.denying_rule()));
        }
        let inputs = self.inputs();
        let permission = self.permission(&inputs)?;
        match self.wish {
            Wish::Deny => None,
            // What becomes of a deferred call that a rule denies or wants asked is not said.
            Wish::Defer if permission != Bearing::None => None,
            Wish::Defer if self.comes_again() => Some((Fate::Deferred, rule!("DEFER-09"))),
            Wish::Defer => Some((Fate::Deferred, self.winning_rule())),
            Wish::Ask => self.asked(permission),
            Wish::Allow => self.allowed(permission, &inputs),
            Wish::Nothing => self.undecided(permission, &inputs),
        }
    }

    fn denying_rule(&self) -> RuleId {
        match self.scene.session.permissions.mode.unwrap_or("default") {
            _ if self.winning_rule() != BLOCKING.json => self.winning_rule(),
            "default" => BLOCKING.json,
            "auto" => rule!("PRETOOL-ASK-03"),
            _ => rule!("PRETOOL-06"),
        }
    }

    /// Beside `continue: false` only the force of exit 2, and what no hook touched, is certain.
    fn beside_a_stop(&self) -> Decided {
        if self.opinions.iter().any(|o| o.voice.end == Ended::Two) {
            return Some((Fate::Prevented, rule!("EXIT-GEN-04")));
        }
        let untouched = self.opinions.iter().all(|o| o.wish >= Wish::Allow && o.input.is_none());
        if !untouched || self.scene.firing.otherwise != Fate::Proceeds || self.permission(&[]) != Some(Bearing::None) {
            return None;
        }
        let happens = self.scene.oracle().is(reading!("A-54", "happens"));
        Some((if happens { Fate::Proceeds } else { Fate::Prevented }, rule!("JSON-CONT-01")))
    }

    /// Whether the classifier of auto mode may deny what a hook wants asked.
    fn may_be_denied(&self) -> bool {
        let host = &self.scene.session.case.host;
        !self.scene.is_stopped()
            && (host.surface, host.permission_mode.as_str()) == (Surface::Terminal, "auto")
            && self.scene.firing.otherwise != Fate::Prevented
            && matches!(self.permission(&self.inputs()), Some(Bearing::None | Bearing::Ask))
    }

    /// Whether a permission prompt can be shown, in a mode in which it is. Of a subagent's call that is not said.
    pub(super) fn can_prompt(&self) -> bool {
        let host = &self.scene.session.case.host;
        match host.surface {
            _ if session::is_of_a_subagent(self.scene.firing) => false,
            Surface::Terminal => matches!(host.permission_mode.as_str(), "default" | "acceptEdits"),
            Surface::Print | Surface::Sdk => host.permission_host && host.permission_mode == "default",
            Surface::Background => false,
        }
    }

    fn asked(&self, permission: Bearing) -> Decided {
        if permission == Bearing::Deny {
            return Some((Fate::Prevented, rule!("PRETOOL-OUT-07")));
        }
        if self.scene.firing.otherwise == Fate::Prevented {
            return None;
        }
        let host = &self.scene.session.case.host;
        if host.surface == Surface::Print && !host.permission_host && host.permission_mode == "default" {
            // Nobody can answer.
            return Some((Fate::Prevented, rule!("PRETOOL-REASON-02")));
        }
        self.can_prompt().then(|| (Fate::Asked, self.winning_rule()))
    }

    fn allowed(&self, permission: Bearing, inputs: &[&Value]) -> Decided {
        let marked = self.scene.session.case.host.facts.contains(&Fact::RequiresInteraction);
        if marked && !self.tool().starts_with("mcp__") {
            // Only a server can mark a tool so.
            return None;
        }
        let rewritten = self.is_rewritten(inputs);
        let otherwise = self.scene.firing.otherwise;
        let lifted = otherwise == Fate::Prevented && self.own_bearing() == Some(Bearing::Deny) && rewritten;
        let in_default_mode = self.scene.session.case.host.permission_mode == "default";
        match permission {
            Bearing::Deny if rewritten => return Some((Fate::Prevented, rule!("PRETOOL-INPUT-02"))),
            Bearing::Deny => return Some((Fate::Prevented, rule!("PRETOOL-OUT-07"))),
            // What else prevents the call, and whether anybody can be asked then, is not said.
            Bearing::Ask if otherwise == Fate::Prevented && !lifted => return None,
            Bearing::Ask if self.can_prompt() && in_default_mode => {
                return Some((
                    Fate::Asked,
                    if rewritten { rule!("PRETOOL-INPUT-02") } else { rule!("PRETOOL-ALLOW-02") },
                ));
            }
            Bearing::Ask => return None,
            Bearing::None => {}
        }
        let replaced = self.winners().any(|o| o.input.is_some());
        if self.needs_an_answer() && replaced && !self.is_answered(inputs) {
            // A replacement that holds no answer is not what the text speaks of.
            return None;
        }
        if let Some(rule) = self.held_back() {
            return (otherwise == Fate::Asked && self.can_prompt()).then_some((Fate::Asked, rule));
        }
        let mode = self.scene.session.case.host.permission_mode.as_str();
        let skips = matches!(mode, "default" | "acceptEdits" | "auto" | "bypassPermissions");
        if !skips || (otherwise == Fate::Prevented && !lifted) {
            return None;
        }
        let rule = match () {
            () if self.comes_again() && rewritten => rule!("DEFER-08"),
            () if self.winning_rule() != rule!("PRETOOL-OUT-01") => self.winning_rule(),
            () if lifted || self.own_bearing() == Some(Bearing::Ask) => rule!("PRETOOL-INPUT-02"),
            () if rewritten && self.needs_an_answer() => rule!("PRETOOL-UI-02"),
            () if rewritten => rule!("PRETOOL-INPUT-03"),
            () => rule!("PRETOOL-OUT-01"),
        };
        Some((Fate::Proceeds, rule))
    }

    /// Whether every input that the call may go on with holds the user's answer, as far as its form shows.
    fn is_answered(&self, inputs: &[&Value]) -> bool {
        inputs.iter().all(|input| match self.tool() {
            "AskUserQuestion" => input.get("answers").is_some_and(Value::is_object),
            _ => input.get("plan").is_some_and(Value::is_string),
        })
    }

    /// Why `allow` does not skip the prompt of this call, if it does not.
    fn held_back(&self) -> Option<RuleId> {
        let facts = &self.scene.session.case.host.facts;
        let answered = self.winners().any(|o| o.input.is_some());
        match () {
            () if facts.contains(&Fact::RequiresInteraction) => Some(rule!("PRETOOL-UI-04")),
            () if facts.contains(&Fact::NoModeApproves) => Some(rule!("PRETOOL-OUT-02")),
            () if self.needs_an_answer() && !answered => Some(rule!("PRETOOL-OUT-03")),
            () => None,
        }
    }

    fn undecided(&self, permission: Bearing, inputs: &[&Value]) -> Decided {
        if self.is_rewritten(inputs) || inputs.len() > 1 {
            return (permission == Bearing::Deny).then_some((Fate::Prevented, rule!("PRETOOL-INPUT-02")));
        }
        let consents = self.opinions.iter().any(|o| o.voice.word == Word::Consents);
        if consents && self.scene.firing.otherwise != Fate::Proceeds && permission != Bearing::Deny {
            // Whether to have no objection is to allow the call, so that nobody is asked, is not said.
            return None;
        }
        let unheeded = self.opinions.iter().find_map(|o| o.unheeded);
        Some((self.scene.firing.otherwise, unheeded.unwrap_or_else(|| self.scene.silence())))
    }
}
