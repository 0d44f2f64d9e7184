import type { Facts } from "../core/entry.ts";
import type { FormatName, SessionFile } from "../core/session-file.ts";
import type { UsageFact } from "../core/usage-fact.ts";
import { FileReplay } from "../sources/gemini-cli/interpret/file-replay.ts";
import { mayRepeatUsage } from "../sources/gemini-cli/interpret/repairs.ts";
import { factsOf } from "../core/usage-facts.ts";
import type { Source } from "../sources/source.ts";
import { sessionIdOf } from "./assemble.ts";

/** A file that was skimmed: what is known of it is what it cost. */
export interface SkimmedFile {
  sessionId: string;
  format: FormatName;
  generation: string;
  facts: Facts;
  usage: UsageFact[];
}

/** Skims a session file. Nothing when it has to be read. */
export function skimFile(
  source: Source,
  file: SessionFile,
  bytes: Buffer,
): SkimmedFile | undefined {
  const replay = new FileReplay();
  const into = { entry: replay.play.bind(replay) };
  const readAs = source.skim?.({ path: file.path, bytes }, into);
  const { messages, facts } = replay;
  // What an import repeats, and which counts are told twice, takes words to find out.
  if (!readAs || facts.isImport === true || mayRepeatUsage(messages)) return undefined;
  const sessionId = sessionIdOf({ file, replay });
  const told = { id: sessionId, ledgerName: source.ledgerName, messages };
  const usage = factsOf(told);
  // Without a time of its own a reply is told by that of its session, which words may change.
  if (usage.some(({ at }) => at === undefined)) return undefined;
  return { sessionId, ...readAs, facts, usage };
}
