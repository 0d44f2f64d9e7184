// Generates sessions of Qwen Code 0.15: a chain of records, with token counts in telemetry.
import { mkdirSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { toLines } from "./draw.mjs";

const MODELS = ["qwen3-coder-plus", "qwen3-coder-flash", "qwen3-max"];
const TOOLS = ["read_file", "run_shell_command", "edit", "glob"];

/** Writes one session below HOME/.qwen; returns its replies and its size. */
export function writeQwenSession(home, random) {
  const session = { id: random.uuid(), cwd: random.project(), time: random.clock(), parent: null };
  const made = { ...session, model: random.pick(MODELS), lines: [], replies: [] };
  for (let turn = random.turns(); turn > 0; turn -= 1) addTurn(made, random);
  const slug = made.cwd.replace(/[^A-Za-z0-9]/g, "-");
  const folder = join(home, ".qwen", "projects", slug, "chats");
  mkdirSync(folder, { recursive: true });
  const path = join(folder, `${made.id}.jsonl`);
  const content = toLines(made.lines);
  writeFileSync(path, content);
  const updated = new Date(made.lines.at(-1).timestamp);
  utimesSync(path, updated, updated);
  return { bytes: Buffer.byteLength(content), replies: made.replies };
}

function add(session, random, fields) {
  const uuid = random.uuid();
  session.lines.push({
    uuid,
    parentUuid: session.parent,
    sessionId: session.id,
    timestamp: session.time(),
    cwd: session.cwd,
    version: "0.15.10",
    gitBranch: "main",
    ...fields,
  });
  session.parent = uuid;
}

function addTurn(session, random) {
  const parts = [{ text: random.piece(20, 900) }];
  add(session, random, { type: "user", message: { role: "user", parts } });
  const steps = random.between(1, 6);
  for (let step = 1; step <= steps; step += 1) addAnswer(session, random, step === steps);
}

function addAnswer(session, random, isLast) {
  const input = random.between(4000, 200_000);
  const output = random.between(20, 3000);
  const cached = Math.floor(input * random.draw() * 0.8);
  const thoughts = Math.floor(output * random.draw() * 0.5);
  const text = isLast ? random.piece(100, 2500) : "";
  addTelemetry(session, random, { input, output, cached, thoughts, text });
  const id = `call_${random.uuid().slice(0, 8)}`;
  const name = random.pick(TOOLS);
  const args = { file_path: `${session.cwd}/src/log.ts`, old_string: random.piece(20, 900) };
  const said = isLast ? { text } : { functionCall: { id, name, args } };
  add(session, random, {
    type: "assistant",
    model: session.model,
    message: { role: "model", parts: [{ text: random.piece(50, 400), thought: true }, said] },
    usageMetadata: {
      promptTokenCount: input,
      candidatesTokenCount: output,
      thoughtsTokenCount: thoughts,
      cachedContentTokenCount: cached,
      totalTokenCount: input + output,
    },
  });
  const total = input + output;
  const tokens = {
    input,
    cached,
    cacheWrite: 0,
    output: output - thoughts,
    thoughts,
    tool: 0,
    total,
  };
  session.replies.push({ model: session.model, tokens });
  if (isLast) return;
  const response = { output: random.printed() };
  const parts = [{ functionResponse: { id, name, response } }];
  const toolCallResult = { callId: id, status: "success", resultDisplay: "" };
  add(session, random, { type: "tool_result", message: { role: "user", parts }, toolCallResult });
}

function addTelemetry(session, random, { input, output, cached, thoughts, text }) {
  const uiEvent = {
    "event.name": "qwen-code.api_response",
    "event.timestamp": session.time(),
    response_id: `chatcmpl-${random.uuid()}`,
    model: session.model,
    status_code: 200,
    duration_ms: 2500,
    input_token_count: input,
    output_token_count: output,
    cached_content_token_count: cached,
    thoughts_token_count: thoughts,
    total_token_count: input + output,
    response_text: text,
    prompt_id: `${session.id}########0`,
    auth_type: "openai",
  };
  add(session, random, { type: "system", subtype: "ui_telemetry", systemPayload: { uiEvent } });
}
