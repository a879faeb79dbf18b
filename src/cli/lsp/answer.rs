//! What becomes of requests.

use lsp_server::ErrorCode;
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;

/// Why a request has no result.
#[derive(Debug)]
pub(super) struct Refused(pub ErrorCode, pub String);

impl Refused {
    /// It cannot be done now.
    pub(super) fn failed(why: impl Into<String>) -> Self {
        Self(ErrorCode::RequestFailed, why.into())
    }
}

/// What becomes of a request.
pub(super) enum Outcome {
    /// This is the result.
    Now(Value),
    /// The result comes when it is known.
    Later,
}

/// What becomes of a request, or why nothing does.
pub(super) type Answer = Result<Outcome, Refused>;

/// A result that is known.
pub(super) fn now(result: impl Serialize) -> Answer {
    let value = serde_json::to_value(result);
    let why = |error: serde_json::Error| Refused(ErrorCode::InternalError, error.to_string());
    value.map(Outcome::Now).map_err(why)
}

/// The parameters of a request.
pub(super) fn params<T: DeserializeOwned>(value: Value) -> Result<T, Refused> {
    serde_json::from_value(value)
        .map_err(|error| Refused(ErrorCode::InvalidParams, error.to_string()))
}
