// Generates sessions of Claude Code from 2.0.77: one line per block of an answer.
import { mkdirSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { toLines } from "./draw.mjs";

const MODELS = [
  "claude-sonnet-4-5-20250929",
  "claude-opus-4-1-20250805",
  "claude-haiku-4-5-20251001",
];
const TOOLS = ["Read", "Bash", "Edit", "Grep"];

/** Writes one session below HOME/.claude; returns its replies and its size. */
export function writeClaudeSession(home, lot) {
  const session = begin(lot);
  for (let turn = lot.turns(); turn > 0; turn -= 1) addTurn(session, lot);
  const slug = session.cwd.replace(/[^A-Za-z0-9]/g, "-");
  const folder = join(home, ".claude", "projects", slug);
  mkdirSync(folder, { recursive: true });
  const path = join(folder, `${session.id}.jsonl`);
  const content = toLines(session.lines);
  writeFileSync(path, content);
  const updated = new Date(session.lines.at(-1).timestamp);
  utimesSync(path, updated, updated);
  return { bytes: Buffer.byteLength(content), replies: session.replies };
}

function begin(lot) {
  return {
    id: lot.uuid(),
    cwd: lot.project(),
    time: lot.clock(),
    model: lot.pick(MODELS),
    parent: null,
    lines: [],
    replies: [],
  };
}

function addLine(session, lot, fields) {
  const uuid = lot.uuid();
  session.lines.push({
    parentUuid: session.parent,
    isSidechain: false,
    userType: "external",
    cwd: session.cwd,
    sessionId: session.id,
    version: "2.1.120",
    gitBranch: "main",
    ...fields,
    uuid,
    timestamp: session.time(),
  });
  session.parent = uuid;
}

function addTurn(session, lot) {
  addLine(session, lot, { type: "user", message: { role: "user", content: lot.piece(20, 900) } });
  const steps = lot.between(1, 6);
  for (let step = 1; step <= steps; step += 1) addAnswer(session, lot, step === steps);
}

function addAnswer(session, lot, isLast) {
  const usage = usageOf(lot);
  const id = `msg_${lot.uuid().replaceAll("-", "")}`;
  const requestId = `req_${lot.uuid().replaceAll("-", "")}`;
  const call = `toolu_${lot.uuid().replaceAll("-", "")}`;
  const blocks = [
    { type: "thinking", thinking: lot.piece(50, 400), signature: lot.piece(300, 300) },
  ];
  if (isLast) blocks.push({ type: "text", text: lot.piece(100, 2500) });
  else {
    const input = { file_path: `${session.cwd}/src/log.ts`, old_string: lot.piece(20, 900) };
    blocks.push({ type: "tool_use", id: call, name: lot.pick(TOOLS), input });
  }
  const reason = isLast ? "end_turn" : "tool_use";
  for (const block of blocks) {
    const message = { id, type: "message", role: "assistant", model: session.model };
    const content = {
      ...message,
      content: [block],
      stop_reason: reason,
      stop_sequence: null,
      usage,
    };
    addLine(session, lot, { type: "assistant", message: content, requestId });
  }
  session.replies.push({ model: session.model, tokens: tokensOf(usage) });
  if (isLast) return;
  const printed = lot.printed();
  const result = { tool_use_id: call, type: "tool_result", content: printed };
  const message = { role: "user", content: [result] };
  const toolUseResult = { stdout: printed, stderr: "", interrupted: false };
  addLine(session, lot, { type: "user", message, toolUseResult });
}

function usageOf(lot) {
  const fiveMinutes = lot.between(0, 4000);
  const oneHour = lot.between(0, 900);
  return {
    input_tokens: lot.between(3, 900),
    cache_creation_input_tokens: fiveMinutes + oneHour,
    cache_read_input_tokens: lot.between(4000, 150_000),
    cache_creation: { ephemeral_5m_input_tokens: fiveMinutes, ephemeral_1h_input_tokens: oneHour },
    output_tokens: lot.between(5, 3000),
    service_tier: "standard",
  };
}

function tokensOf(usage) {
  const cached = usage.cache_read_input_tokens;
  const cacheWrite = usage.cache_creation_input_tokens;
  const input = usage.input_tokens + cached + cacheWrite;
  const output = usage.output_tokens;
  return { input, cached, cacheWrite, output, thoughts: 0, tool: 0, total: input + output };
}
