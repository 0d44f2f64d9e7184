// @module-tag slow
import { sources } from "../../src/sources/index.ts";
import type { SampleHome } from "../contracts/source.ts";
import { rootsContract, sourceContract } from "../contracts/source.ts";
import type { AgentId } from "../corpora/trees.ts";
import { committedTrees } from "../corpora/trees.ts";

/** Trees of every generation, but not all: each is read dozens of times. */
function samplesOf(agent: AgentId): SampleHome[] {
  const trees = committedTrees(agent);
  const perVersion = new Map(trees.map((tree) => [tree.version, tree]));
  return [...perVersion.values()].slice(0, 12).map(({ name, roots }) => ({ name, roots }));
}

for (const source of sources) {
  const agent = source.id as AgentId;
  sourceContract(source, samplesOf(agent));
  const others = sources.filter((other) => other !== source);
  rootsContract(
    source,
    samplesOf(agent),
    others.flatMap(({ id }) => samplesOf(id as AgentId)),
  );
}
