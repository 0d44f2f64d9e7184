// Generates rollouts of Codex from 0.101: events beside response items, and a cumulative counter
// that is sometimes repeated.
import { mkdirSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { toLines } from "./draw.mjs";

const MODELS = ["gpt-5-codex", "gpt-5.1-codex", "gpt-5"];

/** Writes one rollout below HOME/.codex; returns its replies and its size. */
export function writeCodexSession(home, random) {
  const time = random.clock();
  const session = {
    id: random.uuid(),
    cwd: random.project(),
    time,
    lines: [],
    replies: [],
    total: zero(),
  };
  const started = time();
  add(session, "session_meta", {
    id: session.id,
    timestamp: started,
    cwd: session.cwd,
    originator: "codex_cli_rs",
    cli_version: "0.101.0",
    source: "cli",
    model_provider: "openai",
    base_instructions: { text: random.piece(9000, 12_000) },
  });
  for (let turn = random.turns(); turn > 0; turn -= 1) addTurn(session, random);
  const day = started.slice(0, 10).replaceAll("-", "/");
  const folder = join(home, ".codex", "sessions", day);
  mkdirSync(folder, { recursive: true });
  const stamp = started.slice(0, 19).replaceAll(":", "-");
  const path = join(folder, `rollout-${stamp}-${session.id}.jsonl`);
  const content = toLines(session.lines);
  writeFileSync(path, content);
  const updated = new Date(session.lines.at(-1).timestamp);
  utimesSync(path, updated, updated);
  return { bytes: Buffer.byteLength(content), replies: session.replies };
}

function add(session, type, payload) {
  session.lines.push({ timestamp: session.time(), type, payload });
}

function event(session, type, payload) {
  add(session, "event_msg", { type, ...payload });
}

function addTurn(session, random) {
  const model = random.pick(MODELS);
  const turn = { turn_id: random.uuid() };
  event(session, "task_started", { ...turn, model_context_window: 258_400 });
  add(session, "turn_context", { ...turn, cwd: session.cwd, model, effort: "medium" });
  const words = random.piece(20, 900);
  const content = [{ type: "input_text", text: words }];
  add(session, "response_item", { type: "message", role: "user", content });
  event(session, "user_message", { message: words, images: [], local_images: [] });
  const steps = random.between(1, 6);
  for (let step = 1; step <= steps; step += 1) {
    addResponse(session, random, { model, isLast: step === steps });
  }
  event(session, "task_complete", { ...turn, last_agent_message: "done", duration_ms: 1000 });
}

function addResponse(session, random, { model, isLast }) {
  const summary = [{ type: "summary_text", text: random.piece(50, 400) }];
  event(session, "agent_reasoning", { text: summary[0].text });
  add(session, "response_item", {
    type: "reasoning",
    summary,
    content: null,
    encrypted_content: random.piece(900, 1400),
  });
  if (isLast) {
    const text = random.piece(100, 2500);
    event(session, "agent_message", { message: text });
    const content = [{ type: "output_text", text }];
    add(session, "response_item", { type: "message", role: "assistant", content });
  } else addCall(session, random);
  const usage = usageOf(random);
  for (const field of Object.keys(usage)) session.total[field] += usage[field];
  const info = {
    total_token_usage: { ...session.total },
    last_token_usage: usage,
    model_context_window: 258_400,
  };
  event(session, "token_count", { info, rate_limits: null });
  // Repeated when limits are looked up, without a change of the counter.
  if (random.draw() < 0.3) event(session, "token_count", { info, rate_limits: { primary: null } });
  session.replies.push({ model, tokens: tokensOf(usage) });
}

function addCall(session, random) {
  const call_id = `call_${random.uuid().replaceAll("-", "").slice(0, 24)}`;
  const args = JSON.stringify({ cmd: `cat src/log.ts # ${random.piece(5, 60)}` });
  const call = { type: "function_call", name: "exec_command", arguments: args, call_id };
  add(session, "response_item", call);
  const head = "Chunk ID: 1\nWall time: 0.1 seconds\nProcess exited with code 0\nOutput:\n";
  const output = head + random.printed();
  add(session, "response_item", { type: "function_call_output", call_id, output });
}

function zero() {
  return {
    input_tokens: 0,
    cached_input_tokens: 0,
    output_tokens: 0,
    reasoning_output_tokens: 0,
    total_tokens: 0,
  };
}

function usageOf(random) {
  const input = random.between(4000, 200_000);
  const output = random.between(20, 3000);
  return {
    input_tokens: input,
    cached_input_tokens: Math.floor(input * random.draw() * 0.8),
    output_tokens: output,
    reasoning_output_tokens: Math.floor(output * random.draw() * 0.6),
    total_tokens: input + output,
  };
}

function tokensOf(usage) {
  const thoughts = usage.reasoning_output_tokens;
  return {
    input: usage.input_tokens,
    cached: usage.cached_input_tokens,
    cacheWrite: 0,
    output: usage.output_tokens - thoughts,
    thoughts,
    tool: 0,
    total: usage.total_tokens,
  };
}
