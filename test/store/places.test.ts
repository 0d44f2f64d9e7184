import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { usualArchive, archiveFileOf } from "../../src/store/location.ts";
import { isShare, networkMount, parseMacMounts, parseMountInfo } from "../../src/store/network.ts";
import { joinPath, relativePath } from "../../src/store/paths.ts";
import { folder } from "./temporary-archives.ts";

describe("location of the archive", () => {
  test.each([
    ["linux", {}, "/home/ada/.local/share/pollux/archive.db"],
    ["linux", { XDG_DATA_HOME: "/data" }, "/data/pollux/archive.db"],
    ["linux", { XDG_DATA_HOME: "relative" }, "/home/ada/.local/share/pollux/archive.db"],
    ["darwin", {}, "/home/ada/Library/Application Support/Pollux/archive.db"],
    ["win32", { LOCALAPPDATA: "/local" }, "/local/Pollux/archive.db"],
    ["win32", {}, "/home/ada/AppData/Local/Pollux/archive.db"],
    ["linux", { POLLUX_HOME: "/own", XDG_DATA_HOME: "/data" }, "/own/archive.db"],
  ] as const)("on %s with %o", (platform, env, path) => {
    expect(usualArchive({ platform, env, homeDir: "/home/ada" })).toBe(path);
  });

  test("a given path is a file, or the folder that contains it", () => {
    const place = folder();
    mkdirSync(join(place, "there"));
    expect(archiveFileOf(join(place, "there"))).toBe(join(place, "there", "archive.db"));
    expect(archiveFileOf(join(place, "later/"))).toBe(join(place, "later", "archive.db"));
    expect(archiveFileOf(join(place, "mine.db"))).toBe(join(place, "mine.db"));
  });
});

describe("network file systems", () => {
  const mounts = parseMountInfo(`22 1 254:1 / / rw - ext4 /dev/vda1 rw
40 22 0:40 / /mnt/nas rw shared:7 - nfs4 nas:/export rw,vers=4.2
41 22 0:41 / /mnt/my\\040share rw - cifs //nas/share rw
42 22 0:42 / /mnt/c rw - 9p drvfs rw,aname=drvfs;path=C:
43 22 0:43 / /sandbox rw - 9p none rw,trans=fd
44 22 0:44 / /mnt/ssh rw - fuse.sshfs ada@host: rw
45 40 254:2 / /mnt/nas/disk rw - ext4 /dev/vdb rw`);

  test.each([
    ["/home/ada", undefined],
    ["/mnt/nas", "nfs4"],
    ["/mnt/nas/pollux", "nfs4"],
    ["/mnt/nas/disk/pollux", undefined],
    ["/mnt/nasty", undefined],
    ["/mnt/my share/x", "cifs"],
    ["/mnt/c/Users/ada", "9p"],
    ["/sandbox/x", undefined],
    ["/mnt/ssh/x", "fuse.sshfs"],
  ])("%s: %s", (path, type) => {
    expect(networkMount(path, mounts)).toBe(type);
  });

  test("are recognised on Windows by their path", () => {
    expect([String.raw`\\nas\home`, String.raw`\\?\UNC\nas\home`].every(isShare)).toBe(true);
    const local = [String.raw`C:\Users\ada`, String.raw`\\?\C:\Users`, String.raw`\\.\C:`];
    expect(local.some(isShare)).toBe(false);
  });

  test("are recognised on a Mac from the mounts", () => {
    const mac = parseMacMounts(`/dev/disk3s1s1 on / (apfs, sealed, local, read-only, journaled)
//ada@nas/home on /Volumes/home (smbfs, nodev, nosuid, mounted by ada)
/dev/disk3s5 on /System/Volumes/Data (apfs, local, journaled)`);
    expect(networkMount("/Volumes/home/pollux", mac)).toBe("smbfs");
    expect(networkMount("/Users/ada", mac)).toBeUndefined();
  });
});

describe("paths below a root", () => {
  test.each([
    ["/home/ada/agent", "/home/ada/agent/tmp/a b/x.json", "tmp/a b/x.json"],
    ["/home/ada/agent/", "/home/ada/agent/tmp/x", "tmp/x"],
    ["C:\\Users\\ada\\agent", "C:\\Users\\ada\\agent\\tmp\\x", "tmp/x"],
    ["\\\\nas\\home", "\\\\nas\\home\\tmp\\x", "tmp/x"],
    ["/odd", "/odd/back\\slash", "back\\slash"],
  ])("%s", (root, path, below) => {
    expect(relativePath(root, path)).toBe(below);
    expect(joinPath(root, below)).toBe(path);
  });
});
