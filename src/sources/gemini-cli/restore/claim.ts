import { PolluxError } from "../../../core/error.ts";
import type { Claim, Directory, ProjectFolder } from "./place.ts";
import { projectFolder, registryOf } from "./place.ts";
import type { LockClock } from "./registry-lock.ts";
import { withRegistryLock } from "./registry-lock.ts";

/** A project folder, and a function that assigns it to the project. */
export interface ClaimableFolder extends ProjectFolder {
  /** Writes the claims while holding Gemini CLI's lock. */
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
      withRegistryLock(registryOf(request.root), request, () =>
        claimAgain(folder, findFolder(), write),
      );
    },
  };
}

/** Gemini CLI may have claimed a folder since the plan was made: this folder, or its name. */
function claimAgain(
  planned: ProjectFolder,
  now: ProjectFolder,
  write: (claim: Claim) => void,
): void {
  if (now.name === planned.name) return now.claims.forEach(write);
  throw new PolluxError(
    "registry-changed",
    "Gemini CLI changed its list of projects at the same time.",
    {
      remedy: "Try again.",
    },
  );
}
