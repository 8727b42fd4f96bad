use super::*;
use std::fs;

fn names(place: &Path) -> Vec<String> {
    let entries = fs::read_dir(place).unwrap().map(|entry| entry.unwrap());
    let mut names: Vec<_> = entries.map(|entry| entry.file_name()).collect();
    names.sort();
    let text = |name: std::ffi::OsString| name.into_string().unwrap();
    names.into_iter().map(text).collect()
}

#[test]
fn files_of_dead_runs_are_removed_and_those_of_live_runs_stay() {
    let root = tempfile::tempdir().unwrap();
    let living = Private::below(root.path()).unwrap();
    let (_, file) = living.file().unwrap();
    let private = root.path().join(PRIVATE);
    for (dead, file) in [
        ("tmp-1-0", "lock"),
        ("tmp-1-1", "half.glb"),
        ("tmp-x", "sub/deep"),
    ] {
        let path = private.join(dead).join(file);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, "half").unwrap();
    }
    fs::create_dir(private.join("tmp-empty")).unwrap();
    fs::write(private.join("tmp-file"), "").unwrap();
    fs::write(private.join("cache"), "is not ours").unwrap();
    fs::write(root.path().join(".rigy-batch-aBc123.tmp"), "half").unwrap();
    fs::write(root.path().join(".rigy-batch-notes"), "is not ours").unwrap();
    let next = Private::below(root.path()).unwrap();
    let name = |private: &Private| {
        let own = private.own_path();
        own.file_name().unwrap().to_str().unwrap().to_owned()
    };
    let mut expected = vec!["cache".to_owned(), name(&living), name(&next)];
    expected.sort();
    assert_eq!(names(&private), expected);
    assert_eq!(names(root.path()), [".rigy-batch", ".rigy-batch-notes"]);
    drop(next);
    file.persist(&root.path().join("whole")).unwrap();
    drop(living);
    assert_eq!(names(&private), ["cache"]);
}

#[test]
fn runs_come_and_go_at_once() {
    let root = tempfile::tempdir().unwrap();
    let place = root.path();
    std::thread::scope(|scope| {
        for thread in 0..8 {
            scope.spawn(move || {
                for round in 0..100 {
                    let private = Private::below(place).unwrap();
                    let (_, file) = private.file().unwrap();
                    file.persist(&place.join(format!("{thread}-{round}")))
                        .unwrap();
                }
            });
        }
    });
    let names = names(place);
    assert_eq!(names.len(), 800, "{names:?}");
}

#[test]
#[cfg(unix)]
fn a_link_in_the_place_of_the_private_directory_is_refused() {
    let root = tempfile::tempdir().unwrap();
    let elsewhere = tempfile::tempdir().unwrap();
    fs::create_dir(elsewhere.path().join("tmp-precious")).unwrap();
    std::os::unix::fs::symlink(elsewhere.path(), root.path().join(PRIVATE)).unwrap();
    let error = Private::below(root.path()).unwrap_err().to_string();
    assert!(
        error.contains(PRIVATE) && error.contains("it is a link"),
        "{error}"
    );
    assert_eq!(names(elsewhere.path()), ["tmp-precious"]);
    fs::remove_file(root.path().join(PRIVATE)).unwrap();
    fs::write(root.path().join(PRIVATE), "").unwrap();
    assert!(Private::below(root.path()).is_err());
}

#[test]
#[cfg(unix)]
fn sweeping_follows_no_link() {
    let root = tempfile::tempdir().unwrap();
    let elsewhere = tempfile::tempdir().unwrap();
    fs::write(elsewhere.path().join("precious"), "").unwrap();
    let private = root.path().join(PRIVATE);
    fs::create_dir_all(private.join("tmp-dead")).unwrap();
    let link = |place: PathBuf| std::os::unix::fs::symlink(elsewhere.path(), place).unwrap();
    link(private.join("tmp-link"));
    link(private.join("tmp-dead/link"));
    fs::create_dir(private.join("tmp-odd")).unwrap();
    std::os::unix::fs::symlink(
        elsewhere.path().join("precious"),
        private.join("tmp-odd/lock"),
    )
    .unwrap();
    drop(Private::below(root.path()).unwrap());
    assert_eq!(names(elsewhere.path()), ["precious"]);
    assert!(!private.join("tmp-dead").exists() && !private.join("tmp-link").exists());
}
