import { sha256 } from "./chance.mjs";
import { hunkOf, perform } from "./perform.mjs";
import { iso } from "./play.mjs";

/** Qwen Code 0.24: a chain of records, with telemetry of every request among them. */
export const qwenCode = {
  folder: ".qwen",
  tools: {
    record: toolRecord,
    isSlow: (name) => name === "run_shell_command",
    callId: (chance) => `call_${chance.hex(24)}`,
  },
  sessionFiles,
  filesBeside,
};

function toolRecord(call, { files, id, at }) {
  const { args, name, exitCode = 0 } = call;
  const { output, change } = perform(call, files);
  const path = args.file_path && files.absolute(args.file_path);
  const isError = call.status !== "success" || exitCode > 0;
  const printed = output ?? `Successfully modified file: ${path} (1 replacements).`;
  const shell = `Command: ${args.command}\nDirectory: (root)\nOutput: ${printed}\nExit Code: ${exitCode}`;
  return {
    id,
    name,
    at,
    args: path === undefined ? args : { ...args, file_path: path },
    isError,
    result: name === "run_shell_command" ? shell : printed,
    display: change ? displayOf(path, change) : "",
  };
}

function displayOf(path, change) {
  const { from, lines, oldCount, newCount } = hunkOf(change);
  const fileName = path.split("/").at(-1);
  const ranges = `@@ -${from + 1},${oldCount} +${from + 1},${newCount} @@`;
  const count = (sign) => lines.filter((line) => line.startsWith(sign)).length;
  return {
    fileDiff: [`--- ${fileName}`, `+++ ${fileName}`, ranges, ...lines, ""].join("\n"),
    fileName,
    originalContent: change.before ?? null,
    newContent: change.after,
    diffStat: { model_added_lines: count("+"), model_removed_lines: count("-") },
  };
}

function* sessionFiles(session, project) {
  const folder = `projects/${project.path.replace(/[^A-Za-z0-9]/g, "-")}/chats`;
  yield [`${folder}/${session.id}.jsonl`, new Records(session, project).text()];
}

/** Prompt history, and the usage totals of each process, including guesses of the next prompt. */
function* filesBeside(sessions) {
  const projects = new Map(sessions.map(({ project }) => [project.path, project]));
  for (const { path } of projects.values()) {
    const own = sessions.filter(({ project }) => project.path === path);
    const typed = own.flatMap(({ id, acts }) => {
      const said = acts.filter((act) => act.typed !== undefined);
      return said.map(({ typed: message, at }, messageId) => {
        return { sessionId: id, messageId, type: "user", message, timestamp: at };
      });
    });
    yield [`tmp/${sha256(path)}/logs.json`, JSON.stringify(typed, null, 2)];
  }
  const ended = sessions.toSorted((a, b) => a.endMs - b.endMs).map((session) => totalsOf(session));
  yield ["usage_record.jsonl", ended.map((line) => `${JSON.stringify(line)}\n`).join("")];
}

/** One guess of the next prompt, which no session file records. */
const GUESS = { input: 2140, output: 11, cached: 0, thoughts: 0 };

function totalsOf({ id, acts, project, startMs, endMs, chance }) {
  const replies = acts.filter(({ kind }) => kind === "model");
  const asked = [...replies.map(({ tokens }) => tokens), ...keeper(acts), GUESS];
  const sum = (field) => asked.reduce((total, tokens) => total + tokens[field], 0);
  const outputTokens = sum("output") + sum("thoughts");
  const model = {
    requests: asked.length,
    inputTokens: sum("input"),
    outputTokens,
    cachedTokens: sum("cached"),
    thoughtsTokens: sum("thoughts"),
    totalTokens: sum("input") + outputTokens,
    totalLatencyMs: chance.between(4000, 60_000),
  };
  const [start, end] = [startMs, endMs + 90_000].map(Math.round);
  return {
    version: 1,
    sessionId: id,
    timestamp: end,
    startTime: start,
    project: project.path,
    durationMs: end - start,
    models: { [replies[0].model]: model },
  };
}

/** After the last answer, the memory keeper makes one more request. */
function keeper(acts) {
  const { tokens } = acts.findLast(({ kind }) => kind === "model");
  return [{ input: tokens.input + 640, output: 24, cached: tokens.input, thoughts: 0 }];
}

class Records {
  #records = [];
  #session;
  #project;
  #parent = null;

  constructor(session, project) {
    this.#session = session;
    this.#project = project;
  }

  text() {
    const { acts, title, endMs } = this.#session;
    for (const act of acts) this[act.kind](act);
    const { model } = acts.findLast(({ kind }) => kind === "model");
    const at = iso(endMs + 1500);
    const subagent = { subagent_name: "managed-auto-memory-extractor" };
    for (const tokens of keeper(acts)) this.#request({ at, tokens, model }, subagent);
    if (title !== undefined) {
      const systemPayload = { customTitle: title, titleSource: "auto" };
      this.#record("system", at, { subtype: "custom_title", systemPayload });
    }
    return this.#records.map((record) => `${JSON.stringify(record)}\n`).join("");
  }

  user({ at, parts }) {
    const message = { role: "user", parts };
    this.#record("user", at, { provenance: "real_user", message });
  }

  model({ at, text, thoughts, tokens, model, calls }) {
    this.#request({ at, tokens, model });
    const parts = [
      ...thoughts.map(({ subject, description }) => {
        return { text: `**${subject}** ${description}`, thought: true };
      }),
      ...(text === "" ? [] : [{ text }]),
      ...calls.map(({ id, name, args }) => ({ functionCall: { id, name, args } })),
    ];
    const { input, cached, output } = countsOf(tokens);
    const usageMetadata = {
      promptTokenCount: input,
      candidatesTokenCount: output,
      thoughtsTokenCount: tokens.thoughts,
      totalTokenCount: input + output,
      cachedContentTokenCount: cached,
    };
    this.#record("assistant", at, { model, message: { role: "model", parts }, usageMetadata });
    for (const call of calls) this.#result(call);
  }

  #result({ id, name, at, isError, result, display }) {
    const response = isError ? { error: result } : { output: result };
    const status = isError ? "error" : "success";
    this.#record("tool_result", at, {
      message: { role: "user", parts: [{ functionResponse: { id, name, response } }] },
      toolCallResult: { callId: id, status, resultDisplay: display },
    });
  }

  #request({ at, tokens, model }, more = {}) {
    const { input, cached, output } = countsOf(tokens);
    const uiEvent = {
      "event.name": "qwen-code.api_response",
      "event.timestamp": at,
      model,
      status_code: 200,
      input_token_count: input,
      output_token_count: output,
      cached_content_token_count: cached,
      thoughts_token_count: tokens.thoughts,
      total_token_count: input + output,
      prompt_id: `${this.#session.id}########0`,
      auth_type: "openai",
      ...more,
    };
    this.#record("system", at, { subtype: "ui_telemetry", systemPayload: { uiEvent } });
  }

  #record(type, timestamp, fields) {
    const uuid = this.#session.chance.uuid();
    const { id: sessionId, version } = this.#session;
    const about = { uuid, parentUuid: this.#parent, sessionId, timestamp, type };
    const place = { cwd: this.#project.path, version, gitBranch: "main" };
    this.#records.push({ ...about, ...place, ...fields });
    this.#parent = uuid;
  }
}

/** Thoughts are part of the output. */
function countsOf({ input, cached, output, thoughts }) {
  return { input, cached, output: output + thoughts };
}
