import { readFileSync } from "node:fs";
import { sha256 } from "./chance.mjs";
import { Files } from "./files.mjs";
import { iso, play } from "./play.mjs";
import { parseStory } from "./story.mjs";
import { jsonSession } from "./write-json.mjs";
import { jsonlSession } from "./write-jsonl.mjs";

/** The first version that names folders by project instead of by hash. */
const FIRST_SLUG = 29;
const FIRST_JSONL = 39;

/** All files of one project's stories, by their path inside the home. */
export function projectFiles(project) {
  const story = parseStory(
    readFileSync(new URL(`${project.story}.story`, import.meta.url), "utf8"),
  );
  const files = new Files(project.path);
  for (const { word, text } of story.files) files.write(word, [text, ""].join("\n"));
  const sessions = story.sessions.map((session) => play(session, { project, files }));
  const written = new Map();
  for (const session of sessions) {
    if (session.flags.includes("gone")) continue;
    for (const [path, text] of sessionFiles(session, project)) written.set(path, text);
  }
  const isMoved = !project.isLeft;
  for (const [path, text] of logFiles(sessions, project)) written.set(path, text);
  if (isMoved) {
    // A later version copies the whole old folder and leaves the original.
    const old = `tmp/${sha256(project.path)}/`;
    for (const [path, text] of written) {
      const copy = path.replace(old, `tmp/${project.slug}/`);
      if (!written.has(copy)) written.set(copy, text);
    }
    written.set(`tmp/${project.slug}/.project_root`, project.path);
    written.set(`history/${project.slug}/.project_root`, project.path);
  }
  return written;
}

function folderOf(project, minor) {
  return `tmp/${minor < FIRST_SLUG ? sha256(project.path) : project.slug}`;
}

function* sessionFiles(session, project) {
  const folder = folderOf(project, session.minor);
  const name = (ms) => `${folder}/chats/session-${minuteOf(ms)}-${session.id.slice(0, 8)}`;
  for (const agent of session.agents) yield agentFile(agent, session, project);
  if (session.minor < FIRST_JSONL) {
    yield [`${name(session.startMs)}.json`, jsonSession(session, project)];
    return;
  }
  const { text, stubs, saved, spills } = jsonlSession(session, project);
  yield [`${name(session.startMs)}.jsonl`, session.flags.includes("torn") ? tear(text) : text];
  for (const stub of stubs) yield [`${name(stub.startMs)}.jsonl`, stub.text];
  for (const chat of saved) {
    yield [`${folder}/checkpoint-${encodeURIComponent(chat.tag)}.json`, chat.text];
  }
  for (const spill of spills) {
    yield [`${folder}/tool-outputs/session-${session.id}/${spill.name}`, spill.text];
  }
}

function agentFile(agent, parent, project) {
  const path = `${folderOf(project, parent.minor)}/chats/${parent.id}/${agent.id}`;
  const session = { ...agent, parentId: parent.id };
  if (parent.minor < FIRST_JSONL) return [`${path}.json`, jsonSession(session, project)];
  return [`${path}.jsonl`, jsonlSession(session, project).text];
}

/** Simulates a crash while the last line was written. */
function tear(text) {
  const lines = text.trimEnd().split("\n").slice(0, -1);
  const last = lines.pop();
  return `${lines.join("\n")}\n${last.slice(0, Math.round(last.length * 0.6))}`;
}

/** The prompt logs: per folder, for interactive sessions only, and never cleaned up. */
function* logFiles(sessions, project) {
  const typed = sessions.filter(({ flags }) => !flags.includes("headless"));
  const old = typed.filter(({ minor }) => minor < FIRST_SLUG);
  const oldFolder = folderOf(project, 0);
  if (old.length > 0) yield [`${oldFolder}/logs.json`, logOf(old)];
  if (typed.length > old.length) yield [`tmp/${project.slug}/logs.json`, logOf(typed)];
  const shell = typed.flatMap(({ acts }) => acts.filter(isShellRun).map((act) => act.typed));
  if (shell.length > 0) yield [`tmp/${project.slug}/shell_history`, shell.join("\n")];
}

const COMMANDS = { compress: "/compress", rewind: "/rewind", save: "/chat save " };

function logOf(sessions) {
  const entries = sessions.flatMap(({ id, acts }) => {
    const said = acts.flatMap((act) => {
      const command = COMMANDS[act.kind];
      const message =
        command === undefined ? act.typed : command + (act.kind === "save" ? act.text : "");
      return message === undefined ? [] : [{ message, timestamp: act.at ?? iso(0) }];
    });
    return said.map((entry, messageId) => ({ sessionId: id, messageId, type: "user", ...entry }));
  });
  return JSON.stringify(entries, null, 2);
}

function isShellRun({ kind, parts }) {
  return kind === "user" && parts[0].text.startsWith("I ran the following shell command:");
}

function minuteOf(ms) {
  return iso(ms).slice(0, 16).replace(":", "-");
}
