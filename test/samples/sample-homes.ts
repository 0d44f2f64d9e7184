import { existsSync } from "node:fs";
import { join } from "node:path";
import { readKit } from "../../src/conformance/kit.ts";
import type { Source } from "../../src/sources/source.ts";
import { committedTrees, hasCorpus } from "../corpora/trees.ts";

/** A home of an agent for tests. */
export interface SampleHome {
  name: string;
  /** Files of one session may be in two roots. */
  roots: readonly string[];
}

const fixtures = join(import.meta.dirname, "../fixtures");
const environment = { env: {}, homeDir: "/nowhere", tempDir: "/nowhere" } as const;

/**
 * The committed homes of an agent: written by its real program (`corpora/<agent>`), or, if there
 * are
 * none, the handmade homes of the kit (`<agent>/<case>/home`).
 */
export function sampleHomes(source: Source): SampleHome[] {
  const { id, name: agent } = source;
  const homes = hasCorpus(id) ? committedTrees(id) : kitHomes(source);
  if (homes.length > 0) return homes.map(({ name, roots }) => ({ name, roots }));
  throw new Error(
    `There is no home of ${agent} to test with. Make test/fixtures/${id}/<case>/home with what it ` +
      "leaves on the disk, and expected.json beside it: docs/new-agent.md, step 3.",
  );
}

function kitHomes(source: Source): SampleHome[] {
  const kit = join(fixtures, source.id);
  const cases = existsSync(kit) ? readKit(kit) : [];
  return cases.map(({ id, folder }) => {
    const asked = { ...environment, platform: "linux", requestedRoots: [folder] } as const;
    return { name: id, roots: source.roots(asked).map(({ path }) => path) };
  });
}
