//! CwdChanged and FileChanged (chapter *workspace*), which hooks cannot prevent: they may say which files to watch, and warn. And the
//! watched paths themselves, which SessionStart may set as well.

use super::{Scene, envelope, given::is_plain_absolute, unblockable};
use crate::{
    claims::Claims,
    read::schema::Output,
    voice::{Ended, Voice, Word},
};
use hookproof_contract::{Agent, Audience, Event, Must, RuleId, Slot, Surface, reading, rule};
use serde_json::{Value, json};

/// The rules of an event at which hooks may say what to watch and nothing else.
pub(super) struct Rules {
    pub(super) no_say: unblockable::Rules,
    /// The message is shown briefly, and `continue` is dropped.
    pub(super) universal: RuleId,
    pub(super) paths: Paths,
}

/// The rules about the paths that hooks put under watch.
pub(super) struct Paths {
    /// They take the place of those that hooks gave before.
    pub(super) replaced: RuleId,
    /// An empty list leaves none of these, where that is said.
    pub(super) cleared: Option<RuleId>,
}

/// All claims of such an event.
pub(super) fn claims(scene: &mut Scene<'_, '_>, rules: &Rules, claims: &mut Claims) {
    for voice in &scene.voices {
        around(scene, voice, rules, claims);
    }
    unblockable::fate(scene, &rules.no_say, claims);
    unblockable::stderr_is_shown(scene, rules.no_say.exit_2, claims);
    none_named(scene, claims);
    paths(scene, &rules.paths, claims);
}

/// Nothing else is watched where no hook can have named a path.
fn none_named(scene: &Scene<'_, '_>, claims: &mut Claims) {
    let names_none = |v: &Voice<'_>| match &v.word {
        Word::Object(output) => !output.stray.is_empty() && !output.specific.contains_key("watchPaths"),
        Word::Silent | Word::Plain(_) => v.end != Ended::Two,
        _ => false,
    };
    let Some(left) = left_alone(scene).filter(|_| scene.voices.iter().all(names_none)) else { return };
    if scene.session.watched.as_ref() != Some(&left) {
        claims.set(Slot::WatchPaths, Must::Be(Value::from(left)), rule!("CWD-OUT-01"), &[]);
    } else if let Some(rule) = scene.unused() {
        // To clear a list on which nothing stands is no mistake.
        let has_done = |v: &Voice<'_>| v.succeeded() || v.object().is_some();
        let may_clear = left.is_empty() && scene.row.event == Event::CwdChanged && scene.voices.iter().all(has_done);
        if !may_clear || scene.oracle().is(reading!("A-168", "kept")) {
            claims.set(Slot::WatchPaths, Must::Absent, rule, &[]);
        }
    }
}

fn around(scene: &Scene<'_, '_>, voice: &Voice<'_>, rules: &Rules, claims: &mut Claims) {
    envelope::stderr(voice, claims);
    envelope::stdout(scene, voice, claims);
    if voice.end == Ended::Two {
        claims.keep_from(Audience::Model, &voice.err, rules.no_say.exit_2);
    }
    let Some(output) = voice.object() else { return };
    if output.stops() {
        claims.agent(Agent::GoesOn, rules.universal, &[]);
        if let Some(reason) = &output.stop_reason {
            claims.keep_from(Audience::User, reason, rules.universal);
        }
    }
    message(scene, voice, output, rules.universal, claims);
    envelope::stray(scene, voice, output, claims);
    envelope::terminal_sequence(scene, voice, output, claims);
}

/// A message is for the terminal. Of a session without one it is only said that an SDK does not get it.
fn message(scene: &Scene<'_, '_>, voice: &Voice<'_>, output: &Output, rule: RuleId, claims: &mut Claims) {
    match (scene.session.case.host.surface, &output.system_message) {
        (Surface::Terminal, _) => envelope::warning_if_it_counts(rule, scene, voice, output, claims),
        (Surface::Sdk, Some(message)) => {
            for to in [Audience::Caller, Audience::User] {
                claims.keep_from(to, message, rule);
            }
        }
        _ => {}
    }
}

/// The paths that are watched from now on because hooks say so.
pub(super) fn paths(scene: &mut Scene<'_, '_>, rules: &Paths, claims: &mut Claims) {
    let given = |voice| Some((voice, Voice::object(voice)?.specific.get("watchPaths")?));
    let mut lists = scene.voices.iter().filter_map(given);
    let now = match (lists.next(), lists.next()) {
        (None, _) => left_alone(scene),
        (Some((voice, _)), None) if voice.end != Ended::Two && !scene.counts(voice) => {
            claims.set(Slot::WatchPaths, Must::Absent, rule!("EXIT-N-21"), &[]);
            left_alone(scene)
        }
        // Which of several counts is open, and so is whether one does beside exit code 2.
        (Some((voice, paths)), None) if voice.end != Ended::Two => {
            let there = scene.session.watched.as_ref();
            let list = certain(paths);
            let by = match list {
                Some(list) if list.is_empty() => rules.cleared,
                _ => Some(voice.by(rules.replaced)),
            };
            // Of the beginning of a session it is not said that what was watched before is not watched any more.
            let list = list.filter(|_| rules.cleared.is_some() || there.is_some_and(Vec::is_empty));
            // Where the list may have been just this before, nothing need be told of it.
            if let (Some(list), Some(there), Some(rule)) = (list, there, by)
                && there != list
            {
                in_any_order(list, rule, claims);
            }
            list.cloned()
        }
        _ => None,
    };
    scene.session.watched = now;
}

/// What is watched from now on. In which order paths are told is not said.
fn in_any_order(list: &[Value], rule: RuleId, claims: &mut Claims) {
    let must = match list {
        [] | [_] => Must::Be(Value::from(list)),
        [one, other] => Must::BeOneOf(vec![json!([one, other]), json!([other, one])]),
        _ => return,
    };
    claims.set(Slot::WatchPaths, must, rule, &[]);
}

/// What is watched is not certain any more, where a hook said anything of it.
pub(super) fn forget(scene: &mut Scene<'_, '_>) {
    if scene.voices.iter().any(|v| v.object().is_some_and(|o| o.specific.contains_key("watchPaths"))) {
        scene.session.watched = None;
    }
}

/// The list where no hook that counts says anything of it. Whether a change of directory leaves it as it is, is open.
fn left_alone(scene: &Scene<'_, '_>) -> Option<Vec<Value>> {
    let there = scene.session.watched.clone()?;
    if there.is_empty() || scene.row.event != Event::CwdChanged {
        return Some(there);
    }
    let names_none = |v: &Voice<'_>| match &v.word {
        Word::Object(output) => !output.specific.contains_key("watchPaths"),
        word => matches!(word, Word::Silent | Word::Plain(_)),
    };
    let quiet = scene.voices.iter().all(|v| v.succeeded() && names_none(v));
    (quiet && !scene.voices.is_empty())
        .then(|| if scene.oracle().is(reading!("A-168", "kept")) { there } else { Vec::new() })
}

/// A list of paths, if it is certain how they are written once they are watched.
fn certain(paths: &Value) -> Option<&Vec<Value>> {
    let list = paths.as_array()?;
    let plain = |path: &str| is_plain_absolute(path) && !path.ends_with('/') && !path.contains("//");
    let absolute = list.iter().all(|path| path.as_str().is_some_and(plain));
    let apart = list.iter().enumerate().all(|(i, path)| !list[..i].contains(path));
    (absolute && apart).then_some(list)
}
