//! An editor that speaks with the language server. Benches use it, too.

use serde_json::{Value, json};
use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Child, ChildStdin, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::time::{Duration, Instant};

/// So long an answer may take on a busy machine.
const PATIENCE: Duration = Duration::from_secs(120);

/// An editor.
pub struct Editor {
    child: Child,
    input: Option<ChildStdin>,
    messages: Receiver<Value>,
    requests: i64,
    /// What the server said that was no answer.
    pub heard: Vec<Value>,
    /// What the server can do.
    pub capabilities: Value,
}

/// What an editor calls a file.
pub fn uri(path: &Path) -> String {
    format!("file://{}", path.display())
}

fn next(input: &mut impl BufRead) -> Option<Value> {
    let mut length = 0;
    loop {
        let mut line = String::new();
        if input.read_line(&mut line).ok()? == 0 {
            return None;
        }
        match line.trim().split_once(": ") {
            Some((_, value)) => length = value.parse().unwrap(),
            None => break,
        }
    }
    let mut bytes = vec![0; length];
    input.read_exact(&mut bytes).ok()?;
    Some(serde_json::from_slice(&bytes).unwrap())
}

impl Editor {
    /// An editor with a folder, that counts characters so, and has these options.
    pub fn new(folder: &Path, encoding: &str, options: Value) -> Self {
        let mut command = crate::endstep();
        command
            .arg("lsp")
            .stdin(Stdio::piped())
            .stdout(Stdio::piped());
        let mut child = command.spawn().unwrap();
        let (sender, messages) = channel();
        let mut output = BufReader::new(child.stdout.take().unwrap());
        std::thread::spawn(move || {
            while let Some(message) = next(&mut output) {
                if sender.send(message).is_err() {
                    break;
                }
            }
        });
        let mut editor = Self {
            input: child.stdin.take(),
            child,
            messages,
            requests: 0,
            heard: Vec::new(),
            capabilities: Value::Null,
        };
        let answer = editor.ask(
            "initialize",
            json!({
                "processId": null,
                "rootUri": uri(folder),
                "capabilities": {
                    "general": { "positionEncodings": [encoding] },
                    "window": { "workDoneProgress": true },
                },
                "initializationOptions": options,
            }),
        );
        editor.capabilities = answer["capabilities"].clone();
        editor.tell("initialized", json!({}));
        editor
    }

    pub fn send(&mut self, mut message: Value) {
        message["jsonrpc"] = json!("2.0");
        let text = message.to_string();
        let input = self.input.as_mut().unwrap();
        write!(input, "Content-Length: {}\r\n\r\n{text}", text.len()).unwrap();
        input.flush().unwrap();
    }

    pub fn tell(&mut self, method: &str, params: Value) {
        self.send(json!({ "method": method, "params": params }));
    }

    /// The answer of the server: its result, or its error under `error`.
    pub fn ask(&mut self, method: &str, params: Value) -> Value {
        self.requests += 1;
        let id = json!(self.requests);
        self.send(json!({ "id": id, "method": method, "params": params }));
        let until = Instant::now() + PATIENCE;
        loop {
            let message = self
                .hear(until)
                .unwrap_or_else(|| panic!("no answer to {method}"));
            if message.get("method").is_some() || message["id"] != id {
                self.heard.push(message);
            } else if message.get("error").is_some() {
                return json!({ "error": message["error"] });
            } else {
                return message["result"].clone();
            }
        }
    }

    fn hear(&mut self, until: Instant) -> Option<Value> {
        let patience = until.saturating_duration_since(Instant::now());
        match self.messages.recv_timeout(patience) {
            Ok(message) => Some(message),
            Err(RecvTimeoutError::Timeout) => None,
            Err(RecvTimeoutError::Disconnected) => panic!("the server has ended"),
        }
    }

    /// Waits until the server says something of this kind, and takes it.
    pub fn until(&mut self, method: &str, is: impl Fn(&Value) -> bool) -> Value {
        let until = Instant::now() + PATIENCE;
        loop {
            let found = self
                .heard
                .iter()
                .position(|one| one["method"] == method && is(&one["params"]));
            if let Some(at) = found {
                return self.heard.remove(at)["params"].clone();
            }
            let message = self.hear(until).unwrap_or_else(|| panic!("no {method}"));
            self.heard.push(message);
        }
    }

    pub fn open(&mut self, path: &Path, text: &str) {
        let document =
            json!({ "uri": uri(path), "languageId": "endstep", "version": 1, "text": text });
        self.tell("textDocument/didOpen", json!({ "textDocument": document }));
    }

    pub fn change(&mut self, path: &Path, version: i64, changes: Value) {
        let document = json!({ "uri": uri(path), "version": version });
        self.tell(
            "textDocument/didChange",
            json!({ "textDocument": document, "contentChanges": changes }),
        );
    }

    /// What is wrong with a file, as it was said last.
    pub fn diagnostics(&mut self, path: &Path) -> Vec<Value> {
        let uri = uri(path);
        let said = self.heard.iter().rev();
        let mut said = said.filter(|one| one["method"] == "textDocument/publishDiagnostics");
        let last = said.find(|one| one["params"]["uri"] == uri.as_str());
        last.map_or_else(Vec::new, |one| {
            one["params"]["diagnostics"].as_array().unwrap().clone()
        })
    }

    /// How much memory the server has, in kB, where the system tells.
    pub fn memory(&self) -> Option<u64> {
        let status = std::fs::read_to_string(format!("/proc/{}/status", self.child.id())).ok()?;
        let line = status
            .lines()
            .find_map(|line| line.strip_prefix("VmRSS:"))?;
        line.trim().split(' ').next()?.parse().ok()
    }

    /// Leaves; the exit code of the server.
    pub fn leave(mut self) -> Option<i32> {
        assert_eq!(self.ask("shutdown", Value::Null), Value::Null);
        self.tell("exit", Value::Null);
        self.child.wait().unwrap().code()
    }
}

impl Drop for Editor {
    fn drop(&mut self) {
        self.input = None;
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
