import { existsSync, readFileSync, realpathSync } from "node:fs";
import { dirname, resolve } from "node:path";

/**
 * The kind of network file system under a path, when it is one. Several processes share memory
 * beside the archive, which does not work over a network: the file would be damaged.
 */
export function networkUnder(path: string, platform: NodeJS.Platform): string | undefined {
  const folder = realFolder(path);
  if (platform === "linux") return networkMount(folder, readMounts());
  // Asking costs a process: once, before the archive is made, is enough.
  if (platform === "darwin")
    return existsSync(path) ? undefined : networkMount(folder, macMounts());
  if (platform === "win32") return /^\\\\(?![.?]\\)/.test(folder) ? "a network share" : undefined;
  return undefined;
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

/** The mount that holds a folder is the longest one above it. */
export function networkMount(folder: string, mounts: readonly Mount[]): string | undefined {
  const holding = mounts
    .filter(({ at }) => at === "/" || folder === at || folder.startsWith(`${at}/`))
    .toSorted((a, b) => b.at.length - a.at.length)[0];
  if (!holding) return undefined;
  if (NETWORK_TYPES.test(holding.type)) return holding.type;
  // Windows drives inside of a Linux subsystem come over a network protocol.
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

/** Spaces and their like are written as octal numbers: `\040`. */
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
    // A system without it has nothing to tell; the archive is taken to lie on a disk.
    return [];
  }
}

function macMounts(): Mount[] {
  try {
    // Loaded here, for nobody else needs it.
    const { execFileSync } = process.getBuiltinModule("node:child_process");
    return parseMacMounts(execFileSync("/sbin/mount", { encoding: "utf8" }));
  } catch {
    // As above.
    return [];
  }
}

/** The nearest folder that exists, with links followed: mapped drives become their share. */
function realFolder(path: string): string {
  let folder = dirname(resolve(path));
  while (!existsSync(folder) && dirname(folder) !== folder) folder = dirname(folder);
  return realpathSync.native(folder);
}
