import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { hostname } from "node:os";

export interface Machine {
  uid: string;
  name: string;
}

/**
 * Identifies this machine: several may keep their files in one store, where equal paths on two
 * machines are different files.
 */
export function thisMachine(): Machine {
  const name = hostname();
  const uid = createHash("sha256")
    .update(`pollux ${machineId() ?? name}`)
    .digest("hex");
  return { uid: uid.slice(0, 32), name };
}

function machineId(): string | undefined {
  try {
    return readFileSync("/etc/machine-id", "utf8").trim() || undefined;
  } catch {
    // Only Linux has this file; elsewhere the host name is used.
    return undefined;
  }
}
