"""A FUSE file system that shows another directory, and fails operations as a file tells it to.

    passthrough.py SOURCE MOUNTPOINT FAULTS

Like most file systems of this kind it does not remove files that are open: it renames them to `.fuse_hidden…` until
they are closed. FAULTS is a JSON file, `{"operation": "rename", "every": 3, "errno": 5}`, read before each operation:
every third `rename` fails with error 5. `"*"` stands for all operations; `{}` for no faults.
"""

import errno
import json
import os
import sys

from fuse import FUSE, FuseOSError, Operations


class Passthrough(Operations):
    def __init__(self, source, faults):
        self.source = source
        self.faults = faults
        self.count = 0

    def __call__(self, operation, path, *args):
        self.fail(operation)
        try:
            return getattr(self, operation)(self.source + path, *args)
        except OSError as error:
            raise FuseOSError(error.errno or errno.EIO)

    def fail(self, operation):
        try:
            with open(self.faults) as file:
                fault = json.load(file)
        except (OSError, ValueError):
            return
        if fault.get("operation") in (operation, "*"):
            self.count += 1
            if self.count % fault["every"] == 0:
                raise FuseOSError(fault["errno"])

    def getattr(self, path, handle=None):
        there = os.lstat(path)
        keys = ("st_atime", "st_ctime", "st_gid", "st_mode", "st_mtime", "st_nlink", "st_size", "st_uid")
        return {key: getattr(there, key) for key in keys}

    def access(self, path, mode):
        if not os.access(path, mode):
            raise FuseOSError(errno.EACCES)

    def chmod(self, path, mode):
        return os.chmod(path, mode)

    def chown(self, path, uid, gid):
        return os.chown(path, uid, gid)

    def create(self, path, mode, info=None):
        return os.open(path, os.O_RDWR | os.O_CREAT | os.O_EXCL, mode)

    def fsync(self, path, data_only, handle):
        return os.fsync(handle)

    def link(self, path, source):
        return os.link(self.source + source, path)

    def mkdir(self, path, mode):
        return os.mkdir(path, mode)

    def open(self, path, flags):
        return os.open(path, flags)

    def read(self, path, size, offset, handle):
        return os.pread(handle, size, offset)

    def readdir(self, path, handle):
        return [".", "..", *os.listdir(path)]

    def readlink(self, path):
        return os.readlink(path)

    def release(self, path, handle):
        return os.close(handle)

    def rename(self, path, new):
        return os.rename(path, self.source + new)

    def rmdir(self, path):
        return os.rmdir(path)

    def symlink(self, path, target):
        return os.symlink(target, path)

    def truncate(self, path, length, handle=None):
        return os.truncate(path, length)

    def unlink(self, path):
        return os.unlink(path)

    def utimens(self, path, times=None):
        return os.utime(path, times)

    def write(self, path, data, offset, handle):
        return os.pwrite(handle, data, offset)


if __name__ == "__main__":
    source, mountpoint, faults = map(os.path.abspath, sys.argv[1:4])
    FUSE(Passthrough(source, faults), mountpoint, foreground=True, nothreads=True, allow_other=True)
