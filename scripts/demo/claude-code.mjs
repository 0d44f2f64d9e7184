import { hunkOf, perform } from "./perform.mjs";
import { iso } from "./play.mjs";

/** Claude Code 2.1: one record per block of an answer, subagents in their own files. */
export const claudeCode = {
  folder: ".claude",
  tools: {
    record: toolRecord,
    isSlow: (name) => name === "Bash",
    callId: (chance) => `toolu_01${chance.hex(22)}`,
    agentId: (chance) => `a${chance.hex(16)}`,
  },
  sessionFiles,
  filesBeside,
};

function toolRecord(call, { files, id, at }) {
  const { args, name, status } = call;
  const { output, change } = perform(call, files);
  const path = args.file_path && files.absolute(args.file_path);
  const input = path === undefined ? args : { ...args, file_path: path };
  const exit = call.exitCode ? `Exit code ${call.exitCode}\n` : "";
  const done = change?.before === undefined ? "created" : "updated";
  const result = exit + (output ?? `The file ${path} has been ${done} successfully.`);
  const isError = status !== "success" || call.exitCode > 0;
  const made = madeBy(call, { path, change, output });
  return { id, name, input, at, result, isError, made, agentId: call.agentId };
}

/** The tool's structured result, beside its text. */
function madeBy({ name, status, exitCode, agentId, error }, { path, change, output }) {
  if (status !== "success" || exitCode) return `Error: ${error ?? output}`;
  if (agentId !== undefined) return { status: "completed", agentId, content: output };
  if (name === "Bash") return { stdout: output, stderr: "", interrupted: false, isImage: false };
  if (!change) return undefined;
  const { from, lines, oldCount, newCount } = hunkOf(change);
  const hunk = {
    oldStart: from + 1,
    oldLines: oldCount,
    newStart: from + 1,
    newLines: newCount,
    lines,
  };
  if (change.before === undefined) {
    return { type: "create", filePath: path, content: change.after, structuredPatch: [] };
  }
  return { filePath: path, originalFile: change.before, structuredPatch: [hunk] };
}

function* sessionFiles(session, project) {
  const folder = `projects/${project.path.replace(/[^A-Za-z0-9]/g, "-")}`;
  const writer = new Records(session, project);
  yield [`${folder}/${session.id}.jsonl`, writer.text()];
  for (const agent of session.agents) {
    const { version, chance, id: parentId } = session;
    const own = { ...agent, version, chance, parentId };
    const path = `${folder}/${parentId}/subagents/agent-${agent.id}`;
    const call = session.acts.flatMap(({ calls = [] }) => calls).find(isOf(agent));
    const { subagent_type: agentType, description } = call.input;
    yield [`${path}.jsonl`, new Records(own, project).text()];
    yield [`${path}.meta.json`, JSON.stringify({ agentType, description, toolUseId: call.id })];
  }
}

function isOf({ id }) {
  return ({ agentId }) => agentId === id;
}

/** The prompt history of all projects, and settings that keep sessions. */
function filesBeside(sessions) {
  const typed = sessions.flatMap(({ id, acts, project }) => {
    return acts.flatMap(({ typed: display, at }) => {
      const timestamp = Date.parse(at);
      const entry = { display, pastedContents: {}, timestamp, project: project.path };
      return display === undefined ? [] : [{ ...entry, sessionId: id }];
    });
  });
  const lines = typed.toSorted((a, b) => a.timestamp - b.timestamp).map((line) => lineOf(line));
  return [
    ["history.jsonl", lines.join("")],
    ["settings.json", `${JSON.stringify({ cleanupPeriodDays: 36_500 }, null, 2)}\n`],
  ];
}

function lineOf(record) {
  return `${JSON.stringify(record)}\n`;
}

class Records {
  #records = [];
  #session;
  #project;
  #parent = null;
  /** The parent of the last prompt, to which a rewind returns. */
  #beforePrompt = null;
  #sums = new Map();

  constructor(session, project) {
    this.#session = session;
    this.#project = project;
  }

  text() {
    const { acts, title, parentId, id, version } = this.#session;
    for (const act of acts) this[act.kind](act);
    const sessionId = parentId ?? id;
    if (title !== undefined && parentId === undefined) {
      this.#records.push({ type: "ai-title", aiTitle: title, sessionId });
    }
    const knowsTotals = Number(version.split(".")[2]) >= 280 && parentId === undefined;
    if (knowsTotals) this.#records.push(this.#totals(sessionId));
    return this.#records.map((record) => lineOf(record)).join("");
  }

  user({ id, at, parts }) {
    this.#beforePrompt = this.#parent;
    const content = parts.map(({ text }) => text).join("");
    this.#record("user", { uuid: id, at }, { message: { role: "user", content } });
  }

  model({ id, at, text, thoughts, tokens, model, calls }) {
    const signature = Buffer.from(id).toString("base64");
    const thinking = thoughts.map(({ subject, description }) => {
      return { type: "thinking", thinking: `${subject}. ${description}`, signature };
    });
    const blocks = [
      ...thinking,
      ...(text === "" ? [] : [{ type: "text", text }]),
      ...calls.map((call) => {
        return { type: "tool_use", id: call.id, name: call.name, input: call.input };
      }),
    ];
    const usage = this.#usage(tokens, model);
    const message = {
      model,
      id: `msg_01${id.replaceAll("-", "").slice(0, 22)}`,
      type: "message",
      role: "assistant",
      stop_reason: calls.length > 0 ? "tool_use" : "end_turn",
      stop_sequence: null,
      usage,
    };
    const requestId = `req_011${id.replaceAll("-", "").slice(0, 21)}`;
    const { chance } = this.#session;
    for (const block of blocks) {
      const fields = { requestId, message: { ...message, content: [block] } };
      this.#record("assistant", { uuid: chance.uuid(), at }, fields);
    }
    const answered = this.#parent;
    for (const call of calls) this.#result(call, answered);
  }

  #result({ id, at, result, isError, made }, sourceToolAssistantUUID) {
    const block = { tool_use_id: id, type: "tool_result", content: result };
    const content = [isError ? { ...block, is_error: true } : block];
    const structured = made === undefined ? {} : { toolUseResult: made };
    const fields = { message: { role: "user", content }, ...structured, sourceToolAssistantUUID };
    this.#record("user", { uuid: this.#session.chance.uuid(), at }, fields);
  }

  rewind() {
    this.#parent = this.#beforePrompt;
  }

  notice({ id, at, text }) {
    const content = [{ type: "text", text }];
    this.#record("user", { uuid: id, at }, { message: { role: "user", content } });
  }

  /** Cache reads and writes are counted beside the input. */
  #usage({ input, cached, output, thoughts }, model) {
    const fresh = Math.min(input - cached, 3 + (input % 11));
    const written = input - cached - fresh;
    const sums = this.#sums.get(model) ?? { input: 0, output: 0, cached: 0, written: 0 };
    sums.input += fresh;
    sums.output += output + thoughts;
    sums.cached += cached;
    sums.written += written;
    this.#sums.set(model, sums);
    return {
      input_tokens: fresh,
      cache_creation_input_tokens: written,
      cache_read_input_tokens: cached,
      cache_creation: { ephemeral_5m_input_tokens: written, ephemeral_1h_input_tokens: 0 },
      output_tokens: output + thoughts,
      service_tier: "standard",
    };
  }

  /** The agent's own totals, including subagents and a title request without a record. */
  #totals(sessionId) {
    for (const agent of this.#session.agents) {
      for (const { kind, tokens, model } of agent.acts) {
        if (kind === "model") this.#usage(tokens, model);
      }
    }
    const modelUsage = Object.fromEntries(
      [...this.#sums].map(([model, sums]) => [model, totalsOf(sums)]),
    );
    modelUsage["claude-haiku-4-5"] = totalsOf({ input: 412, output: 14, cached: 0, written: 0 });
    return { type: "cost-state", sessionId, modelUsage, hasUnknownModelCost: false };
  }

  #record(type, { uuid, at }, fields) {
    const { parentId, id, version } = this.#session;
    const isSidechain = parentId !== undefined;
    this.#records.push({
      parentUuid: this.#parent,
      isSidechain,
      ...(isSidechain ? { agentId: id } : {}),
      userType: "external",
      cwd: this.#project.path,
      sessionId: parentId ?? id,
      version,
      gitBranch: "main",
      type,
      ...fields,
      uuid,
      timestamp: at ?? iso(0),
    });
    this.#parent = uuid;
  }
}

function totalsOf({ input, output, cached, written }) {
  return {
    inputTokens: input,
    outputTokens: output,
    cacheReadInputTokens: cached,
    cacheCreationInputTokens: written,
    webSearchRequests: 0,
  };
}
