//! What is read: regular files, and included files from where they may be.
#![cfg(unix)]

use super::{QUIET, ends, pipe};
use crate::folder::empty;
use std::fs;
use std::os::unix::fs::symlink;
use std::os::unix::net::UnixListener;

const PIPE: &str = "found a pipe, expected a regular file";

#[test]
fn pipes_devices_sockets_and_folders_are_refused_and_never_waited_for() {
    let folder = empty("robust/special");
    fs::write(folder.join("game.endstep"), QUIET).unwrap();
    fs::write(folder.join("all.endstep"), "include \"pipe\"\n").unwrap();
    fs::write(folder.join("dir.endstep"), "include \"sub\"\n").unwrap();
    fs::create_dir(folder.join("sub")).unwrap();
    pipe(&folder.join("pipe"));
    pipe(&folder.join("pipe.json"));
    let _socket = UnixListener::bind(folder.join("socket")).unwrap();
    for (arguments, code, message) in [
        (&["check", "all.endstep"][..], 3, PIPE),
        (
            &["check", "dir.endstep"],
            3,
            "found a folder, expected a regular file",
        ),
        (&["check", "pipe"], 66, PIPE),
        (&["fmt", "pipe"], 66, PIPE),
        (
            &["check", "/dev/zero"],
            66,
            "found a device, expected a regular file",
        ),
        (
            &["run", "socket"],
            66,
            "found a socket, expected a regular file",
        ),
        (
            &["run", "sub"],
            66,
            "found a folder, expected a regular file",
        ),
        (&["check", "game.endstep", "--baseline", "pipe"], 66, PIPE),
        (&["check", "game.endstep", "--config", "pipe"], 66, PIPE),
        (&["coverage", "game.endstep", "--text", "pipe"], 66, PIPE),
        (&["init", "new", "--from", "pipe"], 66, PIPE),
        (&["replay", "pipe.json"], 66, PIPE),
        (&["merge", "pipe"], 66, PIPE),
        (&["diff", "game.endstep", "pipe"], 66, PIPE),
    ] {
        ends(arguments, &folder, code, message);
    }
    pipe(&folder.join("game.expected.json"));
    ends(&["check", "game.endstep"], &folder, 66, PIPE);
}

#[test]
fn a_pipe_among_the_inputs_of_a_campaign_is_left_out() {
    let folder = empty("robust/corpus");
    fs::write(folder.join("game.endstep"), QUIET).unwrap();
    fs::create_dir_all(folder.join("corpus/game/inputs")).unwrap();
    pipe(&folder.join("corpus/game/inputs/00"));
    let large = fs::File::create(folder.join("corpus/game/inputs/11")).unwrap();
    large.set_len(1 << 40).unwrap();
    let arguments = [
        "fuzz",
        "game.endstep",
        "--corpus",
        "corpus",
        "--runs",
        "20",
        "--jobs",
        "1",
    ];
    let error = ends(&arguments, &folder, 0, PIPE);
    assert!(error.contains("it is too large"), "{error}");
}

#[test]
fn a_file_is_included_from_the_folder_of_the_specification_only() {
    let root = empty("robust/include");
    let folder = root.join("rules");
    fs::create_dir_all(folder.join("parts")).unwrap();
    fs::write(root.join("secret"), "password = hunter2\n").unwrap();
    fs::write(root.join("good.endstep"), QUIET).unwrap();
    symlink("../secret", folder.join("link")).unwrap();
    let write = |name: &str, path: &str| {
        fs::write(folder.join(name), format!("include \"{path}\"\n")).unwrap();
    };
    write("up.endstep", "../secret");
    write("absolute.endstep", "/etc/passwd");
    write("link.endstep", "link");
    write("absent.endstep", "../nothing-is-called-so");
    write("twice.endstep", "parts/more.endstep");
    fs::write(
        folder.join("parts/more.endstep"),
        "include \"../../secret\"\n",
    )
    .unwrap();
    for name in ["up", "absolute", "link", "absent", "twice"] {
        let path = format!("rules/{name}.endstep");
        for command in ["check", "run", "explore", "fuzz", "coverage", "order"] {
            let error = ends(
                &[command, &path],
                &root,
                3,
                "is outside of the folder `rules`",
            );
            assert!(
                error.contains("`--include-root DIR` lets it be read"),
                "{error}"
            );
            for secret in ["hunter2", "password", "root:"] {
                assert!(!error.contains(secret), "{error}");
            }
        }
    }
    // What is below the folder may go up and down.
    write("plain.endstep", "parts/../quiet.endstep");
    fs::write(folder.join("quiet.endstep"), QUIET).unwrap();
    ends(&["check", "rules/plain.endstep"], &root, 0, "");
    write("good.endstep", "../good.endstep");
    let allowed = ["check", "rules/good.endstep", "--include-root", "."];
    ends(&allowed, &root, 0, "");
    ends(&allowed[..2], &root, 3, "is outside");
}

#[test]
fn a_link_that_leads_out_of_a_folder_is_none_of_its_specifications() {
    let root = empty("robust/link");
    fs::create_dir(root.join("rules")).unwrap();
    fs::write(root.join("secret"), "password = hunter2\n").unwrap();
    fs::write(root.join("rules/game.endstep"), QUIET).unwrap();
    symlink("../secret", root.join("rules/secret.endstep")).unwrap();
    let error = ends(&["check", "rules"], &root, 0, "it is a link that leads out");
    assert!(!error.contains("hunter2"), "{error}");
    let config = "specifications = [\"../secret\"]\n";
    fs::write(root.join("rules/endstep.toml"), config).unwrap();
    let arguments = ["check", "--config", "rules/endstep.toml"];
    let error = ends(&arguments, &root, 66, "is outside of the folder `rules`");
    assert!(!error.contains("hunter2"), "{error}");
}
