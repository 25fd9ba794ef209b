//! The kernel cache on disk, against all that can happen to files: whatever it is, it costs a compile and one
//! warning, and never gives other code than was put there.

use runtime::cache::{Disk, Key, entry};
use runtime::device::nvrtc::Compiled;
use std::fs;
use std::os::unix::fs::{MetadataExt, PermissionsExt, chown, symlink};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, SystemTime};

fn key(n: u64) -> Key {
    let mut key = [7; 32];
    key[..8].copy_from_slice(&n.to_le_bytes());
    Key(key)
}

/// Code that tells its key.
fn code(n: u64, bytes: usize) -> Compiled {
    Compiled { image: n.to_le_bytes().into_iter().cycle().take(bytes).collect(), log: format!("log {n}") }
}

/// A cache below a new folder, which lives as long as the second value.
fn cache(most: u64) -> (Disk, tempfile::TempDir) {
    let parent = tempfile::tempdir().expect("a temporary folder");
    (Disk::new(Some(parent.path().join("kernels")), most), parent)
}

fn file(disk: &Disk, n: u64) -> PathBuf {
    disk.folder().expect("it is on").join(format!("{}.kernel", key(n)))
}

/// A cache with the entry 1 of `bytes` bytes.
fn filled(bytes: usize) -> (Disk, tempfile::TempDir, PathBuf) {
    let (disk, parent) = cache(1 << 20);
    disk.put(&key(1), "about", &code(1, bytes));
    let path = file(&disk, 1);
    assert_eq!((disk.get(&key(1)), disk.defect()), (Some(code(1, bytes)), None));
    (disk, parent, path)
}

/// The entry 1 is a miss, a defect is told, and what is put there next is found.
fn is_a_miss(disk: &Disk, path: &Path, what: &str) {
    // A cache of its own, since each tells only its first defect.
    let disk = Disk::new(disk.folder().map(Path::to_path_buf), 1 << 20);
    assert_eq!(disk.get(&key(1)), None, "{what}");
    assert!(
        disk.defect().is_some_and(|d| d.starts_with(&path.display().to_string())),
        "{what}: {:?}",
        disk.defect()
    );
    disk.put(&key(1), "about", &code(1, 40));
    assert_eq!(disk.get(&key(1)), Some(code(1, 40)), "after {what}");
}

#[test]
fn what_is_put_is_found_and_nothing_else() {
    let (disk, _parent, path) = filled(1000);
    assert_eq!(disk.get(&key(2)), None);
    assert_eq!(fs::metadata(&path).expect("it is there").mode() & 0o777, 0o600);
    assert_eq!(fs::metadata(path.parent().expect("a folder")).expect("it is there").mode() & 0o777, 0o700);
    let made = disk.get_or::<()>(&key(1), "", || panic!("it is there"));
    assert_eq!(made, Ok(code(1, 1000)));
    assert_eq!(disk.get_or(&key(3), "", || Err("no")), Err("no"));
    assert_eq!(disk.get(&key(3)), None, "what cannot be made is not kept");
    assert_eq!(disk.get_or::<()>(&key(3), "", || Ok(code(3, 0))), Ok(code(3, 0)));
    let counts = disk.counts();
    assert_eq!((counts.hits, counts.misses, counts.evictions), (1, 2, 0));
    // Another process sees them.
    let other = Disk::new(disk.folder().map(Path::to_path_buf), 1 << 20);
    assert_eq!(other.get(&key(3)), Some(code(3, 0)));
    assert_eq!(other.list().expect("the folder is there").len(), 2);
    assert_eq!(other.clear().ok(), Some(2));
    assert_eq!((disk.get(&key(1)), disk.defect()), (None, None));
}

#[test]
fn switched_off_it_keeps_nothing() {
    let disk = Disk::new(None, 1 << 20);
    disk.put(&key(1), "", &code(1, 10));
    assert_eq!((disk.get(&key(1)), disk.defect()), (None, None));
    assert_eq!(disk.list().expect("no folder, no error").len(), 0);
    assert_eq!(disk.get_or::<()>(&key(1), "", || Ok(code(1, 10))), Ok(code(1, 10)));
    assert_eq!(disk.counts().misses, 1);
}

#[test]
fn every_length_but_the_whole_is_a_miss() {
    let (disk, _parent, path) = filled(40);
    let whole = fs::read(&path).expect("it is there");
    for length in 0..whole.len() {
        fs::write(&path, &whole[..length]).expect("written");
        is_a_miss(&disk, &path, &format!("{length} bytes of {}", whole.len()));
    }
    fs::write(&path, [&whole[..], &[0]].concat()).expect("written");
    is_a_miss(&disk, &path, "a byte too many");
}

#[test]
fn every_bit_counts() {
    let (disk, _parent, path) = filled(40);
    let whole = fs::read(&path).expect("it is there");
    for bit in 0..whole.len() * 8 {
        let mut bytes = whole.clone();
        bytes[bit / 8] ^= 1 << (bit % 8);
        assert!(entry::decode(&key(1), &bytes).is_err(), "bit {bit}");
        // The file system is asked for one bit of each byte, the format for all.
        if bit % 8 == bit / 8 % 8 {
            fs::write(&path, &bytes).expect("written");
            is_a_miss(&disk, &path, &format!("bit {bit} flipped"));
        }
    }
}

#[test]
fn other_versions_and_other_keys_are_misses() {
    let (disk, _parent, path) = filled(40);
    let whole = fs::read(&path).expect("it is there");
    let at = whole.iter().position(|&b| b == b'\n').expect("the magic ends with a line end");
    let mut other = whole.clone();
    other[at - 1] += 1;
    assert_eq!(entry::decode(&key(1), &other), Err("of another version"));
    fs::write(&path, &other).expect("written");
    is_a_miss(&disk, &path, "another version");
    fs::write(&path, entry::encode(&key(2), "about", &code(2, 40))).expect("written");
    assert_eq!(entry::decode(&key(1), &fs::read(&path).expect("there")), Err("of another kernel"));
    is_a_miss(&disk, &path, "the file of another key");
}

#[test]
fn what_is_no_file_is_a_miss() {
    let (disk, parent, path) = filled(40);
    let whole = parent.path().join("elsewhere");
    fs::rename(&path, &whole).expect("renamed");
    symlink(&whole, &path).expect("a link");
    is_a_miss(&disk, &path, "a link to a sound entry");
    fs::remove_file(&path).expect("removed");
    fs::create_dir(&path).expect("a folder");
    let again = Disk::new(disk.folder().map(Path::to_path_buf), 1 << 20);
    assert_eq!(again.get(&key(1)), None);
    assert!(again.defect().is_some());
    fs::remove_dir(&path).expect("removed");
    let made = Command::new("mkfifo").arg(&path).status().expect("mkfifo runs");
    assert!(made.success());
    is_a_miss(&disk, &path, "a pipe, which a reader would wait for");
}

#[test]
fn folders_that_cannot_be_made_or_written_are_told_once() {
    let (parent, plain) = (tempfile::tempdir().expect("a folder"), "plain");
    fs::write(parent.path().join(plain), "").expect("written");
    for folder in
        [parent.path().join(plain), parent.path().join(plain).join("below"), "/proc/qfuse-kernels".into()]
    {
        let disk = Disk::new(Some(folder.clone()), 1 << 20);
        for n in 0..3 {
            let made = disk.get_or::<()>(&key(n), "", || Ok(code(n, 10)));
            assert_eq!(made, Ok(code(n, 10)), "the query has its kernel");
        }
        assert!(
            disk.defect().is_some_and(|d| d.starts_with(&folder.display().to_string())),
            "{:?}",
            disk.defect()
        );
    }
    // Root writes where nobody may, so that this case is another user's.
    let closed = parent.path().join("closed");
    fs::create_dir(&closed).expect("a folder");
    fs::set_permissions(&closed, fs::Permissions::from_mode(0o500)).expect("closed");
    if fs::write(closed.join("probe"), "").is_err() {
        let disk = Disk::new(Some(closed), 1 << 20);
        disk.put(&key(1), "", &code(1, 10));
        assert!(disk.defect().is_some());
    }
}

#[test]
fn folders_of_others_and_folders_open_to_others_are_not_used() {
    let (disk, _parent, path) = filled(40);
    let folder = path.parent().expect("a folder");
    for mode in [0o770, 0o702, 0o755, 0o710] {
        fs::set_permissions(folder, fs::Permissions::from_mode(mode)).expect("changed");
        let disk = Disk::new(Some(folder.into()), 1 << 20);
        assert_eq!(disk.get(&key(1)), None, "{mode:o}");
        disk.put(&key(2), "", &code(2, 10));
        assert!(disk.defect().is_some_and(|d| d.contains("open to others")), "{:?}", disk.defect());
        assert!(path.exists() && !file(&disk, 2).exists(), "it is left as it is");
    }
    fs::set_permissions(folder, fs::Permissions::from_mode(0o700)).expect("changed");
    assert_eq!(disk.get(&key(1)), Some(code(1, 40)));
    // Whoever may give files away does; whoever may not finds the root's folder.
    let foreign = match chown(&path, Some(12345), None).and_then(|()| chown(folder, Some(12345), None)) {
        Ok(()) => folder,
        Err(_) => Path::new("/"),
    };
    let disk = Disk::new(Some(foreign.into()), 1 << 20);
    assert_eq!(disk.get(&key(1)), None);
    disk.put(&key(2), "", &code(2, 10));
    assert!(disk.defect().is_some_and(|d| d.contains("another user's")), "{:?}", disk.defect());
    // A foreign file in a folder of ours.
    if foreign == folder {
        let me = fs::metadata("/proc/self").expect("there").uid();
        chown(folder, Some(me), None).expect("back");
        is_a_miss(&Disk::new(Some(folder.into()), 1 << 20), &path, "another user's file");
    }
}

#[test]
fn a_thousand_kernels_stay_within_the_bound() {
    let most = 200_000;
    let (disk, _parent) = cache(most);
    let used = SystemTime::now() - Duration::from_secs(5000);
    for n in 0..1000 {
        disk.put(&key(n), "", &code(n, 1000));
        // Time passes between kernels; file systems count it coarsely.
        if let Ok(f) = fs::File::open(file(&disk, n)) {
            f.set_modified(used + Duration::from_secs(n)).expect("a time is set");
        }
        assert_eq!(disk.get(&key(0)), Some(code(0, 1000)), "what is used stays, after {n}");
        let all = disk.list().expect("it is there");
        assert!(all.iter().map(|k| k.bytes).sum::<u64>() <= most);
    }
    let left = disk.list().expect("it is there").len() as u64;
    assert!(disk.get(&key(999)).is_some() && disk.get(&key(1)).is_none());
    assert_eq!((disk.counts().evictions, disk.defect()), (1000 - left, None));
    // One that is larger than all room is not kept, and drives nothing out.
    disk.put(&key(5000), "", &code(5000, most as usize));
    assert_eq!(disk.list().expect("it is there").len() as u64, left);
}

#[test]
fn what_a_process_left_that_was_killed_is_removed() {
    let (disk, _parent) = cache(1 << 20);
    disk.put(&key(1), "", &code(1, 10));
    let folder = disk.folder().expect("it is on");
    let old = fs::File::create(folder.join(".fresh-old")).expect("made");
    old.set_modified(SystemTime::now() - Duration::from_secs(7200)).expect("a time is set");
    fs::write(folder.join(".fresh-new"), "").expect("made");
    // The next process looks around when it first writes.
    Disk::new(Some(folder.into()), 1 << 20).put(&key(2), "", &code(2, 10));
    assert!(!folder.join(".fresh-old").exists() && folder.join(".fresh-new").exists());
    assert_eq!(disk.list().expect("it is there").len(), 2, "fresh files are no entries");
}

/// The part of a test that runs in a process of its own.
#[test]
#[ignore = "what the tests below start"]
fn child() {
    let Some(folder) = std::env::var_os("QFUSE_TEST_FOLDER") else { return };
    let disk = Disk::new(Some(folder.into()), 30_000);
    for round in 0..10 {
        for n in 0..40 {
            match disk.get(&key(n)) {
                Some(found) => assert_eq!(found, code(n, 1000), "round {round}"),
                None => disk.put(&key(n), "", &code(n, 1000)),
            }
        }
    }
    if let Some(defect) = disk.defect() {
        println!("defect: {defect}");
    }
}

/// This program running `child` on a folder, behind a line of shell.
fn start(folder: &Path, before: &str) -> std::process::Child {
    let me = std::env::current_exe().expect("this program has a path");
    Command::new("sh")
        .args(["-c", &format!("{before} exec \"$0\" --exact child --ignored --nocapture")])
        .arg(me)
        .env("QFUSE_TEST_FOLDER", folder)
        .stdout(std::process::Stdio::piped())
        .spawn()
        .expect("it starts")
}

#[test]
fn processes_race_and_agree() {
    let (disk, _parent) = cache(30_000);
    let folder = disk.folder().expect("it is on");
    let children: Vec<_> = (0..3).map(|_| start(folder, "")).collect();
    for child in children {
        let out = child.wait_with_output().expect("it ends");
        let text = String::from_utf8_lossy(&out.stdout);
        assert!(out.status.success() && text.contains("1 passed") && !text.contains("defect"), "{text}");
    }
    let left = disk.list().expect("it is there");
    assert!(!left.is_empty());
    for n in 0..40 {
        assert!(disk.get(&key(n)).is_none_or(|found| found == code(n, 1000)));
    }
    assert_eq!(disk.defect(), None);
}

#[test]
fn a_full_disk_leaves_nothing_behind() {
    let (disk, parent) = cache(1 << 20);
    let folder = disk.folder().expect("it is on");
    let log = parent.path().join("log");
    fs::write(&log, [b'.'; 600]).expect("written");
    // Files may have 512 bytes: every entry fails in the middle of its write, and so does the warning of it.
    let before = format!("trap '' XFSZ; ulimit -f 1; exec 2>>'{}';", log.display());
    let out = start(folder, &before).wait_with_output().expect("it ends");
    let text = String::from_utf8_lossy(&out.stdout);
    assert!(out.status.success() && text.contains("1 passed"), "{text}");
    assert_eq!(text.matches("defect:").count(), 1, "{text}");
    assert_eq!(fs::read_dir(folder).expect("it is there").count(), 0, "no entry, and nothing half-written");
}

#[test]
fn any_change_of_any_entry_is_noticed() {
    tests::property::holds(3000, tests::gen_entry::judge);
}
