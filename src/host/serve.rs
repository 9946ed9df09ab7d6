//! The site on this machine: built, served, and built again when a file changes.

use super::files::{Files, Reply};
use super::prerender::Base;
use super::run::{cargo, run};
use super::{Error, Project, build, watch};
use std::io::{ErrorKind, Write};
use std::net::{Ipv4Addr, TcpListener};
use std::sync::{Arc, PoisonError, RwLock};

/// How many requests are answered at the same time.
const THREADS: usize = 4;

/// A folder that may be replaced while it is served.
pub type Served = Arc<RwLock<Files>>;

/// Builds and serves the site until the process is stopped.
///
/// # Errors
/// When the port is taken, or the first build fails.
pub fn serve(project: &Project, port: u16) -> Result<(), Error> {
    // The port comes first: nobody should wait for a build to learn that it is taken.
    let listener = bind(port)?;
    let address = listener.local_addr().map_err(|e| Error::Failed(format!("cannot listen: {e}")))?;
    let (dist, next) = (project.target.join("serve/site"), project.target.join("serve/next"));
    let pages = build::build(project, &dist, &Base::default())?;
    let served: Served = Arc::new(RwLock::new(Files::new(&dist, "/")));
    listen(listener, &served)?;
    println!(
        "Mountpath: {pages} pages at http://{address}/ (Ctrl-C stops it; changes are built as they are saved)"
    );
    watch::watch(project, || {
        eprintln!("mountpath: something changed, building");
        // The change may be in this very program, so Cargo runs the new one.
        let mut child = cargo();
        child.args(["run", "--quiet", "--bin", "mountpath", "--", "build", "--dist"]).arg(&next);
        child.current_dir(&project.root).env("CARGO_TARGET_DIR", &project.target);
        let built = run(&mut child).and_then(|()| {
            let _alone = served.write().unwrap_or_else(PoisonError::into_inner);
            build::place(&next, &dist)
        });
        match built {
            Ok(()) => eprintln!("mountpath: built; reload the page"),
            Err(e) => eprintln!(
                "mountpath: {e}\nmountpath: http://{address}/ still shows the last build that worked"
            ),
        }
    })
}

/// Listens on this machine only.
///
/// # Errors
/// When the port is taken or not allowed, with what to do.
pub fn bind(port: u16) -> Result<TcpListener, Error> {
    TcpListener::bind((Ipv4Addr::LOCALHOST, port)).map_err(|e| {
        Error::Failed(match e.kind() {
            ErrorKind::AddrInUse => format!(
                "port {port} is taken: stop the program that listens there, or choose another port with --port N"
            ),
            ErrorKind::PermissionDenied => format!(
                "port {port} is not allowed for this user: choose one above 1023 with --port N"
            ),
            _ => format!("cannot listen on port {port}: {e}"),
        })
    })
}

/// Answers requests in threads of their own, and returns at once.
///
/// # Errors
/// When the listener cannot be used.
pub fn listen(listener: TcpListener, served: &Served) -> Result<(), Error> {
    let server = tiny_http::Server::from_listener(listener, None)
        .map_err(|e| Error::Failed(format!("cannot listen: {e}")))?;
    let server = Arc::new(server);
    for _ in 0..THREADS {
        let (server, served) = (server.clone(), served.clone());
        std::thread::spawn(move || {
            while let Ok(request) = server.recv() {
                let accept = request.headers().iter().find(|h| h.field.equiv("Accept-Encoding"));
                let accept = accept.map(|h| h.value.to_string()).unwrap_or_default();
                let files = served.read().unwrap_or_else(PoisonError::into_inner);
                let reply = files.reply(&request.method().to_string(), request.url(), &accept);
                drop(files);
                let bare = *request.method() == tiny_http::Method::Head;
                // A reader who has gone away is no error of ours.
                let _ = request.into_writer().write_all(&message(reply, bare));
            }
        });
    }
    Ok(())
}

/// A reply as it goes over the wire, for HEAD without its body.
///
/// It asks the browser to end the connection. tiny_http gives a connection a thread for as long as it is open, and of
/// two that come at once one may wait until another ends: with connections that stay open, for minutes.
fn message(reply: Reply, bare: bool) -> Vec<u8> {
    let phrase = tiny_http::StatusCode(reply.status).default_reason_phrase();
    let mut head = format!("HTTP/1.1 {} {phrase}\r\nConnection: close\r\n", reply.status);
    for (name, value) in &reply.headers {
        head.push_str(&format!("{name}: {value}\r\n"));
    }
    head.push_str(&format!("Content-Length: {}\r\n\r\n", reply.body.len()));
    let mut message = head.into_bytes();
    if !bare {
        message.extend(reply.body);
    }
    message
}
