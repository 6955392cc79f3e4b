//! The names of models (chapter *model-switch*): which canonical name an alias or an id has.

use hookproof_contract::Host;

/// A suffix that is no part of a name.
const LONG_CONTEXT: &str = "[1m]";

/// The canonical name of a model, if the world of the case has one for it.
pub(crate) fn canonical<'a>(host: &'a Host, id: &'a str) -> Option<&'a str> {
    let bare = without_suffix(id);
    let named = host.models.get(id).or_else(|| host.models.get(bare)).map(String::as_str);
    let is_a_name = || host.models.values().any(|name| without_suffix(name) == bare);
    named.map(without_suffix).or_else(|| is_a_name().then_some(bare))
}

fn without_suffix(name: &str) -> &str {
    name.strip_suffix(LONG_CONTEXT).unwrap_or(name)
}

#[cfg(test)]
mod tests {
    use super::canonical;
    use hookproof_contract::Host;

    #[test]
    fn every_spelling_of_a_model_has_one_name() {
        let models = [("opus", "claude-opus-5"), ("arn:aws:opus", "claude-opus-5")];
        let host = Host { models: models.map(|(id, name)| (id.to_owned(), name.to_owned())).into(), ..Host::default() };
        for (id, name) in [
            ("opus", Some("claude-opus-5")),
            ("opus[1m]", Some("claude-opus-5")),
            ("arn:aws:opus", Some("claude-opus-5")),
            ("claude-opus-5", Some("claude-opus-5")),
            ("claude-opus-5[1m]", Some("claude-opus-5")),
            ("claude-opus", None),
            ("house-model", None),
        ] {
            assert_eq!(canonical(&host, id), name, "{id}");
        }
    }
}
