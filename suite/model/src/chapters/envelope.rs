//! What holds around every decision: notices, stderr, the universal fields, the terminal (chapters *exit-codes*, *stdout*,
//! *schema*, *universal*, *terminal*).

use super::{Scene, evaluators, post_tool_batch, stop_failure};
use crate::{
    claims::{Claims, HEADING, MOST_TOKENS, head, parts},
    course,
    read::{
        schema::Output,
        terminal::{self, Sequence},
    },
    select::Refused,
    spill,
    table::DecisionModel,
    voice::{Ended, Voice, Word, rewrites_the_prompt},
};
use hookproof_contract::{
    Agent, Audience, Event, Fact, Fate, Lies, Manner, Must, Place, RuleId, Say, Surface, Text, bare, canary, read,
    reading, rule,
};
use serde_json::Value;

/// The claims around an event of the standard decision model.
pub(super) fn claims(scene: &Scene<'_, '_>, claims: &mut Claims) {
    for voice in &scene.voices {
        stderr(voice, claims);
        stdout(scene, voice, claims);
        notice(scene, voice, claims);
        misnamed(scene, voice, claims);
        if let Some(output) = voice.object().filter(|_| !scene.ignores_result(voice)) {
            universal(scene, voice, output, claims);
        }
    }
    stopped(scene, claims);
}

/// The stderr of a hook that exits 0 goes to the debug log and nowhere else.
pub(super) fn stderr(voice: &Voice<'_>, claims: &mut Claims) {
    if voice.end != Ended::Zero {
        return;
    }
    claims.keep_from(Audience::Model, &voice.err, rule!("EXIT-0-02"));
    claims.keep_from(Audience::User, &voice.err, rule!("EXIT-0-02"));
    logged(&voice.err, rule!("EXIT-0-02"), claims);
}

/// A text stands in the debug log, where it may be quoted in any way: it is known by its canary.
pub(super) fn logged(text: &str, rule: RuleId, claims: &mut Claims) {
    if let Some(canary) = canary::canaries(text.as_bytes()).next() {
        claims.say(Audience::Debug, Say { parts: vec![Text::from(canary)], ..Say::default() }, rule, &[]);
    }
}

/// Plain stdout on an event that does not make it context, and the log of a hook that succeeded.
pub(super) fn stdout(scene: &Scene<'_, '_>, voice: &Voice<'_>, claims: &mut Claims) {
    if voice.end == Ended::TimedOut && scene.row.model != DecisionModel::Standard {
        return discarded(voice, rule!("TIMEOUT-02"), claims);
    }
    match (&voice.word, scene.row.plain_is_context) {
        (Word::Plain(_), false) => {
            // What the message of a block is, where the hook wrote nothing to stderr, is not said.
            if voice.end != Ended::Two || !bare(&voice.err).is_empty() {
                claims.keep_from(Audience::Model, &voice.out, voice.carrier().unwrap_or(rule!("STDOUT-03")));
            }
            if voice.printed() {
                claims.keep_from(Audience::User, &voice.out, rule!("STDOUT-01"));
                logged(&voice.out, rule!("STDOUT-01"), claims);
            }
        }
        // One that is an error is told of in another way.
        (Word::Object(output), _) if voice.printed() && !output.doubtful => {
            logged(&voice.out, rule!("JSON-SUPPRESS-02"), claims);
        }
        _ => {}
    }
}

/// Context that stands under the name of another event: whatever becomes of the rest, it is none (open point A-34).
fn misnamed(scene: &Scene<'_, '_>, voice: &Voice<'_>, claims: &mut Claims) {
    if !matches!(voice.end, Ended::Zero | Ended::HttpOk) || !matches!(voice.word, Word::Invalid | Word::Object(_)) {
        return;
    }
    // What a subagent's own `Stop` may be called is another matter.
    if voice.handler.converted {
        return;
    }
    let Ok(Value::Object(object)) = read::value(bare(&voice.out)) else { return };
    let of = |field: &str| object.get("hookSpecificOutput")?.get(field)?.as_str();
    if of("hookEventName").is_some_and(|name| name != scene.row.event.name()) {
        claims.keep_from(Audience::Model, of("additionalContext").unwrap_or_default(), rule!("JSON-07"));
    }
}

/// What the transcript shows of a hook that failed, and of one that did not.
fn notice(scene: &Scene<'_, '_>, voice: &Voice<'_>, claims: &mut Claims) {
    let shown =
        |rule: RuleId, claims: &mut Claims| claims.say(Audience::User, parts([HEADING], Manner::Notice), rule, &[]);
    match (&voice.end, &voice.word) {
        (Ended::Zero, Word::Invalid) => shown(voice.by(rule!("SCHEMA-02")), claims),
        (Ended::Other(_), Word::Invalid) => shown(rule!("SCHEMA-03"), claims),
        (Ended::Zero | Ended::Other(_), Word::Unparsable(_)) => {
            shown(rule!("STDOUT-PARSE-09"), claims);
        }
        (Ended::Other(_), Word::Silent | Word::Plain(_)) => {
            let of_a_switch = scene.row.event == Event::PreModelSwitch;
            failed(voice, if of_a_switch { rule!("PREMODEL-OUT-09") } else { rule!("EXIT-N-09") }, claims);
        }
        (Ended::NotStarted, _) => failed(voice, rule!("EXIT-N-14"), claims),
        // Of this event it is said that stderr is shown unless JSON decides, and of all that it is not beside valid JSON.
        (Ended::Other(_), Word::Object(output))
            if scene.row.event == Event::PreModelSwitch
                && !output.blocks()
                && output.text("permissionDecision").is_none() => {}
        (Ended::Other(_), Word::Object(output)) => {
            // What the message of a block, a refusal or a question without a reason is, is not said.
            let decides = matches!(output.text("permissionDecision"), Some("deny" | "ask"));
            let is_unexplained = voice.blocks() && output.reason.is_none()
                || decides && output.text("permissionDecisionReason").is_none();
            if !is_unexplained {
                claims.keep_from(Audience::User, &voice.err, rule!("EXIT-N-04"));
            }
            not_failed(scene, voice, rule!("EXIT-N-04"), claims);
        }
        (Ended::TimedOut, _) => timed_out(scene, voice, claims),
        (Ended::Two, Word::Invalid) => invalid_beside_exit_2(scene, claims),
        (Ended::Zero | Ended::HttpOk, _) => {
            if let Some(rule) = innocence(scene, voice) {
                not_failed(scene, voice, rule, claims);
            }
        }
        _ => {}
    }
}

/// The debug log tells why an object beside exit 2 is not valid, in the runtime's own words.
pub(super) fn invalid_beside_exit_2(scene: &Scene<'_, '_>, claims: &mut Claims) {
    if rule!("EXIT-2-08").rule().speaks_of(scene.row.event) {
        claims.say(Audience::Debug, Say::default(), rule!("EXIT-2-08"), &[]);
    }
}

/// A hook that failed is reported with the first line of its stderr; the rest is in the debug log.
fn failed(voice: &Voice<'_>, rule: RuleId, claims: &mut Claims) {
    const PREFIX: &str = "Failed with non-blocking status code:";
    let (first, rest) = voice.err.split_once('\n').unwrap_or((&voice.err, ""));
    let first = bare(first);
    // What the notice says without a first line is open. A long one may be limited, so that it lies in a file and its
    // heading does not.
    if first.is_empty() || !spill::is_short(first) {
        return;
    }
    claims.say(Audience::User, parts([HEADING, PREFIX, first], Manner::Notice), rule, &[]);
    let last = bare(bare(rest).lines().last().unwrap_or_default());
    if last.is_empty() {
        return;
    }
    if let Some(canary) = canary::canaries(last.as_bytes()).next() {
        let no_more = Say { parts: vec![Text::from(canary)], how: Some(Manner::Notice), ..Say::default() };
        claims.claim(Place::Said(Audience::User), Must::NotSay(no_more), rule, &[]);
    }
    logged(first, rule!("EXIT-N-10"), claims);
    logged(last, rule!("EXIT-N-10"), claims);
}

/// The rule by which an output that might look wrong is no error, if there is something about it that might.
fn innocence(scene: &Scene<'_, '_>, voice: &Voice<'_>) -> Option<RuleId> {
    let output = match &voice.word {
        Word::Plain(rule) => return Some(voice.by(*rule)),
        Word::Silent => return (voice.end == Ended::HttpOk).then_some(rule!("HTTP-03")),
        Word::Object(output) => output,
        _ => return None,
    };
    let refused = |sequence: &String| matches!(terminal::judge(sequence, scene.oracle()), Sequence::Refused(_));
    match () {
        () if voice.carrier().is_some() => None,
        () if output.terminal_sequence.as_ref().is_some_and(refused) => Some(rule!("TERM-03")),
        () if !output.stray.is_empty() => Some(rule!("SCHEMA-TYPE-05")),
        () if bare(&voice.out).contains('\n') => Some(rule!("STDOUT-PARSE-02")),
        () => None,
    }
}

/// No error is reported. Said only where no other hook can have failed, and where there is no block, which may be shown as one.
fn not_failed(scene: &Scene<'_, '_>, voice: &Voice<'_>, rule: RuleId, claims: &mut Claims) {
    let decides =
        |o: &Output| o.decision.is_some() || o.text("permissionDecision").is_some_and(|d| d != "allow") || o.stops();
    let alone = scene.voices.len() == 1 && scene.background.is_empty() && scene.refused == Refused::Nothing;
    if alone && !voice.object().is_some_and(decides) {
        claims.not_say(Audience::User, HEADING, rule, &[]);
    }
}

/// The output of a hook that was cancelled is discarded; on prompts the user is told so.
fn timed_out(scene: &Scene<'_, '_>, voice: &Voice<'_>, claims: &mut Claims) {
    let on_prompt = scene.row.event == Event::UserPromptSubmit;
    discarded(voice, if on_prompt { rule!("PROMPTSUB-07") } else { rule!("TIMEOUT-02") }, claims);
    if on_prompt {
        claims.say(Audience::User, Say::default(), rule!("PROMPTSUB-09"), &[]);
    }
}

/// Nothing that a hook wrote is used.
fn discarded(voice: &Voice<'_>, rule: RuleId, claims: &mut Claims) {
    for text in [&voice.out, &voice.err] {
        for canary in canary::canaries(text.as_bytes()).take(MOST_TOKENS) {
            claims.not_say(Audience::Model, canary, rule, &[]);
            claims.not_say(Audience::User, canary, rule, &[]);
        }
    }
    claims.keep_from(Audience::Terminal, &voice.out, rule);
}

/// `systemMessage` and `terminalSequence`.
fn universal(scene: &Scene<'_, '_>, voice: &Voice<'_>, output: &Output, claims: &mut Claims) {
    warning(scene, voice, output, claims);
    terminal_sequence(scene, voice, output, claims);
    stray(scene, voice, output, claims);
}

/// `systemMessage`.
pub(super) fn warning(scene: &Scene<'_, '_>, voice: &Voice<'_>, output: &Output, claims: &mut Claims) {
    warning_by(rule!("JSON-SYSMSG-01"), scene, voice, output, claims);
}

/// The same on an event of which it is not said whether valid JSON counts beside every exit code (open point A-01).
pub(super) fn warning_if_it_counts(
    rule: RuleId,
    scene: &Scene<'_, '_>,
    voice: &Voice<'_>,
    output: &Output,
    claims: &mut Claims,
) {
    let message = output.system_message.as_deref().filter(|message| !bare(message).is_empty());
    match message.filter(|_| voice.end != Ended::Two) {
        Some(_) if scene.counts(voice) => warning_by(rule, scene, voice, output, claims),
        Some(message) => claims.keep_from(Audience::User, message, rule!("EXIT-N-21")),
        None => {}
    }
}

/// `systemMessage`, on an event with a rule of its own about it.
pub(super) fn warning_by(rule: RuleId, scene: &Scene<'_, '_>, voice: &Voice<'_>, output: &Output, claims: &mut Claims) {
    if let Some(message) = output.system_message.as_deref().filter(|m| !bare(m).is_empty()) {
        let own = if output.suppresses { rule!("JSON-SUPPRESS-01") } else { rule };
        limited(scene, voice, message, Audience::User, Manner::Warning, voice.by(own), claims);
    }
}

/// Keys that nobody knows do nothing; the debug log tells of them.
pub(super) fn stray(scene: &Scene<'_, '_>, voice: &Voice<'_>, output: &Output, claims: &mut Claims) {
    for (key, text) in &output.stray {
        let rule = match key.as_str() {
            "additionalContext" if rule!("CTX-03").rule().speaks_of(scene.row.event) => rule!("CTX-03"),
            _ if scene.row.event == Event::UserPromptSubmit && rewrites_the_prompt(key) => {
                rule!("DECISION-REWRITE-04")
            }
            _ if scene.row.plain_is_context && voice.printed() && bare(&voice.out) != voice.out => {
                rule!("STDOUT-PARSE-01")
            }
            _ if scene.row.plain_is_context => rule!("STDOUT-PARSE-02"),
            _ => rule!("SCHEMA-TYPE-05"),
        };
        // What the message of a block is, where the hook wrote nothing to stderr, is not said.
        if let Some(text) = text.as_ref().filter(|_| voice.end != Ended::Two || !bare(&voice.err).is_empty()) {
            claims.keep_from(Audience::Model, text, rule);
        }
        if voice.printed() && scene.row.fields.iter().any(|(name, _)| name == key) {
            let named = Say { parts: vec![Text::from(key.as_str())], ..Say::default() };
            claims.say(Audience::Debug, named, rule!("SCHEMA-TYPE-05"), &[]);
        }
    }
}

/// A `terminalSequence` is written as it is, or ignored as a whole.
pub(super) fn terminal_sequence(scene: &Scene<'_, '_>, voice: &Voice<'_>, output: &Output, claims: &mut Claims) {
    let Some(sequence) = output.terminal_sequence.as_deref() else {
        return;
    };
    let doubtful = scene.row.model == DecisionModel::DecisionOnly && matches!(voice.end, Ended::Other(_));
    if doubtful && scene.oracle().is(reading!("A-59", "the JSON is ignored")) {
        return;
    }
    let not_written = |rule: RuleId, claims: &mut Claims| {
        if !sequence.is_empty() {
            claims.keep_from(Audience::Terminal, sequence, rule);
            claims.not_say(Audience::Terminal, sequence, rule, &[]);
        }
    };
    match scene.session.case.host.surface {
        Surface::Print | Surface::Sdk => return not_written(rule!("TERM-16"), claims),
        Surface::Background => return not_written(rule!("TERM-15"), claims),
        Surface::Terminal => {}
    }
    // Of events that throw all output away it is said that the sequence counts whatever the exit code; of notifications that the
    // code is ignored and the sequence is not.
    let discards = rule!("EXIT-N-12").rule().speaks_of(scene.row.event);
    let always = discards || scene.row.event == Event::Notification;
    match terminal::judge(sequence, scene.oracle()) {
        Sequence::Refused(rule) => not_written(rule, claims),
        Sequence::Unknown => {}
        Sequence::Allowed(_) if !stays_on_screen(scene) => {}
        // Whether JSON counts beside a code that is not 0 is said of the standard events only.
        Sequence::Allowed(_) if scene.row.model == DecisionModel::Own && !voice.succeeded() && !always => {}
        Sequence::Allowed(rule) => {
            let rule = match scene.row.event {
                Event::StopFailure if !voice.succeeded() => stop_failure::discarded_by(voice),
                _ if discards && !voice.succeeded() => rule!("EXIT-N-12"),
                Event::Notification => rule!("NOTIF-OUT-02"),
                Event::SessionEnd => rule!("SESSEND-OUT-01"),
                _ if rule!("TERM-14").rule().speaks_of(scene.row.event) => rule!("TERM-14"),
                Event::WorktreeCreate => rule!("TERM-21"),
                // How the output came is the more special thing only where the sequence is an ordinary one.
                _ if sequence.ends_with("\u{1b}\\") && rule == rule!("TERM-05") => rule!("TERM-10"),
                _ => voice.by(rule),
            };
            let say = Say { parts: vec![Text::from(sequence)], ..Say::default() };
            claims.say(Audience::Terminal, say, rule, &[rule!("TERM-01")]);
        }
    }
}

/// Whether the interface is certain to be there still when what a hook printed is read. A session that is left may have taken it down.
fn stays_on_screen(scene: &Scene<'_, '_>) -> bool {
    let goes_over = |reason: &Value| reason == "clear" || reason == "resume";
    match scene.row.event {
        Event::SessionEnd => scene.firing.input.get("reason").is_some_and(goes_over),
        Event::WorktreeRemove => false,
        _ => true,
    }
}

/// `continue: false` stops the agent, whatever else was decided.
fn stopped(scene: &Scene<'_, '_>, claims: &mut Claims) {
    let voices: Vec<&Voice<'_>> = scene.voices.iter().filter(|v| v.stops()).collect();
    let Some(first) = voices.first() else {
        return goes_on(scene, claims);
    };
    let at_a_stop = matches!(scene.row.event, Event::Stop | Event::SubagentStop);
    let exit_2 = at_a_stop && scene.voices.iter().any(|v| v.end == Ended::Two);
    if exit_2 && scene.oracle().is(reading!("A-53", "goes on")) {
        return;
    }
    // Whether it outweighs an evaluator, and in whose words, is not said.
    if evaluators::object(scene) || scene.row.event == Event::PostToolBatch && post_tool_batch::is_contested(scene) {
        return;
    }
    let decides =
        |v: &Voice<'_>| v.object().is_some_and(|o| o.decision.is_some() || o.text("permissionDecision").is_some());
    let streaming = scene.session.case.host.facts.contains(&Fact::Streaming);
    let rule = match scene.row.event {
        // That the stop does not wait for the rest of the answer is said of the other two events of a call.
        Event::PostToolUseFailure if streaming => return,
        Event::PreToolUse | Event::PostToolUse if streaming => rule!("JSON-CONT-03"),
        _ if at_a_stop && voices.iter().any(|v| decides(v)) => rule!("STOP-OUT-07"),
        _ if scene.voices.iter().any(decides) => rule!("JSON-CONT-02"),
        _ => first.by(rule!("JSON-CONT-01")),
    };
    claims.agent(Agent::Stops, rule, &[rule!("JSON-CONT-01")]);
    let reasons: Vec<&str> =
        voices.iter().filter_map(|v| v.object()?.stop_reason.as_deref()).filter(|r| !bare(r).is_empty()).collect();
    // Which of several stopping hooks speaks is not said; one without a reason may be it. After a batch the event's own chapter
    // tells it.
    if scene.row.event != Event::PostToolBatch && reasons.len() == voices.len() {
        one_of(Audience::User, &reasons, Manner::Block, first.by(rule!("JSON-STOPREASON-01")), scene, claims);
        // That of a subagent's ends with it.
        let of_the_main_agent = match scene.row.event {
            Event::UserPromptSubmit | Event::UserPromptExpansion | Event::Stop => true,
            Event::PreToolUse | Event::PostToolUse | Event::PostToolUseFailure => scene.agent_id().is_none(),
            _ => false,
        };
        let one = reasons.iter().all(|reason| *reason == reasons[0]);
        if of_the_main_agent && one {
            stays_in_the_conversation(scene, reasons[0], rule!("JSON-STOPREASON-02"), claims);
        }
    }
}

/// The model reads why the main agent was stopped, where its conversation surely goes on.
pub(super) fn stays_in_the_conversation(scene: &Scene<'_, '_>, text: &str, rule: RuleId, claims: &mut Claims) {
    if spill::is_short(text) && course::goes_on(scene.session.case, claims.step) {
        claims.say(Audience::Model, Say { parts: vec![Text::from(bare(text))], ..Say::default() }, rule, &[]);
    }
}

/// Where no hook stops the agent, it goes on after a tool call.
fn goes_on(scene: &Scene<'_, '_>, claims: &mut Claims) {
    if scene.is_cut_short() {
        return;
    }
    let deferring = |v: &Voice<'_>| v.object().is_some_and(|o| o.text("permissionDecision") == Some("defer"));
    let blocked = scene.voices.iter().any(Voice::blocks);
    let interrupted = scene.firing.input.get("is_interrupt").is_some_and(|value| *value == true);
    let on_a_call = match scene.row.event {
        Event::PreToolUse | Event::PostToolUse => true,
        // What a block comes to there is open, and what follows on an interruption is not said.
        Event::PostToolUseFailure => !blocked && !interrupted,
        Event::PostToolBatch => {
            let ended = blocked || scene.voices.iter().any(|v| v.end == Ended::Two);
            scene.firing.otherwise == Fate::Proceeds && !ended
        }
        _ => false,
    };
    if !on_a_call || scene.voices.is_empty() || scene.voices.iter().any(deferring) {
        return;
    }
    // Nobody asks for anything.
    let is_quiet = |v: &Voice<'_>| {
        matches!((v.end, &v.word), (Ended::Zero | Ended::HttpOk | Ended::Failed(_), Word::Silent) | (_, Word::Consents))
    };
    if scene.voices.iter().any(|v| v.object().is_some()) {
        // An evaluator that is in the way might have ended the turn.
        let judged = scene.voices.iter().find_map(|voice| evaluators::effect(scene, voice));
        claims.agent(Agent::GoesOn, judged.map_or(rule!("JSON-CONT-01"), |(_, rule)| rule), &[]);
    } else if matches!(scene.row.event, Event::PreToolUse | Event::PostToolUse) && scene.voices.iter().all(is_quiet) {
        claims.agent(Agent::GoesOn, scene.silence(), &[]);
    }
}

/// One of several texts that compete for one place reaches an audience; which, is open.
pub(super) fn one_of(
    to: Audience,
    texts: &[&str],
    how: impl Into<Option<Manner>>,
    rule: RuleId,
    scene: &Scene<'_, '_>,
    claims: &mut Claims,
) {
    let how = how.into();
    any_of(to, texts, how, rule, scene, claims);
    each_of(to, texts, how, rule, scene, claims);
}

/// One of several texts at least reaches an audience.
pub(super) fn any_of(
    to: Audience,
    texts: &[&str],
    how: Option<Manner>,
    rule: RuleId,
    scene: &Scene<'_, '_>,
    claims: &mut Claims,
) {
    match texts {
        [] => {}
        [text, others @ ..] if others.iter().all(|other| other == text) => {
            // Only what is long can lie in a file.
            let lies = if spill::is_short(text) { Lies::InText } else { Lies::InTextOrFile };
            claims.say(to, Say { parts: vec![Text::from(bare(text))], how, lies }, rule, &[]);
            if let Some(arrival) = spill::unnamed(text, how, scene.oracle()) {
                claims.say(to, arrival.say, rule, &[]);
            }
        }
        several => {
            let says =
                several.iter().map(|t| Say { parts: vec![Text::from(head(t))], how, ..Say::default() }).collect();
            claims.claim(Place::Said(to), Must::SayAny(says), rule, &[]);
        }
    }
}

/// Which of several texts are told where one of them is certain to be, is open. They are in the order of the hooks.
pub(super) fn each_of(
    to: Audience,
    texts: &[&str],
    how: Option<Manner>,
    rule: RuleId,
    scene: &Scene<'_, '_>,
    claims: &mut Claims,
) {
    let ([first, .., last], false) = (texts, to == Audience::User && !claims.shown) else { return };
    if texts.iter().all(|text| head(text) == head(first)) {
        return;
    }
    // Where hooks of several files stand is not one order.
    let of_one_file = scene.voices.iter().all(|voice| voice.handler.layer == scene.voices[0].handler.layer);
    let told: &[&str] = match scene.oracle().read(reading!("A-70", "all").point).name() {
        "all" => texts,
        "the first" if of_one_file => &[first],
        "the last" if of_one_file => &[last],
        _ => return,
    };
    for text in told {
        claims.say(to, Say { parts: vec![Text::from(head(text))], how, ..Say::default() }, rule, &[]);
    }
    for text in texts.iter().filter(|text| told.iter().all(|told| head(told) != head(text))) {
        claims.keep_from(to, text, rule);
    }
}

/// Additional context reaches the model.
pub(super) fn context(scene: &Scene<'_, '_>, voice: &Voice<'_>, text: &str, rule: RuleId, claims: &mut Claims) {
    let several =
        scene.voices.iter().filter(|v| v.object().is_some_and(|o| o.text("additionalContext").is_some())).count() > 1;
    let rule = match voice.end {
        _ if several => rule!("CTX-09"),
        _ if voice.carrier().is_some() => rule,
        _ => voice.by(rule),
    };
    limited(scene, voice, text, Audience::Model, Manner::Context, rule, claims);
}

/// A string that the contract limits arrives whole, or in a file.
pub(super) fn limited(
    scene: &Scene<'_, '_>,
    voice: &Voice<'_>,
    text: &str,
    to: Audience,
    how: Manner,
    rule: RuleId,
    claims: &mut Claims,
) {
    let arrival = spill::limited(text, Some(how), scene.oracle());
    let raised = scene.session.case.host.env.contains_key("BASH_MAX_OUTPUT_LENGTH");
    let plain = matches!(voice.word, Word::Plain(_));
    let by = match arrival.rule {
        Some(limit) => limit,
        None => spill::measured_apart(scene.voices.iter().filter_map(Voice::object), voice.object()).unwrap_or(rule),
    };
    if arrival.rule == Some(spill::SPILLED) {
        let of_limit = match () {
            () if raised => rule!("SPILL-06"),
            () if plain => rule!("SPILL-04"),
            () => rule!("SPILL-01"),
        };
        if let Some(tail) = canary::canaries(text.as_bytes()).skip(1).last() {
            let no_tail = Say { parts: vec![Text::from(tail)], how: None, lies: Lies::InText };
            claims.claim(Place::Said(to), Must::NotSay(no_tail), of_limit, &[]);
        }
    }
    let at_a_stop = matches!(scene.row.event, Event::Stop | Event::SubagentStop);
    // Whether feedback at the end of a turn is context in manner is not said.
    let how = arrival.say.how.filter(|_| !at_a_stop || to != Audience::Model);
    claims.say(to, Say { how, ..arrival.say }, by, &[rule]);
}
