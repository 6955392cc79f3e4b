//! UserPromptSubmit (chapter *prompt*).

use super::{
    Scene,
    blocking::{self, Block},
    contest,
    envelope::{self, one_of},
};
use crate::{
    claims::{Claims, parts},
    spill,
    voice::{Ended, Voice, Word},
};
use hookproof_contract::{Audience, Fate, Manner, Must, Place, RuleId, Say, Slot, Text, bare, canary, reading, rule};
use serde_json::Value;

const BLOCKING: blocking::Rules = blocking::Rules {
    exit_2: rule!("EXIT-2-EV-UserPromptSubmit"),
    stderr: rule!("PROMPTSUB-OUT-11"),
    beside_json: rule!("PROMPTSUB-OUT-11"),
    json: rule!("PROMPTSUB-OUT-07"),
    reason: rule!("PROMPTSUB-OUT-08"),
};

/// Makes the claims, and says whether the prompt was blocked.
pub(super) fn claims(scene: &Scene<'_, '_>, claims: &mut Claims) -> bool {
    let prompt = Prompt { scene, blocks: blocking::all(scene, &BLOCKING) };
    prompt.fate(claims);
    prompt.message(claims);
    prompt.original(claims);
    prompt.context(claims);
    prompt.title(claims);
    prompt.is_blocked() || scene.is_cut_short()
}

/// Whether a hook would have the prompt left out of the message of a block.
fn suppresses(voice: &Voice<'_>) -> bool {
    voice.object().and_then(|o| o.specific.get("suppressOriginalPrompt")) == Some(&Value::Bool(true))
}

/// A submitted prompt, with the blocks on it.
struct Prompt<'s, 'a> {
    scene: &'s Scene<'s, 'a>,
    blocks: Vec<(&'s Voice<'s>, Block<'s>)>,
}

impl Prompt<'_, '_> {
    fn is_blocked(&self) -> bool {
        !self.blocks.is_empty()
    }

    /// Whether it goes nowhere, whatever hooks say: context comes along with a prompt, and without one nothing is said of it.
    fn is_lost(&self) -> bool {
        self.scene.firing.otherwise != Fate::Proceeds
    }

    fn prompt(&self) -> Option<&str> {
        self.scene.firing.input.get("prompt").and_then(Value::as_str)
    }

    fn fate(&self, claims: &mut Claims) {
        // Beside `continue: false` only exit 2 is certain to count.
        let stopped = self.scene.is_over();
        let certain = |(voice, _): &&(&Voice<'_>, Block<'_>)| !stopped || voice.end == Ended::Two;
        if let Some((voice, block)) = self.blocks.iter().find(certain) {
            let kept = if voice.end == Ended::Two { BLOCKING.exit_2 } else { BLOCKING.json };
            let (kept, rule) = if suppresses(voice) && block.rule == kept {
                (rule!("PROMPTSUB-LEFT-04"), rule!("PROMPTSUB-LEFT-04"))
            } else {
                (kept, block.rule)
            };
            if let Some(prompt) = self.prompt() {
                claims.keep_from(Audience::Model, prompt, kept);
            }
            return claims.fate(Fate::Prevented, rule, &[]);
        }
        // What becomes of the prompt is not said where somebody objects to it or blocks it besides.
        if stopped && (self.is_blocked() || self.scene.is_cut_short() || !self.scene.is_stopped()) {
            return;
        }
        if stopped {
            // What would not go through anyway goes through under no reading.
            let happens = !self.is_lost() && self.scene.oracle().is(reading!("A-183", "happens"));
            return claims.fate(if happens { Fate::Proceeds } else { Fate::Prevented }, rule!("JSON-CONT-01"), &[]);
        }
        claims.fate(self.scene.firing.otherwise, self.scene.silence(), &[]);
    }

    /// The block message is shown to the user, and is no context.
    fn message(&self, claims: &mut Claims) {
        if self.scene.is_over() {
            return;
        }
        let messages: Vec<(&str, RuleId)> = self.blocks.iter().filter_map(|(_, block)| block.message).collect();
        let texts: Vec<&str> = messages.iter().map(|(text, _)| bare(text)).filter(|t| !t.is_empty()).collect();
        // A block without a message of its own leaves open which text is shown.
        if let Some((_, rule)) = messages.first().filter(|_| texts.len() == self.blocks.len()) {
            one_of(Audience::User, &texts, Manner::Block, *rule, self.scene, claims);
        }
        for (voice, block) in &self.blocks {
            let Some((text, _)) = block.message else { continue };
            let of_json = voice.end != Ended::Two || block.displaced.is_some();
            claims.keep_from(Audience::Model, text, if of_json { BLOCKING.reason } else { BLOCKING.stderr });
            if let Some(stderr) = block.displaced.filter(|_| self.blocks.len() == 1) {
                claims.keep_from(Audience::User, stderr, rule!("EXIT-2-05"));
            }
        }
    }

    /// The block message ends with the prompt, unless the hook says otherwise.
    fn original(&self, claims: &mut Claims) {
        let Some(prompt) = self.prompt().map(bare) else { return };
        let suppressing = self.blocks.iter().filter(|(voice, _)| suppresses(voice)).count();
        let others = self.scene.voices.iter().filter(|v| suppresses(v)).count() > suppressing;
        if !self.is_blocked() || prompt.is_empty() || others || self.scene.is_over() {
            return;
        }
        if suppressing == 0 {
            let say = parts(["Original prompt:", prompt], Manner::Block);
            claims.say(Audience::User, say, rule!("PROMPTSUB-LEFT-01"), &[]);
        } else if suppressing == self.blocks.len() {
            let two = self.blocks.iter().any(|(voice, _)| voice.end == Ended::Two);
            let rule = if two { rule!("PROMPTSUB-LEFT-03") } else { rule!("PROMPTSUB-OUT-10") };
            // The prompt may stand elsewhere; only the message leaves it out.
            if let Some(canary) = canary::canaries(prompt.as_bytes()).next() {
                let no_prompt = Say { parts: vec![Text::from(canary)], how: Some(Manner::Block), ..Say::default() };
                claims.claim(Place::TO_USER, Must::NotSay(no_prompt), rule, &[]);
            }
        }
    }

    fn context(&self, claims: &mut Claims) {
        let beside_json = self.scene.voices.iter().any(|voice| voice.context().is_some());
        for voice in &self.scene.voices {
            self.plain(voice, beside_json, claims);
            let Some(text) = voice.context() else { continue };
            claims.keep_from(Audience::User, text, rule!("PROMPTSUB-OUT-04"));
            if self.scene.is_over() || self.is_lost() {
                continue;
            }
            match self.arrives() {
                true => envelope::context(self.scene, voice, text, rule!("PROMPTSUB-CTX"), claims),
                false => claims.keep_from(Audience::Model, text, rule!("PROMPTSUB-CTX")),
            }
        }
    }

    /// Whether context arrives although the prompt may be blocked.
    fn arrives(&self) -> bool {
        !self.is_blocked() || self.scene.oracle().is(reading!("A-57", "delivered"))
    }

    /// Stdout that is not JSON: context if the hook exits 0, and nothing else otherwise.
    fn plain(&self, voice: &Voice<'_>, beside_json: bool, claims: &mut Claims) {
        let text = bare(&voice.out);
        let out = &voice.out;
        match (&voice.end, &voice.word) {
            (Ended::Zero, Word::Plain(by)) => {
                claims.keep_from(Audience::User, out, rule!("PROMPTSUB-OUT-04"));
                if self.scene.is_over() || self.is_lost() {
                    return;
                }
                if !self.arrives() {
                    return claims.keep_from(Audience::Model, out, rule!("STDOUT-02"));
                }
                let rule = match () {
                    () if beside_json => rule!("PROMPTSUB-OUT-02"),
                    () if *by == rule!("STDOUT-PARSE-06") && !text.starts_with(['[', '"']) => {
                        rule!("STDOUT-02")
                    }
                    () => *by,
                };
                let rule = voice.by(rule);
                envelope::limited(self.scene, voice, out, Audience::Model, Manner::Context, rule, claims);
            }
            (Ended::Other(_), Word::Plain(_)) => claims.keep_from(Audience::Model, out, rule!("STDOUT-02")),
            (Ended::Two, Word::Plain(_)) if self.scene.oracle().is(reading!("A-20", "not added")) => {
                claims.keep_from(Audience::Model, out, rule!("STDOUT-02"));
            }
            (Ended::Zero | Ended::Other(_), Word::Unparsable(_)) => {
                claims.keep_from(Audience::Model, out, rule!("STDOUT-PARSE-10"));
            }
            (Ended::HttpOk, Word::OtherBody) => claims.keep_from(Audience::Model, out, rule!("HTTP-07")),
            _ => {}
        }
    }

    fn title(&self, claims: &mut Claims) {
        if self.scene.is_over() {
            return;
        }
        let unclear = |title: &Value| {
            !title.as_str().is_some_and(spill::is_clear) || self.scene.session.may_be_titled(self.scene.firing, title)
        };
        let title = |voice| Some((voice, Voice::object(voice)?.specific.get("sessionTitle")?));
        let given: Vec<(&Voice<'_>, &Value)> = self.scene.voices.iter().filter_map(title).collect();
        if given.iter().any(|(_, title)| unclear(title)) {
            // What an empty title does, one that may be trimmed or cut, and one that is there, is not said.
            return;
        }
        let mut titles: Vec<(&Value, RuleId)> = Vec::new();
        for (voice, title) in &given {
            if !titles.iter().any(|(other, _)| other == title) {
                titles.push((title, voice.by(rule!("PROMPTSUB-OUT-09"))));
            }
        }
        let blocked = self.is_blocked() && !titles.is_empty();
        match titles.as_slice() {
            [] => {}
            _ if blocked && self.scene.oracle().is(reading!("A-164", "not set")) => {
                claims.set(Slot::SessionTitle, Must::Absent, rule!("PROMPTSUB-OUT-09"), &[]);
            }
            [(title, rule)] => claims.set(Slot::SessionTitle, Must::Be((*title).clone()), *rule, &[]),
            several => {
                let values = several.iter().map(|(title, _)| (*title).clone()).collect();
                let rule = rule!("PROMPTSUB-OUT-09");
                claims.set(Slot::SessionTitle, Must::BeOneOf(values), rule, &[]);
                contest::set(self.scene, contest::VALUES, Slot::SessionTitle, &given, rule, claims);
            }
        }
    }
}
