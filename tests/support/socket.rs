//! The Chrome DevTools Protocol over one WebSocket: a command waits for its answer, events are kept meanwhile.

use serde_json::{Value, json};
use std::net::TcpStream;
use std::time::Duration;
use tungstenite::{Message, WebSocket};

/// How long the browser may take to answer anything.
const PATIENCE: Duration = Duration::from_secs(60);

pub struct Socket {
    ws: WebSocket<TcpStream>,
    id: u64,
    /// Everything that arrived unasked, in order.
    pub events: Vec<Value>,
}

impl Socket {
    /// Connects to `ws://HOST/PATH`.
    pub fn connect(host: &str, path: &str) -> Socket {
        let tcp = TcpStream::connect(host).expect("the browser listens");
        tcp.set_nodelay(true).unwrap();
        tcp.set_read_timeout(Some(PATIENCE)).unwrap();
        let config =
            tungstenite::protocol::WebSocketConfig::default().max_message_size(None).max_frame_size(None);
        let url = format!("ws://{host}/{path}");
        let (ws, _) =
            tungstenite::client::client_with_config(url, tcp, Some(config)).expect("a DevTools socket");
        Socket { ws, id: 0, events: Vec::new() }
    }

    /// Sends a command and waits for its result.
    pub fn try_call(&mut self, method: &str, params: Value) -> Result<Value, String> {
        self.id += 1;
        let message = json!({ "id": self.id, "method": method, "params": params });
        self.ws.send(Message::text(message.to_string())).map_err(|e| format!("{method}: {e}"))?;
        loop {
            let answer = self.read(method);
            if answer["id"] == json!(self.id) {
                return match &answer["error"] {
                    Value::Null => Ok(answer["result"].clone()),
                    error => Err(format!("{method}: {error}")),
                };
            }
            self.events.push(answer);
        }
    }

    /// The same for a command that must work.
    pub fn call(&mut self, method: &str, params: Value) -> Value {
        self.try_call(method, params).unwrap_or_else(|e| panic!("{e}"))
    }

    /// Waits for an event among those that arrive from now on.
    pub fn wait(&mut self, method: &str) -> Value {
        loop {
            let event = self.read(method);
            self.events.push(event.clone());
            if event["method"] == method {
                return event;
            }
        }
    }

    fn read(&mut self, waiting_for: &str) -> Value {
        loop {
            match self.ws.read() {
                Ok(Message::Text(text)) => return serde_json::from_str(&text).expect("DevTools sends JSON"),
                Ok(_) => {}
                Err(e) => panic!("no answer from the browser to {waiting_for}: {e}"),
            }
        }
    }
}
