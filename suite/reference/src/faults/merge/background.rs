//! Faults of the third step: what is kept of commands in the background.

use crate::{
    Scene,
    merge::{Answered, Decision, Remark, merge},
};
use hookproof_contract::Audience;

pub(in crate::faults) fn news_lost<'a>(scene: &Scene<'a>, answers: Vec<Answered<'a>>) -> Decision {
    let mut decision = merge(scene, answers);
    decision.later.news.clear();
    decision
}

pub(in crate::faults) fn last_news_only<'a>(scene: &Scene<'a>, answers: Vec<Answered<'a>>) -> Decision {
    let mut decision = merge(scene, answers);
    let news = &mut decision.later.news;
    if let Some(last) = news.last().map(|remark| remark.by.clone()) {
        news.retain(|remark| remark.by == last);
    }
    decision
}

pub(in crate::faults) fn late_notes_count<'a>(scene: &Scene<'a>, answers: Vec<Answered<'a>>) -> Decision {
    let late = answers.iter().filter(|(_, answer)| answer.late.is_some());
    let notes = late.filter_map(|(handler, answer)| {
        Some(Remark::new(Audience::Classifier, None, &handler.name, answer.output()?.note.clone()?))
    });
    let notes: Vec<Remark> = notes.collect();
    let mut decision = merge(scene, answers);
    decision.said.extend(notes);
    decision
}
