//! Messages as they go over a wire: a header that says how long they are, and JSON.

use super::server::Server;
use lsp_server::Message;
use std::io::{self, BufRead, ErrorKind, Write};

/// A longer message is not read.
const LONGEST: usize = 64 << 20;

/// A longer line is no line of a header.
const LONGEST_LINE: u64 = 4096;

/// The next message; none if there are no more. One that is no message is passed over.
pub(super) fn read(input: &mut dyn BufRead) -> io::Result<Option<Message>> {
    loop {
        let Some(length) = length(input)? else {
            return Ok(None);
        };
        if length > LONGEST {
            return Err(io::Error::new(
                ErrorKind::InvalidData,
                "a message is too long",
            ));
        }
        let mut bytes = vec![0; length];
        input.read_exact(&mut bytes)?;
        if let Ok(message) = serde_json::from_slice(&bytes) {
            return Ok(Some(message));
        }
    }
}

/// How long the next message is; nothing if there is none.
fn length(input: &mut dyn BufRead) -> io::Result<Option<usize>> {
    let mut length = None;
    loop {
        let mut line = Vec::new();
        let read = io::Read::take(&mut *input, LONGEST_LINE).read_until(b'\n', &mut line)?;
        if read == 0 {
            return Ok(None);
        }
        let line = String::from_utf8_lossy(&line);
        let line = line.trim_end();
        match line.split_once(':') {
            _ if line.is_empty() => match length {
                Some(length) => return Ok(Some(length)),
                None => continue,
            },
            Some((name, value)) if name.eq_ignore_ascii_case("content-length") => {
                let value = value.trim().parse();
                let wrong = |_| io::Error::new(ErrorKind::InvalidData, "a message has no length");
                length = Some(value.map_err(wrong)?);
            }
            _ => {}
        }
    }
}

/// Sends what the server has to say.
pub(super) fn send(server: &mut Server, out: &mut dyn Write) -> io::Result<()> {
    for message in server.out.drain(..) {
        let mut bytes = Vec::new();
        message.write(&mut bytes)?;
        out.write_all(&bytes)?;
    }
    out.flush()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_no_message_is_passed_over() {
        let good = "{\"jsonrpc\":\"2.0\",\"method\":\"exit\"}";
        let mut text = String::new();
        for body in ["{", good, "[]"] {
            text.push_str(&format!("content-length: {}\r\n\r\n{body}", body.len()));
        }
        let mut input = text.as_bytes();
        let Ok(Some(Message::Notification(note))) = read(&mut input) else {
            panic!("expected a notification");
        };
        assert_eq!(note.method, "exit");
        assert!(read(&mut input).unwrap().is_none());
    }

    #[test]
    fn a_message_that_is_too_long_ends_all() {
        let far = "Content-Length: 99999999999999\r\n\r\n";
        assert!(read(&mut far.as_bytes()).is_err());
        let no = "Content-Length: many\r\n\r\n";
        assert!(read(&mut no.as_bytes()).is_err());
        let cut = "Content-Length: 10\r\n\r\n{}";
        assert!(read(&mut cut.as_bytes()).is_err());
        // A line that has no end.
        let flood = "x".repeat(1 << 20);
        assert!(read(&mut flood.as_bytes()).unwrap().is_none());
    }
}
