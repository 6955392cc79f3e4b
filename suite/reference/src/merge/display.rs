//! What is shown of a message of the assistant (MessageDisplay; chapter *display*).

use super::{Answered, Remark, hook_name};
use crate::{Scene, read::Ending};

/// The text in the place of the original: of several, that of the hook that ended last. One that failed has none to offer,
/// whatever it printed, and the log alone tells of it.
pub(super) fn merge(scene: &Scene<'_>, answers: Vec<Answered<'_>>, said: &mut Vec<Remark>) -> Option<String> {
    let mut shown = None;
    for (handler, mut answer) in answers {
        let how = match answer.ending {
            Ending::Done => {
                let text = answer.output_mut().and_then(|output| output.display.take());
                shown = text.filter(|text| !(text.is_empty() && scene.stance.blank_display_is_none)).or(shown);
                continue;
            }
            Ending::Blocking => "exited 2",
            Ending::Failed(ref how) => how,
            Ending::TimedOut => "reached its timeout",
        };
        said.push(Remark::debug(&handler.name, format!("{} hook failed: {how}", hook_name(scene, &handler.name))));
    }
    shown
}
