//! What holds around the decisions about tasks and teammates (chapter *agents*): their events are not said to be of the standard
//! decision model. So nothing is claimed of notices, and JSON is certain to count only where the hook succeeded.

use super::{Scene, blocking::Block, envelope};
use crate::{
    claims::{Claims, head},
    spill,
    voice::{Ended, Voice, Word},
};
use hookproof_contract::{Audience, Lies, Manner, Must, Place, RuleId, Say, Text, bare, rule};

/// What each handler says to others than the decision is about.
pub(super) fn around(scene: &Scene<'_, '_>, voice: &Voice<'_>, claims: &mut Claims) {
    envelope::stderr(voice, claims);
    envelope::stdout(scene, voice, claims);
    if voice.end == Ended::Two && voice.word == Word::Invalid {
        envelope::invalid_beside_exit_2(scene, claims);
    }
    let Some(output) = voice.object() else { return };
    envelope::stray(scene, voice, output, claims);
    envelope::terminal_sequence(scene, voice, output, claims);
    if voice.succeeded() {
        envelope::warning(scene, voice, output, claims);
    }
}

/// The model is told why, by one of the blocks at least, if each has something to say. In which manner is claimed only where the
/// event's section says so.
pub(super) fn told(blocks: &[(&Voice<'_>, Block<'_>)], how: Option<Manner>, claims: &mut Claims) {
    if let [(_, Block { displaced: Some(stderr), .. })] = blocks {
        claims.keep_from(Audience::Model, stderr, rule!("EXIT-2-05"));
    }
    let messages: Vec<(&str, RuleId)> =
        blocks.iter().filter_map(|(_, block)| block.message).filter(|(text, _)| !bare(text).is_empty()).collect();
    let Some((first, rule)) = messages.first().filter(|_| messages.len() == blocks.len()) else {
        return;
    };
    if messages.iter().all(|(text, _)| text == first) && spill::is_short(first) {
        let say = Say { parts: vec![Text::from(bare(first))], how, lies: Lies::InText };
        return claims.say(Audience::Model, say, *rule, &[]);
    }
    // Which of several is told is not said, nor whether a long one lies in a file.
    let says = messages.iter().map(|(text, _)| Say { parts: vec![Text::from(head(text))], how, ..Say::default() });
    claims.claim(Place::Said(Audience::Model), Must::SayAny(says.collect()), *rule, &[]);
}
