// @module-tag slow
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { fileOf, fixtures } from "../../samples/gemini-fixtures.ts";
import { appendJsonl } from "../../../src/sources/gemini-cli/formats/append-jsonl.ts";
import { savedChat } from "../../../src/sources/gemini-cli/formats/saved-chat.ts";
import { singleJson } from "../../../src/sources/gemini-cli/formats/single-json.ts";
import type { Sample } from "../../contracts/format.ts";
import { appendContract, formatContract } from "../../contracts/format.ts";

/** Complete fixtures written by a real version. */
function samples(kind: Parameters<typeof fileOf>[0]): Sample[] {
  return readdirSync(join(fixtures, kind))
    .filter((name) => /^\d/.test(name) && !name.endsWith("-killrace"))
    .map((name) => ({ name, bytes: fileOf(kind, name) }));
}

formatContract(appendJsonl, samples("append-jsonl"));
appendContract(appendJsonl, samples("append-jsonl"));
formatContract(singleJson, samples("single-json"));
formatContract(savedChat, samples("saved-chat"));
