//! The limits that Linux puts on the memory of a process: its own limits (`ulimit -v` and `-d`), and those of control
//! groups of version 2, which containers, Slurm and systemd use.
//!
//! Groups nest, and the limit of a group applies to all groups below it. The effective limit is therefore the smallest one
//! from the process's own group up to the root. Groups above the mount point of a hierarchy are not visible; a container
//! sees its own group as the root.

use std::fs::File;
use std::io::{self, Read};
use std::path::{Component, Path, PathBuf};
#[cfg(target_os = "linux")]
use std::sync::OnceLock;

/// The longest part of a system file that is read, in bytes.
const MAX_LEN: u64 = 4 << 20;

/// A mount of the hierarchy.
struct Mount {
    /// The group that the mount point shows.
    group: PathBuf,
    /// The mount point.
    directory: PathBuf,
}

/// Returns the smallest limit on memory, in bytes, of this process and of the groups that it is in; `None` if there is no
/// limit, or if the system does not tell.
pub fn memory_limit() -> Option<u64> {
    let limits = own_memory_limit().into_iter();
    limits.chain(of_groups(Path::new("/"))).min()
}

/// Allocates `len` bytes and frees them at once.
///
/// # Errors
/// `OutOfMemory` if the system does not give this process so many bytes more.
pub fn try_allocate(len: usize) -> io::Result<()> {
    let mut memory: Vec<u8> = Vec::new();
    let reserved = memory.try_reserve_exact(len);
    // An optimised program leaves an allocation out that nothing uses, and takes it for one that has succeeded.
    std::hint::black_box(&memory);
    reserved.map_err(|_| io::ErrorKind::OutOfMemory.into())
}

/// Returns the limit, in bytes, on the memory that this process alone may allocate (`RLIMIT_AS`, `RLIMIT_DATA`); `None`
/// as for [`memory_limit`]. The system is asked once, because every input is compared with it several times.
pub fn own_memory_limit() -> Option<u64> {
    #[cfg(target_os = "linux")]
    {
        use rustix::process::{Resource, getrlimit};
        static LIMIT: OnceLock<Option<u64>> = OnceLock::new();
        let limits = || [Resource::As, Resource::Data].map(|kind| getrlimit(kind).current);
        *LIMIT.get_or_init(|| limits().into_iter().flatten().min())
    }
    #[cfg(not(target_os = "linux"))]
    None
}

/// Returns the smallest limit of the groups that this process is in. `root` is `/`; tests pass a directory with copies of
/// the system files.
fn of_groups(root: &Path) -> Option<u64> {
    let groups = read(root, Path::new("/proc/self/cgroup")).ok()?;
    let mounts = read(root, Path::new("/proc/self/mountinfo")).ok()?;
    let own = groups.lines().find_map(|line| line.strip_prefix("0::"))?;
    let mounts = mounts.lines().filter_map(mount);
    let limits = mounts.filter_map(|mount| {
        // A group outside the mounted part of the hierarchy is not visible, nor are those above it.
        let below = Path::new(own).strip_prefix(&mount.group).ok()?;
        let is_outside = below.components().any(|part| part == Component::ParentDir);
        (!is_outside).then(|| smallest(root, &mount, below))?
    });
    limits.min()
}

/// Reads a system file; `path` is absolute. A failure only means that no limit is known, so tests plant no faults here.
fn read(root: &Path, path: &Path) -> io::Result<String> {
    let path = root.join(path.strip_prefix("/").unwrap_or(path));
    let mut text = String::new();
    File::open(path)?.take(MAX_LEN).read_to_string(&mut text)?;
    Ok(text)
}

/// Parses a line of `/proc/self/mountinfo`: identity, parent, device, root, mount point, options, more options, `-`, type,
/// source and options of the file system. Returns `None` for other file systems than control groups.
fn mount(line: &str) -> Option<Mount> {
    let (place, kind) = line.split_once(" - ")?;
    let mut place = place.split(' ').skip(3);
    let (group, directory) = (place.next()?, place.next()?);
    (kind.split(' ').next() == Some("cgroup2")).then(|| Mount {
        group: unescaped(group).into(),
        directory: unescaped(directory).into(),
    })
}

/// Decodes a path in which white space and backslashes are written in octal, such as `\040`.
fn unescaped(text: &str) -> String {
    let mut parts = text.split('\\');
    let mut path = parts.next().unwrap_or("").to_owned();
    for part in parts {
        let code = part
            .get(..3)
            .and_then(|digits| u8::from_str_radix(digits, 8).ok());
        match code {
            Some(code) => {
                path.push(code.into());
                path += &part[3..];
            }
            None => {
                path.push('\\');
                path += part;
            }
        }
    }
    path
}

/// Returns the smallest limit of a group and of those above it. `below` is the path of the group below the mount.
fn smallest(root: &Path, mount: &Mount, below: &Path) -> Option<u64> {
    let mut least = None;
    for below in below.ancestors() {
        let directory = mount.directory.join(below);
        let names = ["memory.max", "memory.high"].into_iter();
        let values = names.filter_map(|name| read(root, &directory.join(name)).ok());
        // Where there is no limit, the value is `max`, which is no number.
        let limits = values.filter_map(|value| value.trim().parse::<u64>().ok());
        least = limits.chain(least).min();
    }
    least
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    const MOUNT: &str =
        "30 23 0:26 / /sys/fs/cgroup rw,nosuid shared:4 - cgroup2 cgroup2 rw,nsdelegate\n";

    /// Returns the limit for a tree with these files; `groups` and `mounts` are the files of `/proc/self`.
    fn limit(groups: &str, mounts: &str, files: &[(&str, &str)]) -> Option<u64> {
        let root = tempfile::tempdir().unwrap();
        let own = [
            ("proc/self/cgroup", groups),
            ("proc/self/mountinfo", mounts),
        ];
        for (name, text) in own.iter().chain(files) {
            let path = root.path().join(name);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, text).unwrap();
        }
        of_groups(root.path())
    }

    #[test]
    fn the_smallest_limit_on_the_way_up_counts() {
        let job = "0::/slurm/job_7/step\n";
        let file = |name| format!("sys/fs/cgroup/slurm/{name}");
        let (outer, own) = (file("job_7/memory.max"), file("job_7/step/memory.max"));
        let high = file("memory.high");
        let other = file("job_8/memory.max");
        for (limits, expected) in [
            (["max", "max", "max"], None),
            (["1000", "max", "max"], Some(1000)),
            (["2000", "1000", "max"], Some(1000)),
            (["1000", "2000", "max"], Some(1000)),
            (["2000", "3000", "500\n"], Some(500)),
            (["0", "3000", "500"], Some(0)),
        ] {
            let paths = [&*outer, &*own, &*high].into_iter();
            let files: Vec<_> = paths.zip(limits).chain([(&*other, "1")]).collect();
            assert_eq!(limit(job, MOUNT, &files), expected, "{limits:?}");
        }
    }

    #[test]
    fn namespaces_and_containers_show_a_part_of_the_tree() {
        // A container that sees the path of the host, and one with a namespace of its own.
        let mounts = MOUNT.replace(" / /sys", " /docker/1 /sys");
        let files = [
            ("sys/fs/cgroup/memory.max", "700"),
            ("sys/fs/cgroup/a/memory.max", "600"),
        ];
        assert_eq!(limit("0::/docker/1\n", &mounts, &files), Some(700));
        assert_eq!(limit("0::/docker/1/a\n", &mounts, &files), Some(600));
        assert_eq!(limit("0::/\n", MOUNT, &files), Some(700));
        // Inside a namespace, the paths of groups outside it begin with `/..`.
        let mounts = MOUNT.replace(" / /sys", " /.. /sys");
        assert_eq!(limit("0::/../a\n", &mounts, &files), Some(600));
        assert_eq!(limit("0::/../../a\n", &mounts, &files), None);
        assert_eq!(
            limit("0::/../a\n", MOUNT, &files),
            None,
            "not below the mount"
        );
        // A mount point with a space in its name.
        let mounts = MOUNT.replace("/sys/fs/cgroup", "/my\\040groups");
        let files = [("my groups/a/memory.max", "600")];
        assert_eq!(limit("0::/a\n", &mounts, &files), Some(600));
    }

    #[test]
    fn missing_or_malformed_values_are_no_limit() {
        let own = "sys/fs/cgroup/a/memory.max";
        assert_eq!(of_groups(Path::new("/nonexistent")), None);
        assert_eq!(limit("", "", &[]), None);
        assert_eq!(limit("0::/a\n", MOUNT, &[]), None);
        assert_eq!(limit("0::/a\n", "", &[(own, "5")]), None);
        for garbage in [
            "",
            "-5",
            "1e9",
            "five",
            "99999999999999999999999",
            "\u{fffd}",
        ] {
            assert_eq!(
                limit("0::/a\n", MOUNT, &[(own, garbage)]),
                None,
                "{garbage}"
            );
        }
        for line in ["", ":", "0:", "0:/a", "::/a", "\\", "0::a/../../b"] {
            assert_eq!(limit(line, MOUNT, &[(own, "5")]), None, "{line}");
        }
        for line in [
            "",
            " - ",
            "- cgroup2",
            "1 2 3 / /x - cgroup2 none",
            "1 2 3 \\9 \\ - cgroup2 a b",
        ] {
            assert_eq!(limit("0::/a\n", line, &[(own, "5")]), None, "{line}");
        }
    }
}
