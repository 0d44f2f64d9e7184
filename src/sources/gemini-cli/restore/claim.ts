import { PolluxError } from "../../../core/error.ts";
import type { Claim, Directory, ProjectFolder } from "./place.ts";
import { projectFolder, registryOf } from "./place.ts";
import type { LockClock } from "./registry-lock.ts";
import { whileLocked } from "./registry-lock.ts";

/** A project's folder with the way to make it the project's own. */
export interface ClaimableFolder extends ProjectFolder {
  /** Has the claims written, while Gemini CLI does not write its own. */
  claim: (write: (claim: Claim) => void) => void;
}

export function claimableFolder(
  directory: Directory,
  request: LockClock & { root: string; minor: number; platform: NodeJS.Platform },
): ClaimableFolder {
  const findFolder = (): ProjectFolder => projectFolder(request.root, directory, request);
  const folder = findFolder();
  return {
    ...folder,
    claim: (write) => {
      if (folder.claims.length === 0) return;
      whileLocked(registryOf(request.root), request, () => claimAgain(folder, findFolder(), write));
    },
  };
}

/** Since it was planned, Gemini CLI itself may have claimed a folder: this one, or its name. */
function claimAgain(
  planned: ProjectFolder,
  now: ProjectFolder,
  write: (claim: Claim) => void,
): void {
  if (now.name === planned.name) return now.claims.forEach(write);
  throw new PolluxError("registry-changed", "Gemini CLI has just changed its list of projects.", {
    remedy: "Try again.",
  });
}
