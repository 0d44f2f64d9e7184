import { hash } from "node:crypto";
import { join } from "node:path";
import { memoryBytes } from "../../kernel/bytes.ts";
import { parseJsonText } from "../decoding/parse.ts";
import { asName, asObject } from "../decoding/fields.ts";
import type { HomeView } from "../source.ts";
import type { View } from "../view.ts";
import type { ProcessTotals } from "./content.ts";
import { USAGE_RECORD } from "./read.ts";
import { readUsageRecord } from "./formats/usage-record.ts";

type Home = Pick<HomeView, "root" | "view">;

/** The content of a root's `usage_record.jsonl`, read again only when it has grown. */
interface KnownTotals {
  sizeBytes: number;
  bySession: ReadonlyMap<string, readonly ProcessTotals[]>;
  projects: ReadonlySet<string>;
}

const known = new WeakMap<View, Map<string, KnownTotals>>();

function totalsOf({ root, view }: Home): KnownTotals {
  const path = join(root, USAGE_RECORD);
  const sizeBytes = view.sizeOf(path) ?? 0;
  const ofView = known.get(view) ?? new Map<string, KnownTotals>();
  known.set(view, ofView);
  const before = ofView.get(path);
  if (before?.sizeBytes === sizeBytes) return before;
  const totals = readTotals(path, view, sizeBytes);
  ofView.set(path, totals);
  return totals;
}

function readTotals(path: string, view: View, sizeBytes: number): KnownTotals {
  const bySession = new Map<string, ProcessTotals[]>();
  const projects = new Set<string>();
  // Its diagnostics are reported when it is read as a file of its own.
  const report = (): void => undefined;
  for (const line of readUsageRecord(memoryBytes(path, Buffer.from(textAt(path, view))), report)) {
    bySession.set(line.sessionId, [...(bySession.get(line.sessionId) ?? []), line]);
    if (line.project !== undefined) projects.add(line.project);
  }
  return { sizeBytes, bySession, projects };
}

/** Returns the totals of all processes of a session. */
export function totalsOfSession(home: Home, sessionId: string): readonly ProcessTotals[] {
  return totalsOf(home).bySession.get(sessionId) ?? [];
}

/**
 * Returns the directory whose hash is the folder name in old versions, if any file in the root
 * names it.
 */
export function pathWithHash(
  home: Home & Pick<HomeView, "folders">,
  wanted: string,
): string | undefined {
  const trusted = asObject(jsonAt(join(home.root, "trustedFolders.json"), home.view)) ?? {};
  const paths = [...totalsOf(home).projects, ...Object.keys(trusted)];
  return paths.find((path) => sha256(path) === wanted) ?? pathsByHash(home).get(wanted);
}

function sha256(text: string): string {
  return hash("sha256", text, "hex");
}

const guessed = new WeakMap<readonly string[], ReadonlyMap<string, string>>();

/** Paths that folder names of newer versions may stand for; computed once for all old sessions. */
function pathsByHash({ folders }: Pick<HomeView, "folders">): ReadonlyMap<string, string> {
  const before = guessed.get(folders);
  if (before) return before;
  const paths = folders.flatMap((folder) => pathsOfSlug(folder));
  const byHash = new Map(paths.map((path) => [sha256(path), path]));
  guessed.set(folders, byHash);
  return byHash;
}

/** Limit of dashes in a name: each may stand for a dash or for a path separator. */
const MOST_DASHES = 8;

/** `-home-ada-my-app` may be `/home/ada/my/app` or `/home/ada/my-app`: the hash decides. */
function pathsOfSlug(slug: string): string[] {
  const [first, ...words] = slug.split("-");
  if (first !== "" || words.length === 0 || words.length > MOST_DASHES) return [];
  let paths = [`/${words[0] ?? ""}`];
  for (const word of words.slice(1)) {
    paths = paths.flatMap((path) => [`${path}/${word}`, `${path}-${word}`]);
  }
  return paths;
}

/** Metadata beside a subagent's file. */
export interface AgentNotes {
  parentAgentId?: string;
  callId?: string;
  description?: string;
}

export function agentNotes({ view }: Home, file: string): AgentNotes {
  const meta = asObject(jsonAt(file.replace(/\.jsonl$/, ".meta.json"), view));
  const parentAgentId = asName(meta?.["parentAgentId"]);
  const callId = asName(meta?.["toolUseId"]);
  const description = asName(meta?.["description"]);
  return {
    ...(parentAgentId === undefined ? {} : { parentAgentId }),
    ...(callId === undefined ? {} : { callId }),
    ...(description === undefined ? {} : { description }),
  };
}

function jsonAt(path: string, view: View): unknown {
  const parsed = parseJsonText(textAt(path, view));
  return parsed.isJson ? parsed.value : undefined;
}

function textAt(path: string, view: View): string {
  try {
    return view.read(path);
  } catch {
    // Most roots and agents have no such file.
    return "";
  }
}
