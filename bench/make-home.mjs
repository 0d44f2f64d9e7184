// Makes a home of Gemini CLI for measuring: the same bytes for the same wish, and their sums.
//
//   node bench/make-home.mjs HOME SESSIONS [SEED]     → HOME/.gemini/… and HOME/truth.json
//
// Every other session is a document of old versions, the others are lines with repeated replies,
// start contexts, `$set` and `$rewindTo`. Sizes are drawn as people's are: many small, a few large.
import { createHash } from "node:crypto";
import { mkdirSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const MODELS = ["gemini-2.5-pro", "gemini-2.5-flash", "gemini-3-pro-preview"];
const TOOLS = ["read_file", "run_shell_command", "replace", "glob"];
const SAID = 'read every line of the log: größe, 長さ, café, "quoted", C:\\a\\b, const x;\n';
const WORDS = SAID.split(" ");
const FIELDS = ["input", "output", "cached", "thoughts", "tool", "total"];

/** Writes the home; gives what it adds up to. */
export function makeHome(home, sessions, seed = 1) {
  const draw = drawer(seed);
  const truth = { sessions, bytes: 0, requests: 0, byModel: {} };
  const paper = text(draw, 60_000);
  for (let at = 0; at < sessions; at += 1) {
    const form = at % 2 === 0 ? "document" : "lines";
    const session = makeSession({ draw, paper, form, at });
    for (const reply of session.replies) count(truth, reply);
    truth.bytes += writeSession(home, session, form);
  }
  writeFileSync(join(home, "truth.json"), JSON.stringify(truth, null, 2));
  return truth;
}

/** Numbers from 0 to 1 that look drawn by lot (mulberry32). */
function drawer(seed) {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

function between(draw, low, high) {
  return low + Math.floor(draw() * (high - low + 1));
}

function text(draw, length) {
  let written = "";
  while (written.length < length) written += `${WORDS[between(draw, 0, WORDS.length - 1)]} `;
  return written;
}

function makeSession({ draw, paper, form, at }) {
  const project = `/projects/project-${between(draw, 0, 11)}`;
  const hash = createHash("sha256").update(project).digest("hex");
  let clock = Date.UTC(2026, 0, 1) + between(draw, 0, 250) * 86_400_000;
  const time = () => new Date((clock += between(draw, 900, 60_000))).toISOString();
  const piece = (low, high) => {
    const length = between(draw, low, high);
    const from = between(draw, 0, paper.length - length);
    return paper.slice(from, from + length);
  };
  const name = (kind, number) => `${kind}-${at}-${number}`;
  const started = time();
  const id = `${createHash("sha256").update(`session ${at}`).digest("hex").slice(0, 32)}`;
  const session = { id, project, hash, started, messages: [], lines: [], replies: [] };
  const made = { draw, piece, time, name, form, model: MODELS[between(draw, 0, 2)] };
  const turns = Math.ceil(Math.exp(draw() * 3));
  for (let turn = 0; turn < turns; turn += 1) addTurn(session, made);
  session.updated = time();
  return session;
}

function addTurn(session, { draw, piece, time, name, form, model }) {
  const words = piece(20, 900);
  const asked = {
    id: name("u", session.messages.length),
    timestamp: time(),
    type: "user",
    content: form === "lines" ? [{ text: words }] : words,
  };
  session.messages.push(asked);
  session.lines.push(asked);
  const steps = between(draw, 1, 6);
  for (let step = 1; step <= steps; step += 1) {
    const reply = makeReply({ draw, piece, time, model, isLast: step === steps });
    reply.id = name("g", session.messages.length);
    session.replies.push(reply);
    session.messages.push(reply);
    // A reply is written when it is there, and again when its tools are done.
    if (reply.toolCalls) session.lines.push({ ...reply, toolCalls: undefined });
    session.lines.push(reply, { $set: { lastUpdated: time() } });
  }
  if (form === "lines" && draw() < 0.05) session.lines.push({ $rewindTo: asked.id });
}

function makeReply({ draw, piece, time, model, isLast }) {
  const input = between(draw, 4000, 200_000);
  const output = between(draw, 5, 2000);
  const thoughts = between(draw, 0, 1500);
  const cached = Math.floor(input * draw() * 0.8);
  const tokens = { input, output, cached, thoughts, tool: 0, total: input + output + thoughts };
  const thought = { subject: "Looking", description: piece(50, 400), timestamp: time() };
  const reply = {
    id: "",
    timestamp: time(),
    type: "gemini",
    content: isLast ? piece(100, 2500) : "",
    thoughts: [thought],
    tokens,
    model,
  };
  if (isLast) return reply;
  const name = TOOLS[between(draw, 0, TOOLS.length - 1)];
  const id = `${name}-${between(draw, 1, 1e9)}`;
  const printed = piece(50, draw() < 0.1 ? 40_000 : 6000);
  const result = [{ functionResponse: { id, name, response: { output: printed } } }];
  const args = { file_path: "src/log.ts", old_string: piece(20, 900) };
  reply.toolCalls = [{ id, name, args, result, status: "success", timestamp: time() }];
  return reply;
}

function count(truth, { model, tokens }) {
  truth.requests += 1;
  const sums = (truth.byModel[model] ??= Object.fromEntries(FIELDS.map((field) => [field, 0])));
  for (const field of FIELDS) sums[field] += tokens[field];
}

function writeSession(home, session, form) {
  const { id, hash, project, started, updated, messages } = session;
  const slug = project.split("/").at(-1);
  const folder = join(home, ".gemini", "tmp", form === "lines" ? slug : hash, "chats");
  mkdirSync(folder, { recursive: true });
  const stamp = started.slice(0, 16).replace(":", "-");
  const ending = form === "lines" ? "jsonl" : "json";
  const path = join(folder, `session-${stamp}-${id.slice(0, 8)}.${ending}`);
  const head = { sessionId: id, projectHash: hash, startTime: started, lastUpdated: updated };
  const content =
    form === "lines"
      ? [{ ...head, kind: "main" }, startOf(session), ...session.lines].map(toLine).join("")
      : JSON.stringify({ ...head, messages }, null, 2);
  writeFileSync(path, content);
  if (form === "lines") writeFileSync(join(folder, "..", ".project_root"), project);
  utimesSync(path, new Date(updated), new Date(updated));
  return Buffer.byteLength(content);
}

/** What every start of a new version writes before anything is said. */
function startOf({ id, started }) {
  const words = "<session_context>\nThis is the Gemini CLI.\n</session_context>";
  const context = { id: `c-${id}`, timestamp: started, type: "user", content: [{ text: words }] };
  return { $set: { messages: [context] } };
}

function toLine(record) {
  return `${JSON.stringify(record)}\n`;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const [home, sessions = "100", seed = "1"] = process.argv.slice(2);
  if (home === undefined) throw new Error("Where? See the head of this file.");
  console.log(JSON.stringify(makeHome(home, Number(sessions), Number(seed)), null, 2));
}
