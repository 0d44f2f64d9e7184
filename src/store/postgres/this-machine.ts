import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { hostname } from "node:os";

export interface Machine {
  uid: string;
  name: string;
}

/**
 * Which machine this is: several may keep their files in one store, and paths of two machines are
 * different files.
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
    // Only Linux has it; elsewhere the name has to do.
    return undefined;
  }
}
