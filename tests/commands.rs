//! The command line as scripts use it: help, errors, exit codes, and output that ends early.
#![cfg(feature = "site")]

use mountpath::host::COMMANDS;
use std::process::{Command, Stdio};

struct Ran {
    code: i32,
    out: String,
    err: String,
}

fn mountpath(args: &[&str]) -> Ran {
    ran(Command::new(env!("CARGO_BIN_EXE_mountpath")).args(args).current_dir(env!("CARGO_MANIFEST_DIR")))
}

fn ran(command: &mut Command) -> Ran {
    let output = command.stdin(Stdio::null()).output().unwrap();
    let text = |bytes| String::from_utf8(bytes).unwrap();
    Ran { code: output.status.code().unwrap(), out: text(output.stdout), err: text(output.stderr) }
}

#[test]
fn the_help_names_every_command_once_and_each_has_its_own() {
    let help = mountpath(&["--help"]);
    assert_eq!((help.code, help.err.as_str()), (0, ""));
    for command in &COMMANDS {
        let line = format!("\n  {} ", command.name);
        assert_eq!(help.out.matches(&line).count(), 1, "{}", command.name);
        assert!(help.out.contains(command.about));
        let own = mountpath(&[command.name, "--help"]);
        assert_eq!((own.code, own.err.as_str()), (0, ""), "{}", command.name);
        for opt in command.options {
            assert!(own.out.contains(&format!("--{} {}", opt.name, opt.value)), "{}", own.out);
            assert!(own.out.contains(opt.about));
        }
    }
    assert_eq!(mountpath(&["-h"]).out, help.out);
    assert_eq!(mountpath(&["--version"]).out, format!("mountpath {}\n", env!("CARGO_PKG_VERSION")));
}

#[test]
fn wrong_usage_is_one_sentence_on_standard_error_and_exit_code_2() {
    let cases: [(&[&str], &str); 11] = [
        (&["buidl"], "no command is called `buidl`; see `mountpath --help`"),
        (&["build", "--bas", "/"], "build has no option --bas; see `mountpath build --help`"),
        (&["build", "-x"], "build has no option -x; see `mountpath build --help`"),
        (&["build", "--base"], "--base needs a PATH; see `mountpath build --help`"),
        (&["build", "--base", "/a/", "--base", "/b/"], "--base is given twice; see `mountpath build --help`"),
        (&["build", "extra"], "build does not take `extra`; see `mountpath build --help`"),
        (&["build", "--base", "sub"], "--base sub: give a path such as /sub/path/"),
        (&["build", "--base", "/a\"b/"], "--base /a\"b/: give a path such as /sub/path/"),
        (&["build", "--dist", "src"], "this is no former build, so it is not replaced: give another folder"),
        (&["serve", "--port", "eighty"], "--port eighty: give a number from 0 to 65535"),
        (&["--port", "65536"], "--port 65536: give a number from 0 to 65535"),
    ];
    for (args, sentence) in cases {
        let ran = mountpath(args);
        assert_eq!((ran.code, ran.out.as_str()), (2, ""), "{args:?}");
        assert!(ran.err.starts_with("mountpath: ") && ran.err.contains(sentence), "{args:?}: {}", ran.err);
        assert_eq!(ran.err.lines().count(), 1, "{args:?}: {}", ran.err);
    }
}

#[test]
fn what_cannot_be_read_is_named() {
    let ran = mountpath(&["prerender", "--dist", "no-such-folder"]);
    assert_eq!((ran.code, ran.out.as_str()), (2, ""));
    assert!(ran.err.contains("no-such-folder: no built site is there"), "{}", ran.err);
}

#[test]
fn commands_work_in_any_folder_of_a_clone_and_say_so_outside() {
    let outside = std::env::temp_dir();
    let program = env!("CARGO_BIN_EXE_mountpath");
    let ran_there = ran(Command::new(program).arg("build").current_dir(&outside));
    assert_eq!((ran_there.code, ran_there.out.as_str()), (2, ""));
    assert!(ran_there.err.contains("is not inside a clone of mountpath"), "{}", ran_there.err);
    // The refusal to replace a folder shows that the project was found from a folder inside it.
    let inside = ran(Command::new(program).args(["build", "--dist", "."]).current_dir("src/host"));
    assert!(inside.err.contains("src/host: this is no former build"), "{}", inside.err);
}

#[test]
fn a_taken_port_is_one_sentence_that_says_what_to_do() {
    let taken = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let port = taken.local_addr().unwrap().port().to_string();
    let ran = mountpath(&["serve", "--port", &port]);
    let sentence = format!(
        "mountpath: port {port} is taken: stop the program that listens there, or choose another port with --port N\n"
    );
    assert_eq!((ran.code, ran.out.as_str(), ran.err), (1, "", sentence));
}

#[cfg(unix)]
#[test]
fn a_reader_who_leaves_early_causes_no_panic() {
    let mut child = Command::new(env!("CARGO_BIN_EXE_mountpath"))
        .arg("--help")
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    drop(child.stdout.take());
    let output = child.wait_with_output().unwrap();
    assert!(output.status.success());
    assert_eq!(String::from_utf8(output.stderr).unwrap(), "");
}
