// @module-tag slow
import { sources } from "../../src/sources/index.ts";
import { rootsContract, sourceContract } from "../contracts/source.ts";
import type { SampleHome } from "../samples/sample-homes.ts";
import { sampleHomes } from "../samples/sample-homes.ts";

/** One home per version, at most twelve: each is read dozens of times. */
function fewOf(homes: readonly SampleHome[]): SampleHome[] {
  const perVersion = new Map(homes.map((home) => [home.name.split("/")[0], home]));
  return [...perVersion.values()].slice(0, 12);
}

const samples = new Map(sources.map((source) => [source, fewOf(sampleHomes(source))]));

for (const [source, own] of samples) {
  sourceContract(source, own);
  const others = [...samples].filter(([other]) => other !== source);
  rootsContract(
    source,
    own,
    others.flatMap(([, homes]) => homes),
  );
}
