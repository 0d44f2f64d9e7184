import type { Diagnostic } from "../../src/core/files/diagnostic.ts";
import type { Session } from "../../src/core/session/session.ts";
import { readHomes } from "../samples/read-home.ts";
import type { Depth, Source } from "../../src/sources/source.ts";
import type { CorpusTree } from "./trees.ts";

export interface ReadTree {
  sessions: Session[];
  diagnostics: Diagnostic[];
}

/** Reads all roots of a tree without a store, in one thread. */
export function readTree(source: Source, tree: CorpusTree, depth: Depth = "full"): ReadTree {
  const roots = tree.roots.map((path) => ({ path, because: "--root", isFound: true }));
  const { sessions, diagnostics } = readHomes(source, roots, depth);
  return { sessions, diagnostics };
}
