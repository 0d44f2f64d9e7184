import type { ReadHome } from "../../../src/ingest/read-home.ts";
import { readHome } from "../../../src/ingest/read-home.ts";
import { codex } from "../../../src/sources/codex/index.ts";
import type { Depth } from "../../../src/sources/source.ts";
import type { CorpusTree } from "../../corpora/trees.ts";

export function readRoot(path: string, depth: Depth = "full"): ReadHome {
  return readHome(codex, { path, because: "test", isFound: true }, depth);
}

/** All homes of a tree. */
export function readTree(tree: CorpusTree, depth: Depth = "full"): ReadHome {
  const homes = tree.roots.map((root) => readRoot(root, depth));
  return {
    sessions: homes.flatMap(({ sessions }) => sessions),
    files: homes.flatMap(({ files }) => files),
    diagnostics: homes.flatMap(({ diagnostics }) => diagnostics),
  };
}
