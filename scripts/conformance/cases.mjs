// The cases of the conformance kit: folders of test/fixtures, each laid out as a home.
import { cpSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const root = join(dirname(fileURLToPath(import.meta.url)), "..", "..");
export const fixtures = join(root, "test", "fixtures", "gemini-cli");

/** Where a file of each kind lies in a home; `homes` are whole ones already. */
const PLACES = {
  "append-jsonl": "chats/session-2026-05-04T10-00-5e551001.jsonl",
  "single-json": "chats/session-2026-05-04T10-00-5e551002.json",
  "saved-chat": undefined,
};
const PROJECT = "/home/ada/projects/ledger";

export function readCases() {
  return ["append-jsonl", "single-json", "saved-chat", "homes"].flatMap((kind) =>
    readdirSync(join(fixtures, kind))
      .toSorted()
      .map((name) => readCase(kind, name)),
  );
}

function readCase(kind, name) {
  const folder = join(fixtures, kind, name);
  const { about, from, expected } = JSON.parse(readFileSync(join(folder, "expected.json"), "utf8"));
  return { id: `${kind}/${name}`, kind, folder, about, from, expected };
}

/** Makes a home with the files of the case; a reader finds `.gemini` in it. */
export function layOut({ kind, folder }, home) {
  if (kind === "homes") {
    cpSync(join(folder, "home"), home, { recursive: true });
    return;
  }
  const project = join(home, ".gemini", "tmp", "ledger");
  mkdirSync(join(project, "chats"), { recursive: true });
  writeFileSync(join(project, ".project_root"), PROJECT);
  for (const name of readdirSync(folder).filter((file) => file !== "expected.json")) {
    cpSync(join(folder, name), join(project, PLACES[kind] ?? name));
  }
}
