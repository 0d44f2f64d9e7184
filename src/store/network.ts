import { existsSync, readFileSync, realpathSync } from "node:fs";
import { dirname, resolve } from "node:path";

/**
 * The type of network file system that holds a path, if any. SQLite's processes share memory
 * through a file next to the archive; over a network that would corrupt the archive.
 */
export function networkUnder(path: string, platform: NodeJS.Platform): string | undefined {
  const folder = realFolder(path);
  if (platform === "linux") return networkMount(folder, readMounts());
  // Listing mounts starts a process, so it is done only before the archive is created.
  if (platform === "darwin")
    return existsSync(path) ? undefined : networkMount(folder, macMounts());
  return platform === "win32" && isShare(folder) ? "a network share" : undefined;
}

/** `\\nas\home` or `\\?\UNC\nas\home`, but not `\\?\C:\home`. */
export function isShare(folder: string): boolean {
  return /^\\\\(?:\?\\UNC\\|(?![.?]\\))/i.test(folder);
}

export interface Mount {
  at: string;
  type: string;
  options: string;
}

const NETWORK_TYPES: RegExp = new RegExp(
  `^(fuse\\.)?(${[
    ["nfs", "cifs", "smb", "afpfs", "afs", "ncpfs", "webdav", "davfs"],
    ["sshfs", "s3fs", "rclone", "gcsfuse", "ceph", "gluster", "lustre", "beegfs"],
  ]
    .flat()
    .join("|")})`,
);

/** Returns the type if the folder's mount (the longest matching one) is a network file system. */
export function networkMount(folder: string, mounts: readonly Mount[]): string | undefined {
  const holding = mounts
    .filter(({ at }) => at === "/" || folder === at || folder.startsWith(`${at}/`))
    .toSorted((a, b) => b.at.length - a.at.length)[0];
  if (!holding) return undefined;
  if (NETWORK_TYPES.test(holding.type)) return holding.type;
  // WSL mounts Windows drives over a network protocol.
  return holding.type === "9p" && holding.options.includes("drvfs") ? "9p" : undefined;
}

/** `36 35 98:0 / /home rw,noatime shared:1 - ext4 /dev/root rw,errors=continue` */
export function parseMountInfo(text: string): Mount[] {
  return text.split("\n").flatMap((line): Mount[] => {
    const [before, after] = line.split(" - ");
    const at = before?.split(" ")[4];
    const [type, , options] = after?.split(" ") ?? [];
    if (at === undefined || type === undefined) return [];
    return [{ at: unescape(at), type, options: options ?? "" }];
  });
}

/** Spaces and some other characters are octal escapes: `\040`. */
function unescape(text: string): string {
  return text.replace(/\\([0-7]{3})/g, (_, octal: string) =>
    String.fromCharCode(Number.parseInt(octal, 8)),
  );
}

/** `//ada@nas/home on /Volumes/home (smbfs, nodev, nosuid, mounted by ada)` */
export function parseMacMounts(text: string): Mount[] {
  return text.split("\n").flatMap((line): Mount[] => {
    const match = /^.+ on (\/.*) \(([^,)]+)(.*)\)$/.exec(line);
    if (!match) return [];
    return [{ at: match[1] ?? "", type: match[2] ?? "", options: match[3] ?? "" }];
  });
}

function readMounts(): Mount[] {
  try {
    return parseMountInfo(readFileSync("/proc/self/mountinfo", "utf8"));
  } catch {
    // Without this file the mounts are unknown; assume a local disk.
    return [];
  }
}

function macMounts(): Mount[] {
  try {
    // Loaded on demand: only macOS needs it.
    const { execFileSync } = process.getBuiltinModule("node:child_process");
    return parseMacMounts(execFileSync("/sbin/mount", { encoding: "utf8" }));
  } catch {
    // The mounts are unknown; assume a local disk.
    return [];
  }
}

/** The nearest existing folder with links resolved; a mapped drive becomes its network share. */
function realFolder(path: string): string {
  let folder = dirname(resolve(path));
  while (!existsSync(folder) && dirname(folder) !== folder) folder = dirname(folder);
  return realpathSync.native(folder);
}
