//! PreToolUse (chapters *tools* and *defer*, and the precedence of decisions).

use super::{
    Scene,
    blocking::{self, JsonBlock},
    envelope::{self, one_of},
};
use crate::{
    claims::{Claims, head},
    read::schema::Decision,
    session::Deferral,
    voice::{Ended, Voice},
};
use hookproof_contract::{
    Audience, Fact, Fate, Manner, Must, Permissions, Place, RuleId, Say, Slot, Surface, Text, reading, rule,
};
use serde_json::Value;

/// What one hook wants done with the call, from the strongest to the weakest.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Wish {
    Deny,
    Defer,
    Ask,
    Allow,
    Nothing,
}

/// One hook's wish, with what goes with it.
struct Opinion<'v> {
    voice: &'v Voice<'v>,
    wish: Wish,
    /// By which rule the wish counts.
    rule: RuleId,
    /// The reason, and the rule by which it is the message.
    reason: Option<(&'v str, RuleId)>,
    /// Stderr that is not the message, since JSON gave the reason.
    displaced: Option<&'v str>,
    input: Option<&'v Value>,
    /// A `defer` that is not honoured here, by this rule.
    unheeded: Option<RuleId>,
}

/// The rules for blocking a call.
const BLOCKING: blocking::Rules = blocking::Rules {
    exit_2: rule!("EXIT-2-EV-PreToolUse"),
    stderr: rule!("PRETOOL-OUT-08"),
    beside_json: rule!("EXIT-2-06"),
    json: rule!("PRETOOL-OUT-04"),
    reason: rule!("PRETOOL-REASON-03"),
};

pub(super) fn claims(scene: &mut Scene<'_, '_>, claims: &mut Claims) {
    let deferred = on_the_call(scene, claims);
    scene.session.deferred = if deferred { Deferral::PutOff } else { Deferral::None };
}

/// Makes the claims, and says whether the call was put off.
fn on_the_call(scene: &Scene<'_, '_>, claims: &mut Claims) -> bool {
    let opinions: Vec<Opinion<'_>> = scene.voices.iter().map(|voice| opinion(scene, voice)).collect();
    let wish = opinions.iter().map(|o| o.wish).min().unwrap_or(Wish::Nothing);
    let call = Call { scene, opinions, wish };
    call.fate(claims);
    call.input(claims);
    call.reasons(claims);
    call.context(claims);
    wish == Wish::Defer
}

fn opinion<'v>(scene: &Scene<'_, '_>, voice: &'v Voice<'v>) -> Opinion<'v> {
    let output = voice.object();
    let new = output.and_then(|o| o.text("permissionDecision"));
    let old = output.and_then(|o| o.decision);
    let legacy = old.is_some() && (new.is_none() || scene.oracle().is(reading!("A-75", "decision")));
    let wish = match (legacy, old, new) {
        (true, Some(Decision::Block), _) | (false, _, Some("deny")) => Wish::Deny,
        (true, Some(Decision::Approve), _) | (false, _, Some("allow")) => Wish::Allow,
        (false, _, Some("ask")) => Wish::Ask,
        (false, _, Some("defer")) => Wish::Defer,
        _ => Wish::Nothing,
    };
    let reason = output.and_then(|o| if legacy { o.reason.as_deref() } else { o.text("permissionDecisionReason") });
    let reason = reason.filter(|r| !r.trim().is_empty());
    let json = JsonBlock { reason, rule: legacy.then_some(rule!("PRETOOL-LEGACY-01")) };
    let input = output.and_then(|o| o.specific.get("updatedInput"));
    if let Some(block) = blocking::block(voice, (wish == Wish::Deny).then_some(&json), &BLOCKING, scene.oracle()) {
        let (rule, reason, displaced) = (block.rule, block.message, block.displaced);
        return Opinion { voice, wish: Wish::Deny, rule, reason, displaced, input, unheeded: None };
    }
    let (own, of_reason) = match wish {
        _ if legacy => (rule!("PRETOOL-LEGACY-01"), rule!("PRETOOL-LEGACY-01")),
        Wish::Allow => (rule!("PRETOOL-OUT-01"), rule!("PRETOOL-REASON-04")),
        Wish::Ask => (rule!("PRETOOL-OUT-05"), rule!("PRETOOL-REASON-01")),
        _ => (rule!("PRETOOL-OUT-06"), rule!("PRETOOL-REASON-04")),
    };
    let rule = voice.by(own);
    let unheeded = (wish == Wish::Defer).then(|| defer_is_unheeded(scene)).flatten();
    let wish = if unheeded.is_some() { Wish::Nothing } else { wish };
    Opinion { voice, wish, rule, reason: reason.map(|r| (r, of_reason)), displaced: None, input, unheeded }
}

/// Why a `defer` is not honoured, if it is not.
fn defer_is_unheeded(scene: &Scene<'_, '_>) -> Option<RuleId> {
    let host = &scene.session.case.host;
    match host.surface {
        Surface::Terminal => Some(rule!("DEFER-02")),
        _ if host.tool_calls_in_turn > 1 => Some(rule!("DEFER-11")),
        _ => None,
    }
}

/// How a permission rule of the host bears on an input.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Rule {
    Deny,
    Ask,
    None,
}

/// A tool call with all opinions on it.
struct Call<'s, 'v> {
    scene: &'s Scene<'s, 'v>,
    opinions: Vec<Opinion<'s>>,
    wish: Wish,
}

impl<'s> Call<'s, '_> {
    fn tool(&self) -> &str {
        self.scene.firing.input.get("tool_name").and_then(Value::as_str).unwrap_or_default()
    }

    /// The opinions that won.
    fn winners(&self) -> impl Iterator<Item = &Opinion<'s>> {
        self.opinions.iter().filter(|o| o.wish == self.wish)
    }

    /// The rule by which the winning wish won.
    fn winning_rule(&self) -> RuleId {
        let contested = self.opinions.iter().any(|o| o.wish != self.wish && o.wish != Wish::Nothing);
        let first = self.winners().next().map_or(rule!("CONFIG-NEST-03"), |o| o.rule);
        if contested { rule!("PREC-PRETOOL-01") } else { first }
    }

    /// The inputs with which the call may go on: what the model made, or what hooks made of it. Nothing where that is open.
    fn inputs(&self) -> Option<Vec<&Value>> {
        let own = self.scene.firing.input.get("tool_input").unwrap_or(&Value::Null);
        let oracle = self.scene.oracle();
        let mut proposed: Vec<&Value> = Vec::new();
        for opinion in &self.opinions {
            let Some(input) = opinion.input else { continue };
            let applies = match opinion.wish {
                _ if opinion.unheeded.is_some() => false,
                Wish::Nothing => oracle.is(reading!("A-74", "applies")),
                wish if wish == self.wish => true,
                _ => oracle.is(reading!("A-73", "applies")),
            };
            if applies && !proposed.contains(&input) {
                proposed.push(input);
            }
        }
        if proposed.is_empty() {
            proposed.push(own);
        }
        Some(proposed)
    }

    /// How the host's permission rules bear on every possible input; nothing where the inputs differ in it.
    fn permission(&self, inputs: &[&Value]) -> Option<Rule> {
        let permissions = &self.scene.session.case.host.permissions;
        let mut bearings = inputs.iter().map(|input| bearing(permissions, self.tool(), input));
        let first = bearings.next().unwrap_or(Some(Rule::None))?;
        bearings.all(|b| b == Some(first)).then_some(first)
    }

    fn fate(&self, claims: &mut Claims) {
        let scene = self.scene;
        let host = &scene.session.case.host;
        if self.opinions.iter().any(|o| matches!(o.wish, Wish::Defer)) && host.surface != Surface::Print {
            // Whether an SDK or a background session counts as `-p` is not said.
            return;
        }
        if scene.is_stopped() {
            return self.fate_when_stopped(claims);
        }
        if self.wish == Wish::Deny {
            let rule = match host.permission_mode.as_str() {
                _ if self.winning_rule() != BLOCKING.json => self.winning_rule(),
                "default" => BLOCKING.json,
                "auto" => rule!("PRETOOL-ASK-03"),
                _ => rule!("PRETOOL-06"),
            };
            return claims.fate(Fate::Prevented, rule, &[]);
        }
        let Some(inputs) = self.inputs() else { return };
        let Some(permission) = self.permission(&inputs) else {
            return;
        };
        match self.wish {
            Wish::Deny => {}
            Wish::Defer if permission == Rule::Deny => {}
            Wish::Defer if self.comes_again() => claims.fate(Fate::Deferred, rule!("DEFER-09"), &[]),
            Wish::Defer => claims.fate(Fate::Deferred, self.winning_rule(), &[]),
            Wish::Ask => self.fate_asked(permission, claims),
            Wish::Allow => self.fate_allowed(permission, &inputs, claims),
            Wish::Nothing => self.fate_undecided(permission, &inputs, claims),
        }
    }

    /// Beside `continue: false` only the force of exit 2, and what no hook touched, is certain.
    fn fate_when_stopped(&self, claims: &mut Claims) {
        if self.opinions.iter().any(|o| o.voice.end == Ended::Two) {
            return claims.fate(Fate::Prevented, rule!("EXIT-GEN-04"), &[]);
        }
        let untouched =
            self.opinions.iter().all(|o| matches!(o.wish, Wish::Nothing | Wish::Allow) && o.input.is_none());
        if untouched && self.scene.firing.otherwise == Fate::Proceeds && self.permission(&[]) == Some(Rule::None) {
            let happens = self.scene.oracle().is(reading!("A-54", "happens"));
            claims.fate(if happens { Fate::Proceeds } else { Fate::Prevented }, rule!("JSON-CONT-01"), &[]);
        }
    }

    fn fate_asked(&self, permission: Rule, claims: &mut Claims) {
        let host = &self.scene.session.case.host;
        if permission == Rule::Deny {
            return claims.fate(Fate::Prevented, rule!("PRETOOL-OUT-07"), &[]);
        }
        if self.scene.firing.otherwise == Fate::Prevented {
            return;
        }
        match (host.surface, host.permission_mode.as_str()) {
            (Surface::Terminal, "default" | "acceptEdits") => claims.fate(Fate::Asked, self.winning_rule(), &[]),
            (Surface::Print | Surface::Sdk, "default") if host.permission_host => {
                claims.fate(Fate::Asked, self.winning_rule(), &[]);
            }
            // The classifier may still deny, but not approve.
            (Surface::Terminal, "auto") => {
                let either = vec![Value::from("asked"), Value::from("prevented")];
                claims.claim(Place::Fate, Must::BeOneOf(either), rule!("PRETOOL-ASK-02"), &[rule!("PRETOOL-OUT-05")]);
            }
            // Nobody can answer: the call is denied, or its prompt never answered; it does not run.
            (Surface::Print, "default") => {
                let either = vec![Value::from("asked"), Value::from("prevented")];
                claims.claim(Place::Fate, Must::BeOneOf(either), self.winning_rule(), &[]);
            }
            _ => {}
        }
    }

    fn fate_allowed(&self, permission: Rule, inputs: &[&Value], claims: &mut Claims) {
        let host = &self.scene.session.case.host;
        let otherwise = self.scene.firing.otherwise;
        match permission {
            Rule::Deny => {
                let rule = if self.is_rewritten(inputs) { rule!("PRETOOL-INPUT-02") } else { rule!("PRETOOL-OUT-07") };
                return claims.fate(Fate::Prevented, rule, &[]);
            }
            Rule::Ask if host.surface == Surface::Terminal && host.permission_mode == "default" => {
                let rule =
                    if self.is_rewritten(inputs) { rule!("PRETOOL-INPUT-02") } else { rule!("PRETOOL-ALLOW-02") };
                return claims.fate(Fate::Asked, rule, &[rule!("PRETOOL-OUT-07")]);
            }
            Rule::Ask => return,
            Rule::None => {}
        }
        let rewritten = self.winners().any(|o| o.input.is_some());
        let held_back = match () {
            () if self.tool().starts_with("mcp__") && host.facts.contains(&Fact::RequiresInteraction) => {
                Some(rule!("PRETOOL-UI-04"))
            }
            () if host.facts.contains(&Fact::NoModeApproves) => Some(rule!("PRETOOL-OUT-02")),
            () if self.needs_an_answer() && !rewritten => Some(rule!("PRETOOL-OUT-03")),
            () => None,
        };
        if let Some(rule) = held_back {
            if otherwise == Fate::Asked {
                claims.fate(Fate::Asked, rule, &[]);
            }
            return;
        }
        let lifted = otherwise == Fate::Prevented && self.was_denied_by_a_rule() && self.is_rewritten(inputs);
        let skips = matches!(host.permission_mode.as_str(), "default" | "acceptEdits" | "auto" | "bypassPermissions");
        if !skips || (otherwise == Fate::Prevented && !lifted) {
            return;
        }
        let rule = match () {
            () if self.comes_again() && rewritten => rule!("DEFER-08"),
            () if self.winning_rule() != rule!("PRETOOL-OUT-01") => self.winning_rule(),
            () if lifted || self.was_asked_by_a_rule() => rule!("PRETOOL-INPUT-02"),
            () if rewritten && self.needs_an_answer() => rule!("PRETOOL-UI-02"),
            () if rewritten => rule!("PRETOOL-INPUT-03"),
            () => rule!("PRETOOL-OUT-01"),
        };
        claims.fate(Fate::Proceeds, rule, &[]);
    }

    fn fate_undecided(&self, permission: Rule, inputs: &[&Value], claims: &mut Claims) {
        if inputs.iter().any(|input| *input != self.own_input()) {
            if permission == Rule::Deny {
                claims.fate(Fate::Prevented, rule!("PRETOOL-INPUT-02"), &[]);
            }
            return;
        }
        let unheeded = self.opinions.iter().find_map(|o| o.unheeded);
        claims.fate(self.scene.firing.otherwise, unheeded.unwrap_or_else(|| self.scene.silence()), &[]);
    }

    /// Whether the call goes on with an input that the model did not make.
    fn is_rewritten(&self, inputs: &[&Value]) -> bool {
        !inputs.contains(&self.own_input())
    }

    /// Whether it was put off before, and the session was resumed.
    fn comes_again(&self) -> bool {
        self.scene.session.deferred == Deferral::Resumed
    }

    /// The tools that cannot run before the user has given an answer.
    fn needs_an_answer(&self) -> bool {
        matches!(self.tool(), "AskUserQuestion" | "ExitPlanMode")
    }

    fn own_input(&self) -> &Value {
        self.scene.firing.input.get("tool_input").unwrap_or(&Value::Null)
    }

    fn was_denied_by_a_rule(&self) -> bool {
        bearing(&self.scene.session.case.host.permissions, self.tool(), self.own_input()) == Some(Rule::Deny)
    }

    fn was_asked_by_a_rule(&self) -> bool {
        bearing(&self.scene.session.case.host.permissions, self.tool(), self.own_input()) == Some(Rule::Ask)
    }

    fn input(&self, claims: &mut Claims) {
        if self.scene.is_stopped() {
            return;
        }
        let slot = Slot::ToolInput;
        match self.wish {
            Wish::Defer if self.scene.session.case.host.surface == Surface::Print => {
                if self.winners().any(|o| o.input.is_some())
                    && self.opinions.iter().filter(|o| o.input.is_some()).count() == 1
                {
                    claims.set(slot, Must::Absent, rule!("PRETOOL-INPUT-04"), &[]);
                }
                return;
            }
            Wish::Deny | Wish::Defer => return,
            _ => {}
        }
        let Some(inputs) = self.inputs() else { return };
        // A call that a rule denies has no input any more.
        if !matches!(self.permission(&inputs), Some(Rule::None | Rule::Ask)) {
            return;
        }
        let own = self.own_input();
        let rule = match self.wish {
            Wish::Ask => rule!("PRETOOL-INPUT-08"),
            Wish::Allow if self.comes_again() => rule!("DEFER-08"),
            _ => rule!("PRETOOL-INPUT-01"),
        };
        let by_voice =
            |rule: RuleId| self.opinions.iter().find(|o| o.input.is_some()).map_or(rule, |o| o.voice.by(rule));
        match inputs.as_slice() {
            [only] if *only == own => {
                // What is not there cannot have been replaced; where a replacement was proposed and dropped, that is open.
                if self.opinions.iter().any(|o| o.input.is_some() && o.input != Some(own)) {
                    claims.set(slot, Must::Absent, self.dropped_rule(), &[]);
                }
            }
            [only] => claims.set(slot, Must::Be((*only).clone()), by_voice(rule), &[]),
            several if several.contains(&own) => {}
            several => claims.set(slot, Must::BeOneOf(several.iter().map(|v| (*v).clone()).collect()), rule, &[]),
        }
    }

    /// The rule by which a proposed input does not apply.
    fn dropped_rule(&self) -> RuleId {
        match self.opinions.iter().find_map(|o| o.unheeded) {
            Some(unheeded) if unheeded == rule!("DEFER-02") => unheeded,
            Some(_) => rule!("PRETOOL-INPUT-04"),
            None => rule!("PRETOOL-INPUT-01"),
        }
    }

    fn reasons(&self, claims: &mut Claims) {
        if self.scene.is_stopped() {
            return;
        }
        let winning: Vec<&Opinion<'_>> = self.winners().collect();
        let texts: Vec<&str> = winning.iter().filter_map(|o| o.reason.map(|(text, _)| text)).collect();
        let rule = winning.iter().find_map(|o| o.reason.map(|(_, rule)| rule));
        match self.wish {
            Wish::Deny => {
                if let Some(rule) = rule.filter(|_| texts.len() == winning.len()) {
                    one_of(Audience::Model, &texts, Manner::Refusal, rule, self.scene, claims);
                }
                if let [Opinion { displaced: Some(stderr), .. }] = winning.as_slice() {
                    claims.keep_from(Audience::Model, stderr, rule!("EXIT-2-05"));
                }
            }
            Wish::Ask => self.reasons_to_ask(&texts, claims),
            _ => {}
        }
        for opinion in self.opinions.iter().filter(|o| matches!(o.wish, Wish::Allow | Wish::Defer)) {
            let Some((text, rule)) = opinion.reason.filter(|(_, rule)| *rule == rule!("PRETOOL-REASON-04")) else {
                continue;
            };
            claims.keep_from(Audience::Model, text, rule);
            claims.keep_from(Audience::User, text, rule);
            if opinion.wish == self.wish {
                let logged = Say { parts: vec![Text::from(head(text))], ..Say::default() };
                claims.say(Audience::Debug, logged, rule, &[]);
            }
        }
    }

    fn reasons_to_ask(&self, texts: &[&str], claims: &mut Claims) {
        let host = &self.scene.session.case.host;
        let inputs = self.inputs().unwrap_or_default();
        if self.permission(&inputs) != Some(Rule::None) || self.scene.firing.otherwise == Fate::Prevented {
            return;
        }
        let winners: Vec<&Opinion<'_>> = self.winners().collect();
        if texts.len() == winners.len() && host.permission_mode == "default" {
            match host.surface {
                Surface::Terminal => one_of(
                    Audience::User,
                    texts,
                    Manner::Prompt,
                    winners[0].voice.by(rule!("PRETOOL-REASON-01")),
                    self.scene,
                    claims,
                ),
                Surface::Print if !host.permission_host => {
                    one_of(Audience::Model, texts, Manner::Refusal, rule!("PRETOOL-REASON-02"), self.scene, claims);
                }
                _ => {}
            }
        }
        if host.surface == Surface::Terminal && host.permission_mode == "default" {
            let label = winners[0].voice.handler.label();
            if winners.iter().all(|o| o.voice.handler.label() == label) {
                claims.set(Slot::PromptLabel, Must::Be(Value::from(&*label)), rule!("PRETOOL-ASK-01"), &[]);
            }
        }
    }

    fn context(&self, claims: &mut Claims) {
        for opinion in &self.opinions {
            let Some(text) =
                opinion.voice.object().and_then(|o| o.text("additionalContext")).filter(|t| !t.trim().is_empty())
            else {
                continue;
            };
            let deferring = opinion.voice.object().and_then(|o| o.text("permissionDecision")) == Some("defer");
            if deferring {
                let rule = if opinion.unheeded == Some(rule!("DEFER-02")) {
                    rule!("DEFER-02")
                } else {
                    rule!("PRETOOL-CTX-02")
                };
                claims.keep_from(Audience::Model, text, rule);
                continue;
            }
            if self.scene.is_stopped() || self.call_may_not_run() {
                continue;
            }
            if matches!(self.wish, Wish::Deny | Wish::Defer)
                && self.scene.oracle().is(reading!("A-57", "not delivered"))
            {
                claims.keep_from(Audience::Model, text, rule!("PRETOOL-CTX-01"));
                continue;
            }
            envelope::context(self.scene, opinion.voice, text, rule!("PRETOOL-CTX-01"), claims);
        }
    }

    /// Whether the call has no result yet, or none at all, for a reason that is not a hook's: then context has nothing to
    /// go with.
    fn call_may_not_run(&self) -> bool {
        let decided = matches!(self.wish, Wish::Deny | Wish::Defer);
        let goes_on = match self.wish {
            Wish::Allow => {
                !self.needs_an_answer()
                    && self.scene.session.case.host.facts.is_empty()
                    && self.scene.firing.otherwise != Fate::Prevented
            }
            Wish::Nothing => self.scene.firing.otherwise == Fate::Proceeds,
            _ => false,
        };
        let inputs = self.inputs().unwrap_or_default();
        !decided && (!goes_on || self.permission(&inputs) != Some(Rule::None))
    }
}

/// How permission rules bear on a call; nothing where a rule has a form that cases do not use.
fn bearing(permissions: &Permissions, tool: &str, input: &Value) -> Option<Rule> {
    let matches = |rules: &[String]| -> Option<bool> {
        let mut any = false;
        for rule in rules {
            any |= match rule.split_once('(') {
                None => rule == tool,
                Some((name, _)) if name != tool => false,
                Some((_, rest)) => {
                    let exact = rest.strip_suffix(')').filter(|c| !c.contains(['*', ':']))?;
                    let argument = input.get("command").or_else(|| input.get("file_path"))?;
                    argument == exact
                }
            };
        }
        Some(any)
    };
    let (deny, ask) = (matches(&permissions.deny)?, matches(&permissions.ask)?);
    Some(if deny {
        Rule::Deny
    } else if ask {
        Rule::Ask
    } else {
        Rule::None
    })
}
