// Generates sessions of Gemini CLI: alternately a document of old versions, and lines with repeated
// replies, start contexts, `$set` and `$rewindTo`.
import { createHash } from "node:crypto";
import { mkdirSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { toLines } from "./draw.mjs";

const MODELS = ["gemini-2.5-pro", "gemini-2.5-flash", "gemini-3-pro-preview"];
const TOOLS = ["read_file", "run_shell_command", "replace", "glob"];

/** Writes one session below HOME/.gemini; returns its replies and its size. */
export function writeGeminiSession(home, random, at) {
  const form = at % 2 === 0 ? "document" : "lines";
  const session = makeSession(random, form, at);
  const bytes = writeSession(home, session, form);
  const replies = session.replies.map(({ model, tokens }) => {
    return { model, tokens: { ...tokens, cacheWrite: 0 } };
  });
  return { bytes, replies };
}

function makeSession(random, form, at) {
  const project = random.project();
  const hash = createHash("sha256").update(project).digest("hex");
  const time = random.clock();
  const name = (kind, number) => `${kind}-${at}-${number}`;
  const started = time();
  const id = `${createHash("sha256").update(`session ${at}`).digest("hex").slice(0, 32)}`;
  const session = { id, project, hash, started, messages: [], lines: [], replies: [] };
  const made = { ...random, time, name, form, model: random.pick(MODELS) };
  for (let turn = random.turns(); turn > 0; turn -= 1) addTurn(session, made);
  session.updated = time();
  return session;
}

function addTurn(session, made) {
  const { draw, between, piece, time, name, form } = made;
  const words = piece(20, 900);
  const asked = {
    id: name("u", session.messages.length),
    timestamp: time(),
    type: "user",
    content: form === "lines" ? [{ text: words }] : words,
  };
  session.messages.push(asked);
  session.lines.push(asked);
  const steps = between(1, 6);
  for (let step = 1; step <= steps; step += 1) {
    const reply = makeReply(made, step === steps);
    reply.id = name("g", session.messages.length);
    session.replies.push(reply);
    session.messages.push(reply);
    // A reply is written when it arrives, and again when its tools are done.
    if (reply.toolCalls) session.lines.push({ ...reply, toolCalls: undefined });
    session.lines.push(reply, { $set: { lastUpdated: time() } });
  }
  if (form === "lines" && draw() < 0.05) session.lines.push({ $rewindTo: asked.id });
}

function makeReply({ draw, between, pick, piece, printed, time, model }, isLast) {
  const input = between(4000, 200_000);
  const output = between(5, 2000);
  const thoughts = between(0, 1500);
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
  const name = pick(TOOLS);
  const id = `${name}-${between(1, 1e9)}`;
  const result = [{ functionResponse: { id, name, response: { output: printed() } } }];
  const args = { file_path: "src/log.ts", old_string: piece(20, 900) };
  reply.toolCalls = [{ id, name, args, result, status: "success", timestamp: time() }];
  return reply;
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
      ? toLines([{ ...head, kind: "main" }, startOf(session), ...session.lines])
      : JSON.stringify({ ...head, messages }, null, 2);
  writeFileSync(path, content);
  if (form === "lines") writeFileSync(join(folder, "..", ".project_root"), project);
  utimesSync(path, new Date(updated), new Date(updated));
  return Buffer.byteLength(content);
}

/** The lines that a new version writes at every start. */
function startOf({ id, started }) {
  const words = "<session_context>\nThis is the Gemini CLI.\n</session_context>";
  const context = { id: `c-${id}`, timestamp: started, type: "user", content: [{ text: words }] };
  return { $set: { messages: [context] } };
}
