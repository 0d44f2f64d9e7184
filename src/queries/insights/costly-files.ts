import { absolutePath } from "../../core/rows/touched-file.ts";
import type { Evidence, Rule } from "./rule.ts";
import { evidenceOf, MOST_EVIDENCE, UsageSum } from "./rule.ts";

const THRESHOLD = { reads: 3, characters: 50_000 } as const;

/** Files that filled the context most, by the characters that were read from them. */
export const costlyFiles: Rule = {
  id: "costly-files",
  title: "Files that are expensive to read",
  rule: "A file that was read at least 3 times, with at least 50,000 characters in total.",
  threshold: THRESHOLD,
  advice: "Split it, or tell the agent which part to read.",
  begin() {
    const files = new Map<string, { reads: number; characters: number; last: Evidence }>();
    let undecided = 0;
    return {
      add(session) {
        for (const { messageId, ...read } of session.work.reads) {
          undecided += read.withoutOutput;
          const path = absolutePath(read.path, session.projectPath);
          const before = files.get(path) ?? { reads: 0, characters: 0 };
          const characters = before.characters + read.characters;
          const reads = before.reads + read.reads;
          const what = `${path}: ${reads} times, ${characters} characters`;
          files.set(path, { reads, characters, last: evidenceOf(session, messageId, what) });
        }
      },
      result() {
        const costly = [...files.values()]
          .filter(({ reads, characters }) => {
            return reads >= THRESHOLD.reads && characters >= THRESHOLD.characters;
          })
          .toSorted((a, b) => b.characters - a.characters);
        const why = "what was read is not recorded";
        return {
          count: costly.length,
          spent: new UsageSum(),
          ...(undecided > 0 ? { undecided: { count: undecided, why } } : {}),
          evidence: costly.slice(0, MOST_EVIDENCE).map(({ last }) => last),
        };
      },
    };
  },
};
