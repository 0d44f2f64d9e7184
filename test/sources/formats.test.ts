// @module-tag slow
import { readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { fixtures } from "../../scripts/conformance/cases.mjs";
import { appendJsonl } from "../../src/sources/gemini-cli/formats/append-jsonl.ts";
import { savedChat } from "../../src/sources/gemini-cli/formats/saved-chat.ts";
import { singleJson } from "../../src/sources/gemini-cli/formats/single-json.ts";
import type { Sample } from "../contracts/format.ts";
import { appendContract, formatContract } from "../contracts/format.ts";

/** The fixtures that a real version wrote and that are whole. */
function samples(kind: string): Sample[] {
  return readdirSync(join(fixtures, kind))
    .filter((name) => /^\d/.test(name) && !name.endsWith("-killrace"))
    .map((name) => {
      const folder = join(fixtures, kind, name);
      const file = readdirSync(folder).find((entry) => entry !== "expected.json") ?? "";
      return { name, bytes: readFileSync(join(folder, file)) };
    });
}

formatContract(appendJsonl, samples("append-jsonl"));
appendContract(appendJsonl, samples("append-jsonl"));
formatContract(singleJson, samples("single-json"));
formatContract(savedChat, samples("saved-chat"));
