//! A Chromium without a window: found or installed, started once for all tests that run at the same time.

use super::socket::Socket;
use serde_json::{Value, json};
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, OnceLock, PoisonError, Weak};
use std::{env, fs};

const NAMES: [&str; 4] = ["chromium", "chromium-browser", "google-chrome", "chrome"];

const HOW: &str = "the browser tests need Chromium: install it (`sudo apt-get install chromium`, or see \
                   https://www.chromium.org), or set CHROMIUM to the program's path";

/// Sound, updates, translations and the GPU have no part in a test.
const FLAGS: [&str; 16] = [
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-dev-shm-usage",
    "--disable-quic",
    "--disable-sync",
    "--disable-extensions",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-default-apps",
    "--no-first-run",
    "--mute-audio",
    "--hide-scrollbars",
    "--force-color-profile=srgb",
    "--font-render-hinting=none",
    "--remote-debugging-port=0",
];

pub struct Browser {
    child: Child,
    folder: PathBuf,
    /// Where its DevTools listen.
    pub host: String,
    socket: Mutex<Socket>,
}

impl Browser {
    /// The browser that is running, or a new one. It ends with the last test that holds it.
    pub fn shared() -> Arc<Browser> {
        static RUNNING: Mutex<Weak<Browser>> = Mutex::new(Weak::new());
        let mut running = RUNNING.lock().unwrap_or_else(PoisonError::into_inner);
        running.upgrade().unwrap_or_else(|| {
            let browser = Arc::new(Browser::start());
            *running = Arc::downgrade(&browser);
            browser
        })
    }

    fn start() -> Browser {
        static NUMBER: AtomicUsize = AtomicUsize::new(0);
        let number = NUMBER.fetch_add(1, Ordering::Relaxed);
        let folder = env::temp_dir().join(format!("mountpath-test-{}-{number}", std::process::id()));
        let mut child = Command::new(program())
            .args(FLAGS)
            .arg(format!("--user-data-dir={}", folder.display()))
            .arg("about:blank")
            .stdout(Stdio::null())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap_or_else(|e| panic!("{HOW} ({e})"));
        let mut lines = BufReader::new(child.stderr.take().unwrap()).lines().map_while(Result::ok);
        let url = lines
            .find_map(|line| line.strip_prefix("DevTools listening on ws://").map(String::from))
            .expect("Chromium says where its DevTools listen");
        // Its pipe must stay open and empty.
        std::thread::spawn(move || lines.for_each(drop));
        let (host, path) = url.trim().split_once('/').unwrap();
        let socket = Mutex::new(Socket::connect(host, path));
        Browser { child, folder, host: host.into(), socket }
    }

    /// A command to the browser itself.
    pub fn call(&self, method: &str, params: Value) -> Value {
        self.socket.lock().unwrap_or_else(PoisonError::into_inner).call(method, params)
    }

    /// A new page with storage of its own: the ids of its context and of itself.
    pub fn page(&self) -> (String, String) {
        let id = |value: &Value| value.as_str().unwrap().to_string();
        let context = id(&self.call("Target.createBrowserContext", json!({}))["browserContextId"]);
        let target = json!({ "url": "about:blank", "browserContextId": context });
        let target = id(&self.call("Target.createTarget", target)["targetId"]);
        (context, target)
    }
}

impl Drop for Browser {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
        let _ = fs::remove_dir_all(&self.folder);
    }
}

/// The browser's program: `$CHROMIUM`, or one on the search path, or one installed now where that can be done.
fn program() -> &'static Path {
    static PROGRAM: OnceLock<PathBuf> = OnceLock::new();
    PROGRAM.get_or_init(|| {
        if let Some(path) = env::var_os("CHROMIUM").filter(|path| !path.is_empty()) {
            return PathBuf::from(path);
        }
        let found = || {
            let path = env::var_os("PATH").unwrap_or_default();
            let folders: Vec<_> = env::split_paths(&path).collect();
            NAMES.iter().flat_map(|n| folders.iter().map(move |f| f.join(n))).find(|p| p.is_file())
        };
        found().or_else(|| install().and_then(|()| found())).unwrap_or_else(|| panic!("{HOW}"))
    })
}

/// Installs Chromium and fonts with apt, as root only.
fn install() -> Option<()> {
    let user = Command::new("id").arg("-u").output().ok()?;
    if String::from_utf8_lossy(&user.stdout).trim() != "0" {
        return None;
    }
    eprintln!("mountpath: no Chromium for the browser tests yet: installing it with apt-get");
    let packages = ["chromium", "fonts-dejavu-core", "fonts-liberation"];
    let apt = |args: &[&str]| {
        let status = Command::new("apt-get").args(args).env("DEBIAN_FRONTEND", "noninteractive").status();
        status.ok().filter(|s| s.success()).map(drop)
    };
    apt(&["-qq", "update"])?;
    apt(&[&["-qq", "install", "-y", "--no-install-recommends"], &packages[..]].concat())
}
