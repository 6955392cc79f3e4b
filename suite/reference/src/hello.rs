//! How the reference introduces itself.

use hookproof_contract::{
    Audience, Event, Field, Place, Readings, Revision, Slot,
    message::{Candidate, Depth, Hello, PROTOCOL},
};

/// Who the reference is and what it can do.
#[must_use]
pub fn hello() -> Hello {
    let said = [
        Audience::Model,
        Audience::User,
        Audience::Debug,
        Audience::Terminal,
        Audience::Classifier,
        Audience::Caller,
        Audience::Server,
    ];
    let set = [
        Slot::ToolInput,
        Slot::ToolOutput,
        Slot::SessionTitle,
        Slot::McpReply,
        Slot::WorktreePath,
        Slot::PromptLabel,
        Slot::TaskGone,
        Slot::FirstPrompt,
        Slot::WatchPaths,
        Slot::SkillsReloaded,
        Slot::Display,
        Slot::RetryAllowed,
        Slot::Permissions,
        Slot::PermissionMode,
        Slot::Environment,
    ];
    let given = [Field::Input, Field::Timeout, Field::Headers, Field::Arguments, Field::Prompt, Field::Shell];
    let plain = [Place::Ran, Place::Fate, Place::Agent];
    Hello {
        protocol: PROTOCOL,
        candidate: Candidate {
            name: "reference".to_owned(),
            version: env!("CARGO_PKG_VERSION").to_owned(),
            language: "rust".to_owned(),
            homepage: String::new(),
        },
        revision: Revision::NEWEST,
        depths: vec![Depth::Resolve],
        events: Event::ALL.into_iter().collect(),
        handlers: ["command", "http", "mcp_tool", "prompt", "agent"].map(str::to_owned).into_iter().collect(),
        capabilities: ["session", "if", "async", "once", "agents", "trust", "policy"]
            .map(str::to_owned)
            .into_iter()
            .collect(),
        observes: plain
            .into_iter()
            .chain(given.map(Place::Given))
            .chain(said.map(Place::Said))
            .chain(set.map(Place::Set))
            .collect(),
        postures: Readings::default(),
        max_in_flight: 64,
    }
}

#[cfg(test)]
mod tests {
    use super::hello;
    use hookproof_contract::Place;

    #[test]
    fn the_reference_says_what_it_observes() {
        let hello = hello();
        assert_eq!(hello.candidate.name, "reference");
        assert_eq!(hello.observes.len(), 31);
        assert!(hello.observes.contains(&"set/prompt_label".parse::<Place>().expect("a place")));
    }
}
