//! PostToolUse (chapters *tool-results* and *classifier*).

use super::{
    Scene, contest,
    envelope::{self, one_of},
    evaluators,
};
use crate::{
    claims::{Claims, MOST_TOKENS, head},
    voice::{Ended, Voice, Word},
};
use hookproof_contract::{Audience, Fate, Manner, Must, Place, RuleId, Say, Slot, Text, bare, canary, reading, rule};
use serde_json::Value;

/// How many characters all notes on one call may have together.
const NOTES: usize = 2_000;

/// Programs that nobody runs just to look something up.
const ACTING: [&str; 7] = ["cp", "make", "mkdir", "mv", "npm", "rm", "touch"];

pub(super) fn claims(scene: &Scene<'_, '_>, claims: &mut Claims) {
    let result = Result { scene };
    result.stands(claims);
    if scene.is_over() {
        // There may be no further request that could carry anything to the model.
        return result.notes(claims);
    }
    for voice in &scene.voices {
        result.feedback(voice, claims);
        if let Some(text) = voice.context() {
            envelope::context(scene, voice, text, rule!("POSTTOOL-CTX"), claims);
        }
    }
    result.output(claims);
    result.notes(claims);
}

/// What a replacement of the tool's output comes to.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Fit {
    /// It replaces the output, by this rule.
    Replaces(RuleId),
    /// It is ignored, by this rule.
    Ignored(RuleId),
    /// The contract does not decide it from values alone.
    Unknown,
}

/// A finished tool call.
struct Result<'s, 'a> {
    scene: &'s Scene<'s, 'a>,
}

impl Result<'_, '_> {
    fn tool(&self) -> &str {
        self.scene.tool()
    }

    /// The call has run; nothing undoes it.
    fn stands(&self, claims: &mut Claims) {
        if evaluators::object(self.scene) {
            // That a call is done is not said of these again.
            return;
        }
        let voices = &self.scene.voices;
        let rule = match () {
            () if voices.iter().any(|v| v.end == Ended::Two) => rule!("EXIT-2-EV-PostToolUse"),
            () if voices.iter().any(Voice::blocks) => rule!("POSTTOOL-OUT-01"),
            () if voices.iter().any(|v| self.proposes_output(v)) => rule!("POSTTOOL-OUT-09"),
            () => self.scene.silence(),
        };
        claims.fate(Fate::Proceeds, rule, &[]);
    }

    fn proposes_output(&self, voice: &Voice<'_>) -> bool {
        voice.object().is_some_and(|o| {
            o.specific.contains_key("updatedToolOutput") || o.specific.contains_key("updatedMCPToolOutput")
        })
    }

    /// Stderr of exit 2, and the reason of a block, go to the model.
    fn feedback(&self, voice: &Voice<'_>, claims: &mut Claims) {
        let output = voice.object();
        let reason = output.filter(|o| o.blocks()).and_then(|o| o.reason.as_deref());
        if let Some(reason) = reason.filter(|r| !bare(r).is_empty()) {
            let own = rule!("POSTTOOL-OUT-02");
            let rule = if voice.end == Ended::Two { own } else { voice.by(own) };
            one_of(Audience::Model, &[reason], Manner::Feedback, rule, self.scene, claims);
            return;
        }
        // Beside a block by JSON, whether stderr goes as well is not said.
        let stderr = bare(&voice.err);
        if voice.end == Ended::Two && !voice.blocks() && !stderr.is_empty() {
            one_of(Audience::Model, &[stderr], Manner::Feedback, rule!("EXIT-2-EV-PostToolUse"), self.scene, claims);
        }
    }

    /// What replaces the tool's output for the model.
    fn output(&self, claims: &mut Claims) {
        let mut replacing: Vec<(&Value, RuleId)> = Vec::new();
        let mut given: Vec<(&Voice<'_>, &Value)> = Vec::new();
        let mut ignored = None;
        let (mut blocked, mut stray) = (false, false);
        for voice in &self.scene.voices {
            let Some(output) = voice.object() else {
                continue;
            };
            blocked |= output.blocks();
            stray |= !output.stray.is_empty();
            for (value, fit) in self.proposals(voice) {
                if matches!(fit, Fit::Replaces(_)) {
                    given.push((voice, value));
                }
                match fit {
                    Fit::Unknown => return,
                    Fit::Ignored(rule) => ignored = Some(rule),
                    Fit::Replaces(_) if replacing.iter().any(|(v, _)| *v == value) => {}
                    Fit::Replaces(rule) => replacing.push((value, voice.by(rule))),
                }
            }
        }
        match replacing.as_slice() {
            [] => {
                let dropped = ignored
                    .or(blocked.then_some(rule!("POSTTOOL-OUT-01")))
                    .or(stray.then_some(rule!("SCHEMA-TYPE-05")))
                    .or_else(|| self.unread());
                if let Some(rule) = dropped {
                    claims.set(Slot::ToolOutput, Must::Absent, rule, &[]);
                }
            }
            [(value, rule)] => claims.set(Slot::ToolOutput, Must::Be((*value).clone()), *rule, &[]),
            several => {
                let values = several.iter().map(|(v, _)| (*v).clone()).collect();
                let rule = rule!("POSTTOOL-OUT-05");
                claims.set(Slot::ToolOutput, Must::BeOneOf(values), rule, &[]);
                contest::set(self.scene, contest::VALUES, Slot::ToolOutput, &given, rule, claims);
            }
        }
    }

    /// The rule by which what a hook wrote is not read, so that no replacement is in it.
    fn unread(&self) -> Option<RuleId> {
        let is_unread = |v: &Voice<'_>| match v.word {
            Word::Unparsable(_) => v.end != Ended::Two,
            Word::OtherBody => true,
            _ => v.end == Ended::TimedOut,
        };
        self.scene.voices.iter().any(is_unread).then(|| self.scene.unused()).flatten()
    }

    /// The replacements that one hook proposes, of which at most one counts.
    fn proposals<'v>(&self, voice: &'v Voice<'_>) -> Vec<(&'v Value, Fit)> {
        let Some(output) = voice.object() else {
            return Vec::new();
        };
        let any = output.specific.get("updatedToolOutput").map(|v| (v, self.fit(v)));
        let mcp = output.specific.get("updatedMCPToolOutput").map(|v| (v, self.mcp_fit()));
        match (any, mcp) {
            (Some(any), Some(mcp)) if self.is_mcp() => {
                let first = self.scene.oracle().is(reading!("A-76", "updatedToolOutput"));
                vec![if first { any } else { mcp }]
            }
            (any, mcp) => any.into_iter().chain(mcp).collect(),
        }
    }

    fn is_mcp(&self) -> bool {
        self.tool().starts_with("mcp__")
    }

    fn fit(&self, value: &Value) -> Fit {
        if self.is_mcp() {
            return Fit::Replaces(rule!("POSTTOOL-OUT-07"));
        }
        // Of the built-in tools, only Bash's output is told of; that the others have objects is.
        if !value.is_object() {
            return Fit::Ignored(rule!("POSTTOOL-OUT-06"));
        }
        if self.tool() != "Bash" {
            return Fit::Unknown;
        }
        let field = |name: &str| value.get(name);
        let complete = ["stdout", "stderr"].iter().all(|f| field(f).is_some_and(Value::is_string))
            && ["interrupted", "isImage"].iter().all(|f| field(f).is_some_and(Value::is_boolean))
            && value.as_object().is_some_and(|o| o.len() == 4);
        if complete { Fit::Replaces(rule!("POSTTOOL-OUT-05")) } else { Fit::Unknown }
    }

    fn mcp_fit(&self) -> Fit {
        if self.is_mcp() { Fit::Replaces(rule!("POSTTOOL-OUT-08")) } else { Fit::Ignored(rule!("POSTTOOL-OUT-08")) }
    }

    /// Notes for the classifier of auto mode.
    fn notes(&self, claims: &mut Claims) {
        let noted: Vec<(&Voice<'_>, &str)> = self
            .scene
            .voices
            .iter()
            .filter_map(|v| Some((v, v.object()?.text("classifierContext")?)))
            .filter(|(_, note)| !bare(note).is_empty())
            .collect();
        if noted.len() > 1 && self.is_classified() {
            let untouched = self.scene.voices.iter().all(|v| !self.proposes_output(v));
            let says = noted.iter().map(|(_, note)| Say { parts: vec![Text::from(head(note))], ..Say::default() });
            if untouched {
                let say_any = Must::SayAny(says.collect());
                claims.claim(Place::Said(Audience::Classifier), say_any, rule!("POSTTOOL-OUT-04"), &[]);
            }
        }
        let total: usize = noted.iter().map(|(_, note)| note.len()).sum();
        for (voice, note) in &noted {
            claims.keep_from(Audience::Model, note, rule!("POSTTOOL-OUT-04"));
            self.note(voice, note, total, noted.len(), claims);
        }
    }

    /// Whether the classifier of auto mode gets to see the call for certain: it is none that only looks something up, and the
    /// agent goes on, so that there is something left to classify.
    fn is_classified(&self) -> bool {
        let command = self.scene.firing.input.get("tool_input").and_then(|input| input.get("command"));
        let program = command.and_then(Value::as_str).and_then(|command| command.split(' ').next());
        let acts = match self.tool() {
            "Edit" | "Write" => true,
            "Bash" => program.is_some_and(|program| ACTING.contains(&program)),
            _ => false,
        };
        acts && self.scene.session.permissions.mode == Some("auto") && !self.scene.is_over()
    }

    fn note(&self, voice: &Voice<'_>, note: &str, total: usize, count: usize, claims: &mut Claims) {
        let dropped = |rule: RuleId, claims: &mut Claims| claims.keep_from(Audience::Classifier, note, rule);
        if matches!(self.tool(), "Read" | "Grep" | "Glob") {
            return dropped(rule!("CLASSIF-07"), claims);
        }
        let own = self.proposals(voice);
        let others = self.scene.voices.iter().any(|v| v.name != voice.name && self.proposes_output(v));
        if own.iter().any(|(_, fit)| matches!(fit, Fit::Ignored(_))) && self.proposes_only_tool_output(voice) {
            return dropped(rule!("CLASSIF-08"), claims);
        }
        let uncertain = own.iter().any(|(_, fit)| !matches!(fit, Fit::Replaces(_))) || (!own.is_empty() && others);
        if !self.is_classified() || uncertain || !note.is_ascii() || *note != *bare(note) {
            // Whether white space at its ends counts towards the limit is not said.
            return;
        }
        let rule = match () {
            () if own.is_empty() && others => rule!("CLASSIF-09"),
            () => voice.by(rule!("POSTTOOL-OUT-04")),
        };
        let say = |text: &str| Say { parts: vec![Text::from(text)], ..Say::default() };
        if total <= NOTES && (count == 1 || total + 100 <= NOTES) {
            claims.say(Audience::Classifier, say(bare(note)), rule, &[]);
        } else if count == 1 {
            claims.say(Audience::Classifier, say(&note[..NOTES.min(note.len()) - 100]), rule!("CLASSIF-05"), &[]);
            claims.not_say(Audience::Classifier, &note[..=NOTES], rule!("CLASSIF-05"), &[]);
            // A canary that begins after the limit is cut off.
            for span in canary::spans(note.as_bytes()).filter(|span| span.start >= NOTES).take(MOST_TOKENS) {
                claims.not_say(Audience::Classifier, &note[span], rule!("CLASSIF-05"), &[]);
            }
        }
    }

    fn proposes_only_tool_output(&self, voice: &Voice<'_>) -> bool {
        voice.object().is_some_and(|o| !o.specific.contains_key("updatedMCPToolOutput"))
    }
}
