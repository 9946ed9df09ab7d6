//! The host's own rules: addresses, style sheet and policy, serving files, versions of tools.
#![cfg(feature = "site")]

use data_encoding::BASE64;
use mountpath::host::files::{Files, Reply};
use mountpath::host::links::{rebase, root};
use mountpath::host::prerender::Base;
use mountpath::host::shell::{Content, Shell, policy};
use mountpath::host::{build, serve, style, tools};
use sha2::{Digest, Sha256};
use std::fs;
use std::io::{Read, Write};
use std::net::TcpStream;
use std::path::{Path, PathBuf};
use std::sync::{Arc, RwLock};

#[test]
fn the_root_is_as_many_folders_up_as_a_page_is_deep() {
    for (path, up) in
        [("/", "./"), ("/diagrams/", "../"), ("/diagrams/x/", "../../"), ("/a/b/c/", "../../../")]
    {
        assert_eq!(root(path), up, "{path}");
    }
}

#[test]
fn addresses_of_the_site_become_relative_and_nothing_else_changes() {
    let changed = [
        (r#"<a href="/">"#, r#"<a href="../../">"#),
        (r#"<a class="x" href="/diagrams/">"#, r#"<a class="x" href="../../diagrams/">"#),
        (r#"<a href="/diagrams/x/?step=3#y">"#, r#"<a href="../../diagrams/x/?step=3#y">"#),
        (r#"<a href='/labs/a.sh'>"#, r#"<a href='../../labs/a.sh'>"#),
        ("<img\n src=\"/a.svg\" alt=\"/a\">", "<img\n src=\"../../a.svg\" alt=\"/a\">"),
        (
            r#"<script src="/b.js" data-js="/a.js"></script>"#,
            r#"<script src="../../b.js" data-js="../../a.js"></script>"#,
        ),
        (r#"<html data-root="/">"#, r#"<html data-root="../../">"#),
        (r#"<b title="a > b" data-js="/x/">"#, r#"<b title="a > b" data-js="../../x/">"#),
    ];
    for (from, to) in changed {
        assert_eq!(rebase(from, "../../"), to);
    }
    let same = [
        r##"<a href="#step-3">"##,
        r#"<a href="https://kubernetes.io/docs/">"#,
        r#"<a href="//example.org/">"#,
        r#"<a href="">"#,
        r#"<a href="../x/">"#,
        r#"<a href="mailto:a@example.org">"#,
        r#"<g data-key="/dev/sdb">"#,
        r#"<p>href="/x/" and a < b > c</p>"#,
        r#"<!-- <a href="/x/"> -->"#,
        r#"<script>x = '<a href="/x/">'</script>"#,
        r#"<style>a[href="/x/"]{color:red}</style>"#,
        "<",
        "a < b",
        "<a",
        "<a href=\"/x",
        "",
    ];
    for html in same {
        let kept = if html == "<a href=\"/x" { "<a href=\"../../x" } else { html };
        assert_eq!(rebase(html, "../../"), kept);
    }
}

#[test]
fn squeezing_a_style_sheet_keeps_its_meaning() {
    let cases = [
        ("/* a */ a { b: c; d : e ; }\n\n p > q :hover{ }", "a{b:c;d :e}p > q :hover{}"),
        ("a::after { content: \"/* ; } */  x\\\"  y\" }", "a::after{content:\"/* ; } */  x\\\"  y\"}"),
        (
            "a { width: calc(1px + 2 * (3px - 1px)); margin: 0 -1px }",
            "a{width:calc(1px + 2 * (3px - 1px));margin:0 -1px}",
        ),
        ("@media (a: b) and (c) { a, b { x: var(--y, z) } }", "@media (a:b) and (c){a,b{x:var(--y,z)}}"),
        ("a/* x */b{}", "a b{}"),
        ("a { b: c } /* open", "a{b:c}"),
    ];
    for (from, to) in cases {
        assert_eq!(style::squeeze(from), to);
    }
}

#[test]
fn squeezing_a_script_takes_comments_and_indentation_only() {
    let script = "// a\n/* b\n   c */\n  if (x) {\n\n    y('// z'); // w\n    /** d */\n  }\n/* e */ z();\n";
    assert_eq!(build::squeeze(script), "if (x) {\ny('// z'); // w\n}\n/* e */ z();\n");
}

const SHELL: &str = "<html data-root=\"/\"><head><meta http-equiv=\"Content-Security-Policy\" content=\"\">\
    <title></title><meta name=\"description\" content=\"\"><style></style><script async src=\"/boot.js\">\
    </script></head><body></body></html>";

#[test]
fn a_page_carries_the_hash_of_exactly_its_style_and_its_texts_are_escaped() {
    let mut shell = Shell::read(SHELL).unwrap();
    assert_eq!(shell.files(), ["boot.js"]);
    shell.rename("boot.js", "boot-0a.js");
    let content = Content { title: "a < \"b\"", description: "c & \"d\"", style: "a{b:c}", body: "<p>x</p>" };
    let page = shell.page(&content, "../").unwrap();
    let style = page.split("<style>").nth(1).unwrap().split("</style>").next().unwrap();
    let hash = BASE64.encode(&Sha256::digest(style.as_bytes()));
    assert!(page.contains(&format!("style-src 'self' 'sha256-{hash}';")), "{page}");
    assert!(page.contains("<title>a &lt; &quot;b&quot;</title>"), "{page}");
    assert!(page.contains("content=\"c &amp; &quot;d&quot;\""), "{page}");
    assert!(page.contains("src=\"../boot-0a.js\"") && page.contains("data-root=\"../\""), "{page}");
    // A finished home page is a shell again.
    let home = shell.page(&content, "./").unwrap();
    assert_eq!(Shell::read(&home).unwrap(), shell);
}

#[test]
fn the_policy_allows_nothing_unsafe_but_webassembly() {
    let policy = policy("a{}");
    assert_eq!(policy.matches("unsafe").count(), 1);
    assert!(policy.contains("'wasm-unsafe-eval'") && policy.starts_with("default-src 'none';"));
    assert!(!policy.contains('*') && !policy.contains("http"));
}

#[test]
fn a_shell_without_its_places_is_refused() {
    for place in ["<title></title>", "<style></style>", "<body></body>", " data-root=\"/\""] {
        let error = Shell::read(&SHELL.replace(place, "")).unwrap_err();
        assert_eq!(error.code(), 2);
        assert!(error.to_string().starts_with("index.html has no place `"), "{error}");
    }
}

#[test]
fn a_base_is_a_path() {
    for (text, base) in [("/", "/"), ("/a", "/a/"), ("/a/b/", "/a/b/")] {
        assert_eq!(Base::read(text), Base::read(base));
    }
    for text in ["", "a", "//host/", "/a//b", "/a\"b", "https://example.org/"] {
        assert_eq!(Base::read(text).unwrap_err().code(), 2, "{text}");
    }
}

/// A folder with a few files, removed at the end.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Folder {
        let dir = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
        let _ = fs::remove_dir_all(&dir);
        let site = dir.join("site");
        fs::create_dir_all(site.join("x")).unwrap();
        let files = [
            ("index.html", "home"),
            ("index.html.br", "home br"),
            ("index.html.gz", "home gz"),
            ("x/index.html", "x"),
            ("404.html", "none"),
            ("app-0123456789.js", "js"),
            ("app.wasm", "wasm"),
            (".hidden", "h"),
            ("a b.txt", "ab"),
        ];
        for (file, text) in files {
            fs::write(site.join(file), text).unwrap();
        }
        fs::write(dir.join("secret.txt"), "secret").unwrap();
        Folder(dir)
    }

    fn files(&self) -> Files {
        Files::new(self.0.join("site"), "/foo/")
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

fn header<'a>(reply: &'a Reply, name: &str) -> Option<&'a str> {
    reply.headers.iter().find(|h| h.0 == name).map(|h| h.1.as_str())
}

#[test]
fn files_are_served_with_type_and_cache_headers() {
    let folder = Folder::new("types");
    let cases = [
        ("/foo/", 200, "home", "text/html; charset=utf-8", "no-cache"),
        ("/foo/?step=2", 200, "home", "text/html; charset=utf-8", "no-cache"),
        ("/foo/x/", 200, "x", "text/html; charset=utf-8", "no-cache"),
        (
            "/foo/app-0123456789.js",
            200,
            "js",
            "text/javascript; charset=utf-8",
            "public, max-age=31536000, immutable",
        ),
        ("/foo/app.wasm", 200, "wasm", "application/wasm", "no-cache"),
        ("/foo/a%20b.txt", 200, "ab", "text/plain; charset=utf-8", "no-cache"),
        ("/foo/nothing/", 404, "none", "text/html; charset=utf-8", "no-cache"),
        ("/foo/app.wasm/", 404, "none", "text/html; charset=utf-8", "no-cache"),
        ("/elsewhere/", 404, "none", "text/html; charset=utf-8", "no-cache"),
    ];
    for (url, status, body, media, cache) in cases {
        let reply = folder.files().reply("GET", url, "");
        assert_eq!((reply.status, reply.body.as_slice()), (status, body.as_bytes()), "{url}");
        assert_eq!(header(&reply, "Content-Type"), Some(media), "{url}");
        assert_eq!(header(&reply, "Cache-Control"), Some(cache), "{url}");
    }
}

#[test]
fn nothing_outside_the_folder_and_nothing_hidden_is_served() {
    let folder = Folder::new("traversal");
    for path in [
        "../secret.txt",
        "x/../../secret.txt",
        "%2e%2e/secret.txt",
        "..%2fsecret.txt",
        "x/%2e%2e/%2e%2e/secret.txt",
        "..\\secret.txt",
        "%2e%2e%5csecret.txt",
        "/secret.txt",
        "//secret.txt",
        ".hidden",
        "x/../.hidden",
        "%",
        "%zz",
        "x%00",
        "C:/secret.txt",
    ] {
        let reply = folder.files().reply("GET", &format!("/foo/{path}"), "");
        assert_eq!((reply.status, reply.body.as_slice()), (404, b"none".as_slice()), "{path}");
    }
    assert_eq!(folder.files().reply("GET", "//evil.example/x", "").status, 404);
}

#[test]
fn a_folder_without_its_slash_is_redirected() {
    let folder = Folder::new("redirect");
    let reply = folder.files().reply("GET", "/foo/x?step=2", "br");
    assert_eq!((reply.status, header(&reply, "Location")), (301, Some("/foo/x/?step=2")));
}

#[test]
fn the_coding_is_the_smallest_that_the_reader_accepts() {
    let folder = Folder::new("coding");
    for (accept, body, coding) in [
        ("", "home", None),
        ("identity", "home", None),
        ("gzip, deflate", "home gz", Some("gzip")),
        ("gzip, deflate, br, zstd", "home br", Some("br")),
        ("br;q=0, gzip;q=0.5", "home gz", Some("gzip")),
        ("BR", "home br", Some("br")),
        ("*", "home br", Some("br")),
        ("br;q=0, *", "home gz", Some("gzip")),
        ("brr", "home", None),
    ] {
        let reply = folder.files().reply("GET", "/foo/", accept);
        assert_eq!(
            (reply.body.as_slice(), header(&reply, "Content-Encoding")),
            (body.as_bytes(), coding),
            "{accept}"
        );
        assert_eq!(header(&reply, "Vary"), Some("Accept-Encoding"));
    }
    // Without a twin the file itself is sent.
    assert_eq!(folder.files().reply("GET", "/foo/app.wasm", "br").body, b"wasm");
}

#[test]
fn only_reading_is_allowed() {
    let folder = Folder::new("methods");
    let post = folder.files().reply("POST", "/foo/", "");
    assert_eq!((post.status, header(&post, "Allow")), (405, Some("GET, HEAD")));
}

#[test]
fn the_server_answers_and_keeps_the_body_for_itself_when_only_the_head_is_asked_for() {
    let folder = Folder::new("server");
    let listener = serve::bind(0).unwrap();
    let address = listener.local_addr().unwrap();
    serve::listen(listener, &Arc::new(RwLock::new(folder.files()))).unwrap();
    for (method, body) in [("GET", "home"), ("HEAD", "")] {
        let mut stream = TcpStream::connect(address).unwrap();
        write!(stream, "{method} /foo/ HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n").unwrap();
        let mut answer = String::new();
        stream.read_to_string(&mut answer).unwrap();
        let (head, rest) = answer.split_once("\r\n\r\n").unwrap();
        assert!(head.starts_with("HTTP/1.1 200 OK") && head.contains("Content-Length: 4"), "{head}");
        // A browser that kept the connection would keep another reader waiting.
        assert!(head.contains("Connection: close"), "{head}");
        assert_eq!(rest, body);
    }
}

#[test]
fn a_taken_port_says_what_to_do() {
    let taken = serve::bind(0).unwrap();
    let port = taken.local_addr().unwrap().port();
    let error = serve::bind(port).unwrap_err();
    assert_eq!(error.code(), 1);
    assert!(error.to_string().starts_with(&format!("port {port} is taken: ")), "{error}");
}

#[test]
fn tools_are_recognised_by_their_exact_version() {
    assert!(tools::says("wasm-bindgen 0.2.129", "0.2.129"));
    assert!(tools::says("trunk 0.21.14 (abc 2025)", "0.21.14"));
    assert!(!tools::says("wasm-bindgen 0.2.129", "0.2.12"));
    assert!(!tools::says("", "0.2.129"));
    let lock = fs::read_to_string("Cargo.lock").unwrap();
    assert_eq!(tools::locked(&lock, "wasm-bindgen"), Some("0.2.129"));
    assert_eq!(tools::locked(&lock, "wasm-bindgen-not"), None);
}
