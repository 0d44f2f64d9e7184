import { cpSync, existsSync, mkdtempSync, readdirSync, readFileSync } from "node:fs";
import { writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

export const fixtures = join(
  dirname(fileURLToPath(import.meta.url)),
  "../../test/fixtures/restore",
);

/** Each folder is a case: `case.json`, the files as they were recorded, and what was proved. */
export function readCases(base = fixtures) {
  return readdirSync(base)
    .toSorted()
    .filter((name) => existsSync(join(base, name, "case.json")))
    .map((name) => {
      const folder = join(base, name);
      const told = readJson(join(folder, "case.json"));
      const proof = join(folder, "proof.json");
      return {
        name,
        folder,
        root: join(base, told.home ?? name, "home"),
        ...told,
        ...(existsSync(proof) ? { proof: readJson(proof) } : {}),
      };
    });
}

function readJson(path) {
  return JSON.parse(readFileSync(path, "utf8"));
}

/**
 * The home as it was when a message had just been recorded, made by hand: the lines up to the
 * message's last, or the beginning of the list. The other way to the same state.
 */
export function homeAt(root, messageId) {
  const home = join(mkdtempSync(join(tmpdir(), "pollux-at-")), ".gemini");
  cpSync(root, home, { recursive: true });
  for (const name of readdirSync(home, { recursive: true }).map(String)) {
    if (!/chats.session-.*\.jsonl?$/.test(name)) continue;
    const text = readFileSync(join(home, name), "utf8");
    writeFileSync(
      join(home, name),
      name.endsWith("l") ? cutLines(text, messageId) : cutList(text, messageId),
    );
  }
  return home;
}

function cutLines(text, id) {
  const lines = text.split("\n");
  const last = lines.findLastIndex((line) => line.startsWith(`{"id":"${id}"`));
  return last === -1 ? text : `${lines.slice(0, last + 1).join("\n")}\n`;
}

function cutList(text, id) {
  const { messages, ...facts } = JSON.parse(text);
  const last = messages.findLastIndex((message) => message.id === id);
  return JSON.stringify({ ...facts, messages: messages.slice(0, last + 1) });
}
