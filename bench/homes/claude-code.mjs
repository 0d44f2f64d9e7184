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
export function writeClaudeSession(home, random) {
  const session = begin(random);
  for (let turn = random.turns(); turn > 0; turn -= 1) addTurn(session, random);
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

function begin(random) {
  return {
    id: random.uuid(),
    cwd: random.project(),
    time: random.clock(),
    model: random.pick(MODELS),
    parent: null,
    lines: [],
    replies: [],
  };
}

function addLine(session, random, fields) {
  const uuid = random.uuid();
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

function addTurn(session, random) {
  addLine(session, random, {
    type: "user",
    message: { role: "user", content: random.piece(20, 900) },
  });
  const steps = random.between(1, 6);
  for (let step = 1; step <= steps; step += 1) addAnswer(session, random, step === steps);
}

function addAnswer(session, random, isLast) {
  const usage = usageOf(random);
  const id = `msg_${random.uuid().replaceAll("-", "")}`;
  const requestId = `req_${random.uuid().replaceAll("-", "")}`;
  const call = `toolu_${random.uuid().replaceAll("-", "")}`;
  const blocks = [
    { type: "thinking", thinking: random.piece(50, 400), signature: random.piece(300, 300) },
  ];
  if (isLast) blocks.push({ type: "text", text: random.piece(100, 2500) });
  else {
    const input = { file_path: `${session.cwd}/src/log.ts`, old_string: random.piece(20, 900) };
    blocks.push({ type: "tool_use", id: call, name: random.pick(TOOLS), input });
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
    addLine(session, random, { type: "assistant", message: content, requestId });
  }
  session.replies.push({ model: session.model, tokens: tokensOf(usage) });
  if (isLast) return;
  const printed = random.printed();
  const result = { tool_use_id: call, type: "tool_result", content: printed };
  const message = { role: "user", content: [result] };
  const toolUseResult = { stdout: printed, stderr: "", interrupted: false };
  addLine(session, random, { type: "user", message, toolUseResult });
}

function usageOf(random) {
  const fiveMinutes = random.between(0, 4000);
  const oneHour = random.between(0, 900);
  return {
    input_tokens: random.between(3, 900),
    cache_creation_input_tokens: fiveMinutes + oneHour,
    cache_read_input_tokens: random.between(4000, 150_000),
    cache_creation: { ephemeral_5m_input_tokens: fiveMinutes, ephemeral_1h_input_tokens: oneHour },
    output_tokens: random.between(5, 3000),
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
