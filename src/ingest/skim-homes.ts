import type { Diagnostic } from "../core/diagnostic.ts";
import type { Digest } from "../core/digest.ts";
import { linkDigests } from "../core/chains.ts";
import type { Home } from "./gather.ts";
import { roughDigest } from "./rough-digest.ts";
import type { ReadFile } from "./session-source.ts";
import { skimFiles } from "./skim-threads.ts";
import { filesIn, skimmedSessions, wantedOf } from "./skimmed-sessions.ts";

/**
 * What all sessions cost. The digests are rough: of most sessions they tell id, kind, files and
 * usage alone. Good for sums by time, model, kind and root, and for nothing else.
 */
export interface Skimmed {
  digests: Digest[];
  files: ReadFile[];
  diagnostics: Diagnostic[];
}

/** Nothing when the sessions share replies: then all of them have to be read. */
export async function skimHomes(homes: readonly Home[]): Promise<Skimmed | undefined> {
  const found = filesIn(homes);
  const skimmed = await skimFiles(found.map(wantedOf), (_one, told) => told);
  const { sessions, files, diagnostics } = skimmedSessions(homes, found, (at) => skimmed.get(at));
  const digests = sessions.map((one) => {
    if ("digest" in one) return one.digest;
    return roughDigest({ source: one.home.source, file: one.file }, one.told);
  });
  const links = linkDigests(digests);
  return links.chains.length > 0 ? undefined : { digests: links.digests, files, diagnostics };
}
