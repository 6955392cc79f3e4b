//! PostToolUse (chapters *tool-results* and *classifier*).

use super::{
    Scene, contest,
    envelope::{self, any_of},
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

/// Programs that nobody runs just to look something up, but for their help.
const ACTING: [&str; 5] = ["cp", "mkdir", "mv", "rm", "touch"];

pub(super) fn claims(scene: &Scene<'_, '_>, claims: &mut Claims) {
    let result = Result { scene };
    result.stands(claims);
    if scene.is_over() {
        // There may be no further request that could carry anything to the model.
        return result.notes(claims);
    }
    feedback(scene, scene.voices.iter().filter_map(|voice| result.told(voice)).collect(), claims);
    for voice in &scene.voices {
        if let Some(text) = voice.context() {
            envelope::context(scene, voice, text, rule!("POSTTOOL-CTX"), claims);
        }
    }
    result.output(claims);
    result.notes(claims);
}

/// What a hook has the model told of a call that is done, and by which rule; nothing where it has nothing to say.
pub(super) type Told<'v> = Option<(&'v str, RuleId)>;

/// The model is told what a hook has to say of a call that is done. The text tells of one hook: of several that would have it told
/// different things, evaluators among them, one is certain to be heard, if each says something.
pub(super) fn feedback<'v>(scene: &'v Scene<'_, '_>, mut told: Vec<Told<'v>>, claims: &mut Claims) {
    let Some(Some((_, rule))) = told.first().copied() else { return };
    let objections = scene.voices.iter().filter(|voice| evaluators::effect(scene, voice).is_some());
    told.extend(objections.map(|voice| evaluators::reason(voice).map(|reason| (reason, rule))));
    let Some(texts) = told.into_iter().map(|told| Some(told?.0)).collect::<Option<Vec<&str>>>() else { return };
    let how = (!evaluators::object(scene)).then_some(Manner::Feedback);
    any_of(Audience::Model, &texts, how, rule, scene, claims);
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

    /// Stderr of exit 2, or the reason of a block, which goes to the model.
    fn told<'v>(&self, voice: &'v Voice<'_>) -> Option<Told<'v>> {
        let own = rule!("POSTTOOL-OUT-02");
        let by_exit_2 = voice.end == Ended::Two;
        if let Some(output) = voice.object().filter(|output| output.blocks()) {
            // Beside a block by JSON, whether stderr goes as well is not said.
            let reason = output.reason.as_deref().filter(|reason| !bare(reason).is_empty());
            return Some(reason.map(|reason| (reason, if by_exit_2 { own } else { voice.by(own) })));
        }
        by_exit_2.then(|| {
            let stderr = bare(&voice.err);
            (!stderr.is_empty()).then_some((stderr, rule!("EXIT-2-EV-PostToolUse")))
        })
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
        // Of the built-in tools, only Bash's output is told of; that the others have objects is, but this one may have none.
        if !value.is_object() {
            let own = self.scene.firing.input.get("tool_response");
            let of_object = own.is_none_or(Value::is_object);
            return if of_object { Fit::Ignored(rule!("POSTTOOL-OUT-06")) } else { Fit::Unknown };
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
        let mut words = command.and_then(Value::as_str).unwrap_or_default().split(' ');
        let acts = match self.tool() {
            "Edit" | "Write" => true,
            "Bash" => {
                words.next().is_some_and(|program| ACTING.contains(&program))
                    && words.all(|word| !matches!(word, "--help" | "--version"))
            }
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
            () if own.is_empty() && self.is_rewritten() => rule!("CLASSIF-09"),
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

    /// Whether the output is replaced for certain.
    fn is_rewritten(&self) -> bool {
        let mut fits = self.scene.voices.iter().flat_map(|voice| self.proposals(voice)).map(|(_, fit)| fit);
        fits.any(|fit| matches!(fit, Fit::Replaces(_)))
    }

    fn proposes_only_tool_output(&self, voice: &Voice<'_>) -> bool {
        voice.object().is_some_and(|o| !o.specific.contains_key("updatedMCPToolOutput"))
    }
}
