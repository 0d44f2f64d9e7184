import { cpSync, existsSync, mkdtempSync, readdirSync, readFileSync } from "node:fs";
import { utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

export const fixtures = join(
  dirname(fileURLToPath(import.meta.url)),
  "../../test/fixtures/restore",
);

/** Each folder is a case: `case.json`, the recorded files, and the results. */
export function readCases(base = fixtures) {
  return readdirSync(base)
    .toSorted()
    .filter((name) => existsSync(join(base, name, "case.json")))
    .map((name) => {
      const folder = join(base, name);
      const described = readJson(join(folder, "case.json"));
      const proof = join(folder, "proof.json");
      return {
        name,
        folder,
        root: join(base, described.home ?? name, "home"),
        ...described,
        ...(existsSync(proof) ? { proof: readJson(proof) } : {}),
      };
    });
}

function readJson(path) {
  return JSON.parse(readFileSync(path, "utf8"));
}

/**
 * The home as it was when a message had just been recorded, made by cutting the files: up to the
 * message's last line, or its place in the list. An independent way to the same state.
 */
export function homeAt(root, messageId) {
  return changedHome(root, (text, name) => {
    return name.endsWith("l") ? cutLines(text, messageId) : cutList(text, messageId);
  });
}

/** The home as it was at a time, made in the same way. */
export function homeAsOf(root, time) {
  return changedHome(root, (text, name) => {
    return name.endsWith("l") ? linesUpTo(text, time) : listUpTo(text, time);
  });
}

/** The same home with file times far in the future, because a checkout may have any. */
export function lateHome(root) {
  return changedHome(root, (text) => text);
}

const LATE = new Date("2099-01-01T00:00:00Z");

function changedHome(root, change) {
  const home = join(mkdtempSync(join(tmpdir(), "pollux-at-")), ".gemini");
  cpSync(root, home, { recursive: true });
  for (const name of readdirSync(home, { recursive: true }).map(String)) {
    if (!/chats.session-.*\.jsonl?$/.test(name)) continue;
    writeFileSync(join(home, name), change(readFileSync(join(home, name), "utf8"), name));
    utimesSync(join(home, name), LATE, LATE);
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

/** Up to the first line with a later time. A rewind has no time and belongs to the next line. */
function linesUpTo(text, time) {
  const lines = text.split("\n");
  const isLater = (line) => {
    const times = [...line.matchAll(/"(?:timestamp|lastUpdated|startTime)":"([^"]+)"/g)];
    return times.some(([, described]) => described > time);
  };
  const later = lines.findIndex(isLater);
  const before = later === -1 ? lines : lines.slice(0, later);
  const last = before.findLastIndex((line) => line !== "" && !line.startsWith('{"$rewindTo"'));
  return `${before.slice(0, last + 1).join("\n")}\n`;
}

function listUpTo(text, time) {
  const { messages, ...facts } = JSON.parse(text);
  return JSON.stringify({
    ...facts,
    messages: messages.filter(({ timestamp }) => timestamp <= time),
  });
}
