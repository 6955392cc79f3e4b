//! What the call goes on with, and what is told of it: the input, the reasons, the context.

use super::{Bearing, Call, Opinion, Wish};
use crate::{
    chapters::{
        contest,
        envelope::{self, one_of},
    },
    claims::Claims,
    voice::Ended,
};
use hookproof_contract::{Audience, Fate, Manner, Must, RuleId, Slot, Surface, reading, rule};
use serde_json::Value;

impl Call<'_, '_> {
    /// The input with which the call goes on, or is asked about. `fate` is what is certain of the call.
    pub(super) fn input(&self, fate: Option<Fate>, claims: &mut Claims) {
        if self.scene.is_stopped() {
            return;
        }
        let proposed = self.opinions.iter().filter(|o| o.input.is_some()).count();
        if self.wish == Wish::Defer {
            if fate == Some(Fate::Deferred) && proposed == 1 && self.winners().any(|o| o.input.is_some()) {
                claims.set(Slot::ToolInput, Must::Absent, rule!("PRETOOL-INPUT-04"), &[]);
            }
            return;
        }
        let inputs = self.inputs();
        // A call whose course the replaced input decides goes on or is asked about where somebody can be asked.
        let goes_on = match self.wish {
            Wish::Nothing if self.is_rewritten(&inputs) => {
                self.can_prompt()
                    && !self.scene.session.permissions.changed
                    && self.scene.firing.otherwise != Fate::Prevented
                    && matches!(self.permission(&inputs), Some(Bearing::None | Bearing::Ask))
            }
            _ => matches!(fate, Some(Fate::Proceeds | Fate::Asked)),
        };
        if goes_on {
            self.replaced(&inputs, claims);
        }
    }

    fn replaced(&self, inputs: &[&Value], claims: &mut Claims) {
        let own = self.own_input();
        let rule = match self.wish {
            Wish::Ask => rule!("PRETOOL-INPUT-08"),
            Wish::Allow if self.comes_again() => rule!("DEFER-08"),
            _ => rule!("PRETOOL-INPUT-01"),
        };
        let slot = Slot::ToolInput;
        match inputs {
            // What is not there cannot have been replaced, unless a replacement was proposed and dropped.
            [only] if *only == own => {
                let proposed: Vec<&Value> = self.opinions.iter().filter_map(|o| o.input).collect();
                if !proposed.is_empty() && !proposed.contains(&own) {
                    claims.set(slot, Must::Absent, self.dropped_rule(), &[]);
                }
            }
            [only] => {
                let by = self.opinions.iter().find(|o| o.input.is_some()).map_or(rule, |o| o.voice.by(rule));
                claims.set(slot, Must::Be((*only).clone()), by, &[]);
            }
            several if several.contains(&own) => {}
            several => {
                claims.set(slot, Must::BeOneOf(several.iter().map(|v| (*v).clone()).collect()), rule, &[]);
                contest::set(self.scene, contest::INPUTS, slot, &self.proposals(), rule, claims);
            }
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

    /// Why the call was denied, is asked about, or is allowed.
    pub(super) fn reasons(&self, claims: &mut Claims) {
        if self.scene.is_over() {
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
            // Whether the result of a hook that defers counts in other runs is not said.
            let counts = opinion.wish != Wish::Defer || self.scene.session.case.host.surface == Surface::Print;
            if opinion.wish == self.wish && counts {
                envelope::logged(text, rule, claims);
            }
        }
    }

    fn reasons_to_ask(&self, texts: &[&str], claims: &mut Claims) {
        let host = &self.scene.session.case.host;
        let inputs = self.inputs();
        if self.permission(&inputs) != Some(Bearing::None) || self.scene.firing.otherwise == Fate::Prevented {
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

    /// Additional context goes with the result of the call: where it is not certain that there is one, nothing is.
    pub(super) fn context(&self, fate: Option<Fate>, claims: &mut Claims) {
        for opinion in &self.opinions {
            let Some(text) = opinion.voice.context() else { continue };
            let says_defer = opinion.voice.object().and_then(|o| o.text("permissionDecision")) == Some("defer");
            if says_defer && opinion.voice.end == Ended::Two {
                // Whether a decision that exit 2 outweighs still makes its context ignored is not said.
                continue;
            }
            if opinion.wish == Wish::Defer || opinion.unheeded.is_some() {
                let rule = if opinion.unheeded == Some(rule!("DEFER-02")) {
                    rule!("DEFER-02")
                } else {
                    rule!("PRETOOL-CTX-02")
                };
                claims.keep_from(Audience::Model, text, rule);
                continue;
            }
            if self.scene.is_over() || (self.wish != Wish::Deny && fate != Some(Fate::Proceeds)) {
                continue;
            }
            if self.wish == Wish::Deny && self.scene.oracle().is(reading!("A-184", "not delivered")) {
                claims.keep_from(Audience::Model, text, rule!("PRETOOL-CTX-01"));
                continue;
            }
            envelope::context(self.scene, opinion.voice, text, rule!("PRETOOL-CTX-01"), claims);
        }
    }
}
