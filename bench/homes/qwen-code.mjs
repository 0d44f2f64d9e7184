// Generates sessions of Qwen Code 0.15: a chain of records, with token counts in telemetry.
import { mkdirSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { toLines } from "./draw.mjs";

const MODELS = ["qwen3-coder-plus", "qwen3-coder-flash", "qwen3-max"];
const TOOLS = ["read_file", "run_shell_command", "edit", "glob"];

/** Writes one session below HOME/.qwen; returns its replies and its size. */
export function writeQwenSession(home, lot) {
  const session = { id: lot.uuid(), cwd: lot.project(), time: lot.clock(), parent: null };
  const made = { ...session, model: lot.pick(MODELS), lines: [], replies: [] };
  for (let turn = lot.turns(); turn > 0; turn -= 1) addTurn(made, lot);
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

function add(session, lot, fields) {
  const uuid = lot.uuid();
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

function addTurn(session, lot) {
  const parts = [{ text: lot.piece(20, 900) }];
  add(session, lot, { type: "user", message: { role: "user", parts } });
  const steps = lot.between(1, 6);
  for (let step = 1; step <= steps; step += 1) addAnswer(session, lot, step === steps);
}

function addAnswer(session, lot, isLast) {
  const input = lot.between(4000, 200_000);
  const output = lot.between(20, 3000);
  const cached = Math.floor(input * lot.draw() * 0.8);
  const thoughts = Math.floor(output * lot.draw() * 0.5);
  const text = isLast ? lot.piece(100, 2500) : "";
  addTelemetry(session, lot, { input, output, cached, thoughts, text });
  const id = `call_${lot.uuid().slice(0, 8)}`;
  const name = lot.pick(TOOLS);
  const args = { file_path: `${session.cwd}/src/log.ts`, old_string: lot.piece(20, 900) };
  const said = isLast ? { text } : { functionCall: { id, name, args } };
  add(session, lot, {
    type: "assistant",
    model: session.model,
    message: { role: "model", parts: [{ text: lot.piece(50, 400), thought: true }, said] },
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
  const response = { output: lot.printed() };
  const parts = [{ functionResponse: { id, name, response } }];
  const toolCallResult = { callId: id, status: "success", resultDisplay: "" };
  add(session, lot, { type: "tool_result", message: { role: "user", parts }, toolCallResult });
}

function addTelemetry(session, lot, { input, output, cached, thoughts, text }) {
  const uiEvent = {
    "event.name": "qwen-code.api_response",
    "event.timestamp": session.time(),
    response_id: `chatcmpl-${lot.uuid()}`,
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
  add(session, lot, { type: "system", subtype: "ui_telemetry", systemPayload: { uiEvent } });
}
