import { hunkOf, perform } from "./perform.mjs";
import { iso } from "./play.mjs";

/** Codex 0.130: one rollout per thread, with each text as an event and as an item. */
export const codex = {
  folder: ".codex",
  tools: {
    record: toolRecord,
    isSlow: (name) => name === "exec_command",
    callId: (chance) => `call_${chance.hex(24)}`,
  },
  sessionFiles,
  filesBeside,
};

function toolRecord(call, { files, id, at }) {
  const { args, name, exitCode = 0 } = call;
  const { output = "", change } = perform(call, files);
  if (change) {
    const { path, before } = change;
    const hunk = hunkOf(change).lines;
    const what = before === undefined ? "Add" : "Update";
    const lines = before === undefined ? hunk : ["@@", ...hunk];
    const head = `*** Begin Patch\n*** ${what} File: ${path}\n`;
    const input = `${head}${lines.join("\n")}\n*** End Patch`;
    const notice = `Success. Updated the following files:\n${what[0]} ${path}\n`;
    const result = JSON.stringify({
      output: notice,
      metadata: { exit_code: 0, duration_seconds: 0.1 },
    });
    return { id, name, at, input, result };
  }
  const isShell = name === "exec_command";
  const head = `Chunk ID: ${id.slice(-6)}\nWall time: 0.4 seconds`;
  const result = isShell
    ? `${head}\nProcess exited with code ${exitCode}\nOutput:\n${output}\n`
    : output;
  return { id, name, at, args, result };
}

function* sessionFiles(session, project) {
  const id = versioned(session.id, session.startMs);
  const time = iso(session.startMs).slice(0, 19);
  const day = time.slice(0, 10).replaceAll("-", "/");
  const name = `rollout-${time.replaceAll(":", "-")}-${id}.jsonl`;
  yield [`sessions/${day}/${name}`, new Rollout({ ...session, id }, project).text()];
}

function filesBeside(sessions) {
  const named = sessions.map((session) => {
    const id = versioned(session.id, session.startMs);
    return { ...session, id };
  });
  const typed = named.flatMap(({ id, acts }) => {
    return acts.flatMap(({ typed: text, at }) => {
      const ts = Math.round(Date.parse(at) / 1000);
      return text === undefined ? [] : [{ session_id: id, ts, text }];
    });
  });
  const titles = named.flatMap(({ id, title, endMs }) => {
    return title === undefined ? [] : [{ id, thread_name: title, updated_at: iso(endMs) }];
  });
  return [
    ["history.jsonl", linesOf(typed.toSorted((a, b) => a.ts - b.ts))],
    ["session_index.jsonl", linesOf(titles)],
  ];
}

function linesOf(records) {
  return records.map((record) => `${JSON.stringify(record)}\n`).join("");
}

/** UUIDv7: ids begin with the time. */
function versioned(uuid, ms) {
  const hex = Math.round(ms).toString(16).padStart(12, "0");
  return `${hex.slice(0, 8)}-${hex.slice(8)}-7${uuid.slice(15)}`;
}

const NO_COUNTS = {
  input_tokens: 0,
  cached_input_tokens: 0,
  output_tokens: 0,
  reasoning_output_tokens: 0,
  total_tokens: 0,
};

class Rollout {
  #lines = [];
  #session;
  #project;
  #total = NO_COUNTS;
  #turn;
  #said = null;
  #model;
  #at;

  constructor(session, project) {
    this.#session = session;
    this.#project = project;
    this.#at = iso(session.startMs);
  }

  text() {
    const { id, startMs, version, acts } = this.#session;
    const { path: cwd, slug } = this.#project;
    this.#put("session_meta", {
      id,
      timestamp: iso(startMs),
      cwd,
      originator: "codex-tui",
      cli_version: version,
      source: "cli",
      model_provider: "openai",
      git: { branch: "main", repository_url: `git@example.org:mika/${slug}.git` },
    });
    for (const act of acts) this[act.kind](act);
    this.#endTurn();
    return linesOf(this.#lines);
  }

  user({ at, parts }) {
    this.#endTurn();
    this.#at = at;
    this.#turn = versioned(this.#session.chance.uuid(), Date.parse(at));
    const isFirst = this.#model === undefined;
    this.#event("task_started", { turn_id: this.#turn, model_context_window: 258_400 });
    const { path: cwd } = this.#project;
    if (isFirst) {
      const notice = `<environment_context>\n  <cwd>${cwd}</cwd>\n  <shell>bash</shell>`;
      this.#say("user", `${notice}\n</environment_context>`);
    }
    this.#model = this.#session.acts.find(({ kind }) => kind === "model").model;
    const rest = { approval_policy: "on-request", sandbox_policy: { type: "workspace-write" } };
    this.#put("turn_context", { turn_id: this.#turn, cwd, ...rest, model: this.#model });
    const text = parts.map((part) => part.text).join("");
    this.#say("user", text);
    this.#event("user_message", { message: text, images: [], local_images: [] });
  }

  model({ at, text, thoughts, tokens, calls }) {
    this.#at = at;
    for (const { subject, description } of thoughts) {
      const summary = `**${subject}**\n\n${description}`;
      this.#event("agent_reasoning", { text: summary });
      this.#put("response_item", {
        type: "reasoning",
        summary: [{ type: "summary_text", text: summary }],
        content: null,
        encrypted_content: Buffer.from(summary).toString("base64").slice(0, 60),
      });
    }
    if (text !== "") {
      this.#event("agent_message", { message: text });
      this.#say("assistant", text);
      this.#said = text;
    }
    for (const { id, name, args, input } of calls) {
      const call =
        input === undefined
          ? { type: "function_call", name, arguments: JSON.stringify(args), call_id: id }
          : { type: "custom_tool_call", status: "completed", call_id: id, name, input };
      this.#put("response_item", call);
    }
    this.#count(tokens);
    for (const { id, at: ended, input, result } of calls) {
      this.#at = ended;
      const type = input === undefined ? "function_call_output" : "custom_tool_call_output";
      this.#put("response_item", { type, call_id: id, output: result });
    }
  }

  rewind({ at }) {
    this.#endTurn();
    this.#at = at;
    this.#event("thread_rolled_back", { num_turns: 1 });
  }

  #endTurn() {
    if (this.#turn === undefined) return;
    this.#event("task_complete", { turn_id: this.#turn, last_agent_message: this.#said });
    this.#turn = undefined;
  }

  /** A cumulative counter; cached tokens are part of the input, thoughts part of the output. */
  #count({ input, cached, output, thoughts }) {
    const last = {
      input_tokens: input,
      cached_input_tokens: cached,
      output_tokens: output + thoughts,
      reasoning_output_tokens: thoughts,
      total_tokens: input + output + thoughts,
    };
    const sums = Object.entries(last).map(([key, count]) => [key, this.#total[key] + count]);
    this.#total = Object.fromEntries(sums);
    const info = { total_token_usage: this.#total, last_token_usage: last };
    this.#event("token_count", { info: { ...info, model_context_window: 258_400 } });
  }

  #say(role, text) {
    const type = role === "assistant" ? "output_text" : "input_text";
    this.#put("response_item", { type: "message", role, content: [{ type, text }] });
  }

  #event(type, fields) {
    this.#put("event_msg", { type, ...fields });
  }

  #put(type, payload) {
    this.#lines.push({ timestamp: this.#at, type, payload });
  }
}
