//! A page in the browser: what a reader does to it, and what can be seen of it.

use super::browser::Browser;
use super::keys::key;
use super::socket::Socket;
use serde_json::{Value, json};
use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// How long anything on a page may take; machines that run tests are slow at times.
const PATIENCE: Duration = Duration::from_secs(20);

/// Reports what the page's policy blocked where `problems` sees it.
const REPORT: &str = "document.addEventListener('securitypolicyviolation', e => \
    console.error('policy', e.violatedDirective, e.blockedURI, e.sourceFile, e.lineNumber))";

/// Where the middle of `this` is, unless it moved since the frame before or something else is there.
const STILL: &str = "async function () {
    this.scrollIntoView({ block: 'nearest', behavior: 'instant' });
    const middle = () => { const b = this.getBoundingClientRect(); return [b.x + b.width / 2, b.y + b.height / 2] };
    const frame = () => new Promise(requestAnimationFrame);
    await frame();
    const [x, y] = middle();
    await frame();
    await frame();
    const [right, below] = middle();
    const there = document.elementFromPoint(right, below);
    return x === right && y === below && this.contains(there) ? [x, y] : null;
}";

pub struct Page {
    browser: Arc<Browser>,
    context: String,
    socket: Socket,
}

impl Page {
    /// An empty page, 1280 by 900 pixels, light, with nothing stored.
    pub fn new() -> Page {
        let browser = Browser::shared();
        let (context, target) = browser.page();
        let socket = Socket::connect(&browser.host, &format!("devtools/page/{target}"));
        let mut page = Page { browser, context, socket };
        for domain in ["Page", "Runtime", "Log", "Network", "DOM", "Accessibility"] {
            page.call(&format!("{domain}.enable"), json!({}));
        }
        page.before(REPORT);
        page.viewport(1280, 900);
        page.media(&[]);
        page
    }

    /// A page at an address, loaded.
    pub fn open(url: &str) -> Page {
        let mut page = Page::new();
        page.goto(url);
        page
    }

    /// A DevTools command.
    pub fn call(&mut self, method: &str, params: Value) -> Value {
        self.socket.call(method, params)
    }

    /// Sets the size of the window in CSS pixels.
    pub fn viewport(&mut self, width: u32, height: u32) {
        let metrics = json!({ "width": width, "height": height, "deviceScaleFactor": 1, "mobile": false });
        self.call("Emulation.setDeviceMetricsOverride", metrics);
    }

    /// Sets media features, such as `("prefers-color-scheme", "dark")`; those not named have their usual values.
    pub fn media(&mut self, features: &[(&str, &str)]) {
        let usual = [
            ("prefers-color-scheme", "light"),
            ("prefers-reduced-motion", "no-preference"),
            ("forced-colors", "none"),
        ];
        let value = |name: &str| features.iter().chain(&usual).find(|f| f.0 == name).unwrap().1;
        let features: Vec<_> = usual.map(|(name, _)| json!({ "name": name, "value": value(name) })).into();
        self.call("Emulation.setEmulatedMedia", json!({ "features": features }));
    }

    /// Lets pages run scripts or not, from the next page on.
    pub fn scripts(&mut self, on: bool) {
        self.call("Emulation.setScriptExecutionDisabled", json!({ "value": !on }));
    }

    /// Runs a script before the scripts of every page from the next on.
    pub fn before(&mut self, script: &str) {
        self.call("Page.addScriptToEvaluateOnNewDocument", json!({ "source": script }));
    }

    /// Lets requests fail whose addresses match a pattern, such as `*.wasm`.
    pub fn block(&mut self, patterns: &[&str]) {
        let patterns: Vec<_> = patterns.iter().map(|p| json!({ "urlPattern": p, "block": true })).collect();
        let all = json!({ "urlPatterns": patterns });
        if self.socket.try_call("Network.setBlockedURLs", all).is_err() {
            let urls: Vec<_> = patterns.iter().map(|p| p["urlPattern"].clone()).collect();
            self.call("Network.setBlockedURLs", json!({ "urls": urls }));
        }
    }

    /// Cuts the network, or connects it again.
    pub fn offline(&mut self, offline: bool) {
        let network =
            json!({ "offline": offline, "latency": 0, "downloadThroughput": -1, "uploadThroughput": -1 });
        self.call("Network.emulateNetworkConditions", network);
    }

    /// Makes the processor so many times slower.
    pub fn throttle(&mut self, times: u32) {
        self.call("Emulation.setCPUThrottlingRate", json!({ "rate": times }));
    }

    /// Goes to an address and waits until the page has loaded.
    pub fn goto(&mut self, url: &str) {
        let went = self.call("Page.navigate", json!({ "url": url }));
        assert!(went["errorText"].is_null(), "{url}: {}", went["errorText"]);
        // Within the same document nothing loads. Events on the way to the answer belong to the old page.
        if went["loaderId"].is_string() {
            self.loaded(&went["loaderId"]);
        }
    }

    /// Loads the page again.
    pub fn reload(&mut self) {
        self.call("Page.reload", json!({}));
        self.socket.wait("Page.loadEventFired");
    }

    /// Waits until the document that this loader brings is there, with all that belongs to it.
    fn loaded(&mut self, loader: &Value) {
        let end = Instant::now() + PATIENCE;
        loop {
            let frames = self.call("Page.getFrameTree", json!({}));
            let here = frames["frameTree"]["frame"]["loaderId"] == *loader;
            if here && self.try_eval("document.readyState").is_ok_and(|state| state == "complete") {
                return;
            }
            assert!(Instant::now() < end, "the page does not load: {frames}");
            std::thread::sleep(Duration::from_millis(20));
        }
    }

    /// The value of an expression, awaited when it is a promise.
    pub fn eval(&mut self, js: &str) -> Value {
        self.try_eval(js).unwrap_or_else(|e| panic!("{e}"))
    }

    fn try_eval(&mut self, js: &str) -> Result<Value, String> {
        let how =
            json!({ "expression": js, "awaitPromise": true, "returnByValue": true, "userGesture": true });
        let result = self.socket.try_call("Runtime.evaluate", how)?;
        match &result["exceptionDetails"] {
            Value::Null => Ok(result["result"]["value"].clone()),
            thrown => Err(format!("{js}: {thrown}")),
        }
    }

    /// Waits until an expression is true, or anything but null, false, zero and "", and returns its value.
    pub fn until(&mut self, js: &str) -> Value {
        let end = Instant::now() + PATIENCE;
        loop {
            // A page that is just being replaced may throw.
            let value = self.try_eval(js).unwrap_or_default();
            if ![Value::Null, json!(false), json!(0), json!("")].contains(&value) {
                return value;
            }
            if Instant::now() > end {
                let problems = self.problems();
                panic!("this never became true: {js}\nproblems of the page: {problems:?}");
            }
            std::thread::sleep(Duration::from_millis(20));
        }
    }

    /// Shows the page that somebody is there, so that its program starts.
    pub fn wake(&mut self) {
        self.eval("dispatchEvent(new Event('pointermove'))");
    }

    /// Waits until the page's program runs.
    pub fn ready(&mut self) {
        self.wake();
        self.until("'ready' in document.documentElement.dataset");
    }

    /// The text of the first element that a selector matches.
    pub fn text(&mut self, css: &str) -> String {
        let text = self.until(&format!("document.querySelector({})?.textContent", json!(css)));
        text.as_str().unwrap_or_default().trim().to_string()
    }

    /// The DevTools id of the one element with this role and accessible name, waited for.
    pub fn find(&mut self, role: &str, name: &str) -> u64 {
        let end = Instant::now() + PATIENCE;
        loop {
            let found = self.all(role, name);
            match found[..] {
                [one] => return one,
                [] if Instant::now() < end => std::thread::sleep(Duration::from_millis(20)),
                [] => panic!("there is no {role} called {name:?}"),
                _ => panic!("there are {} of {role} called {name:?}", found.len()),
            }
        }
    }

    /// The DevTools ids of all elements with this role and accessible name.
    pub fn all(&mut self, role: &str, name: &str) -> Vec<u64> {
        let root = self.call("DOM.getDocument", json!({ "depth": 0 }));
        let query = json!({ "nodeId": root["root"]["nodeId"], "role": role, "accessibleName": name });
        let Ok(found) = self.socket.try_call("Accessibility.queryAXTree", query) else { return Vec::new() };
        let nodes = found["nodes"].as_array().cloned().unwrap_or_default();
        nodes
            .iter()
            .filter(|n| n["ignored"] == false)
            .filter_map(|n| n["backendDOMNodeId"].as_u64())
            .collect()
    }

    /// Clicks the element with this role and accessible name, once it stands still and nothing covers it.
    pub fn click(&mut self, role: &str, name: &str) {
        let end = Instant::now() + PATIENCE;
        loop {
            let node = self.find(role, name);
            match self.still(node) {
                Some((x, y)) => return self.press_at(x, y),
                None => assert!(Instant::now() < end, "the {role} called {name:?} cannot be clicked"),
            }
        }
    }

    /// The middle of an element in the window, when the page has stopped moving it and a click there meets it.
    fn still(&mut self, node: u64) -> Option<(f64, f64)> {
        let object = self.socket.try_call("DOM.resolveNode", json!({ "backendNodeId": node })).ok()?;
        let how = json!({
            "objectId": object["object"]["objectId"],
            "functionDeclaration": STILL,
            "awaitPromise": true,
            "returnByValue": true,
        });
        let at = self.socket.try_call("Runtime.callFunctionOn", how).ok()?;
        let at = &at["result"]["value"];
        Some((at[0].as_f64()?, at[1].as_f64()?))
    }

    /// Presses and releases the mouse at a place of the window.
    pub fn press_at(&mut self, x: f64, y: f64) {
        for kind in ["mouseMoved", "mousePressed", "mouseReleased"] {
            let button = if kind == "mouseMoved" { "none" } else { "left" };
            let event = json!({ "type": kind, "x": x, "y": y, "button": button, "clickCount": 1 });
            self.call("Input.dispatchMouseEvent", event);
        }
    }

    /// Focuses the element with this role and accessible name.
    pub fn focus(&mut self, role: &str, name: &str) {
        let node = self.find(role, name);
        self.call("DOM.focus", json!({ "backendNodeId": node }));
    }

    /// Presses and releases a key, such as `ArrowRight`, `Tab` or `k`.
    pub fn key(&mut self, name: &str) {
        let (key, code, number, text) = key(name);
        let mut event =
            json!({ "type": "keyDown", "key": key, "code": code, "windowsVirtualKeyCode": number });
        if let Some(text) = text {
            event["text"] = json!(text);
        }
        self.call("Input.dispatchKeyEvent", event.clone());
        event["type"] = json!("keyUp");
        self.call("Input.dispatchKeyEvent", event);
    }

    /// Writes a picture of what the window shows.
    pub fn screenshot(&mut self, file: &Path) {
        let picture = self.call("Page.captureScreenshot", json!({ "format": "png" }));
        let bytes = data_encoding::BASE64.decode(picture["data"].as_str().unwrap().as_bytes()).unwrap();
        std::fs::write(file, bytes).unwrap();
    }

    /// Exceptions, console errors and warnings, failed requests and what the policy blocked, since the start.
    pub fn problems(&mut self) -> Vec<String> {
        // The answer to this comes after everything that has happened so far.
        let _ = self.try_eval("0");
        self.socket.events.iter().filter_map(problem).collect()
    }

    /// Addresses that the page has asked for, since the start.
    pub fn requests(&mut self) -> Vec<String> {
        let _ = self.try_eval("0");
        let sent = self.socket.events.iter().filter(|e| e["method"] == "Network.requestWillBeSent");
        sent.filter_map(|e| e["params"]["request"]["url"].as_str().map(String::from)).collect()
    }

    /// Forgets problems and requests so far.
    pub fn forget(&mut self) {
        let _ = self.try_eval("0");
        self.socket.events.clear();
    }
}

impl Drop for Page {
    fn drop(&mut self) {
        if !std::thread::panicking() {
            self.browser.call("Target.disposeBrowserContext", json!({ "browserContextId": self.context }));
        }
    }
}

/// What is wrong about an event, if anything is.
fn problem(event: &Value) -> Option<String> {
    let params = &event["params"];
    match event["method"].as_str()? {
        "Runtime.exceptionThrown" => {
            let details = &params["exceptionDetails"];
            Some(format!("exception: {} {}", details["text"], details["exception"]["description"]))
        }
        "Runtime.consoleAPICalled" if params["type"] == "error" || params["type"] == "warning" => {
            let said = params["args"].as_array()?.iter();
            let said: Vec<_> =
                said.map(|a| a.get("value").unwrap_or(&a["description"]).to_string()).collect();
            Some(format!("console: {}", said.join(" ")))
        }
        "Log.entryAdded" if params["entry"]["level"] == "error" || params["entry"]["level"] == "warning" => {
            Some(format!("log: {} {}", params["entry"]["text"], params["entry"]["url"]))
        }
        _ => None,
    }
}
