//! What an editor wants: `initializationOptions`, and later `workspace/didChangeConfiguration`.
//!
//! ```json
//! { "endstep": { "check": "rest" } }
//! ```

use serde::Deserialize;
use serde_json::Value;

/// When specifications are looked at.
#[derive(Deserialize, Clone, Copy, PartialEq, Eq, Debug, Default)]
#[serde(rename_all = "lowercase")]
pub(super) enum When {
    /// When the text rests.
    #[default]
    Rest,
    /// When it is saved.
    Save,
    /// When somebody asks for it.
    Never,
}

/// What an editor wants.
#[derive(Deserialize, Clone, Copy, PartialEq, Eq, Debug)]
#[serde(default, rename_all = "camelCase")]
pub(super) struct Settings {
    /// When specifications are looked at.
    pub check: When,
    /// Whether hints are shown behind lines.
    pub hints: bool,
    /// Whether lenses are shown above lines.
    pub lenses: bool,
    /// Whether the editor shows by itself what commands return; else it is shown as a message.
    pub shows_results: bool,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            check: When::default(),
            hints: true,
            lenses: true,
            shows_results: false,
        }
    }
}

impl Settings {
    /// Those that a value says, alone or under `endstep`; none if it says something else.
    pub(super) fn of(value: &Value) -> Option<Result<Self, String>> {
        let own = value.get("endstep").unwrap_or(value);
        (!own.is_null()).then(|| Self::deserialize(own).map_err(|error| error.to_string()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn what_is_not_said_is_as_usual() {
        let told = Settings::of(&json!({ "endstep": { "check": "save" } }))
            .unwrap()
            .unwrap();
        assert_eq!((told.check, told.hints), (When::Save, true));
        assert_eq!(Settings::of(&Value::Null), None);
        assert!(
            Settings::of(&json!({ "check": "sometimes" }))
                .unwrap()
                .is_err()
        );
    }
}
