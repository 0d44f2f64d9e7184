import { sha256 } from "./chance.mjs";
import { iso } from "./play.mjs";
import { modelMessage } from "./write-json.mjs";

/** The same id in every session: a hash of fixed words. */
const CONTEXT_ID = "d04923d38bb0f6017037e74183378ef4";

/** Lines as appended by versions from 0.39, and the stub file that each resume creates. */
export function jsonlSession(session, project) {
  const writer = new LineWriter(session, project);
  writer.begin(session.startMs);
  for (const act of session.acts) writer.write(act);
  if (session.title !== undefined) writer.title(session.title);
  const { text, stubs, saved, spills } = writer;
  return { text, stubs, saved, spills };
}

class LineWriter {
  stubs = [];
  saved = [];
  spills = [];
  #lines = [];
  #session;
  #project;
  #hasSnapshots;
  /** The agent's memory, from which snapshots are made. */
  #memory = [];

  constructor(session, project) {
    this.#session = session;
    this.#project = project;
    this.#hasSnapshots = session.minor >= 44;
  }

  get text() {
    return this.#lines.map((line) => `${line}\n`).join("");
  }

  begin(ms) {
    this.#put(this.#header(ms));
    if (!this.#hasSnapshots || this.#session.parentId !== undefined) return;
    this.#memory.push(this.#context(ms));
    this.#snapshot(iso(ms));
  }

  title(summary) {
    if (this.#session.parentId !== undefined) return this.#put({ $set: { summary } });
    const used = this.#session.acts.flatMap(({ calls = [] }) => calls.map(({ name }) => name));
    const toolSequence = [...new Set(used)].slice(0, 5);
    const memoryScratchpad = { version: 1, toolSequence, validationStatus: "unknown" };
    this.#put({ $set: this.#session.minor < 41 ? { summary } : { summary, memoryScratchpad } });
  }

  write(act) {
    this[act.kind](act);
  }

  user({ id, at, parts, display }) {
    const shown = display === undefined ? {} : { displayContent: [{ text: display }] };
    this.#message({ id, timestamp: at, type: "user", content: parts, ...shown }, at);
  }

  /** Written when it arrives, and again when its tools are done. */
  model(act) {
    const message = modelMessage(act);
    const { toolCalls, ...bare } = message;
    this.#message(bare, act.at);
    if (toolCalls === undefined) return;
    this.#put(message);
    this.#memory[this.#memory.length - 1] = message;
    // A subagent's last call ends it, so no response follows.
    if (!this.#hasSnapshots || toolCalls.at(-1).name === "complete_task") return;
    const content = toolCalls.flatMap(({ result }) => result);
    const response = { id: act.responseId, timestamp: act.responseAt, type: "user", content };
    this.#message(response, act.responseAt);
  }

  notice({ id, at, type, text }) {
    this.#put({ id, timestamp: at, type, content: text });
    this.#updated(at);
  }

  /** Rewinds to before a prompt; the word counts prompts from the end. */
  rewind({ word, at }) {
    const prompts = this.#memory.filter((message) => this.#isTyped(message));
    const target = prompts.at(-Number(word));
    this.#put({ $rewindTo: target.id });
    this.#memory = this.#memory.slice(0, this.#memory.indexOf(target));
    if (!this.#hasSnapshots) return;
    this.#memory = this.#memory.filter(({ id }) => id !== CONTEXT_ID);
    this.#snapshot(at);
  }

  /** Removes a failed request. */
  refuse({ at }) {
    const from = this.#memory.findLastIndex((message) => this.#isTyped(message));
    this.#memory = this.#memory.slice(0, from);
    this.#snapshot(at);
  }

  compress({ at, summary, noticeId }) {
    const { id, chance } = this.#session;
    this.#put({ $set: { sessionId: id } });
    const turns = this.#memory.filter((message) => message.id !== CONTEXT_ID);
    const from = turns.findLastIndex((message) => this.#isTyped(message));
    const record = (type, content) => ({ id: chance.uuid(), timestamp: at, type, content });
    const kept = turns.slice(from).map(({ type, content, toolCalls }) => {
      return record(type, asHistory({ content, toolCalls }));
    });
    this.#memory = [
      this.#context(this.#session.startMs),
      record("user", [{ text: summary }]),
      record("gemini", [{ text: "Got it. Thanks for the additional context!" }]),
      ...kept,
    ];
    this.#snapshot(at);
    this.notice({ id: noticeId, at, type: "info", text: "" });
  }

  /** Replaces long outputs by previews: every turn is written again with a new id. */
  mask({ at }) {
    const { chance } = this.#session;
    const copies = this.#memory
      .filter(({ id }) => id !== CONTEXT_ID)
      .map((message) => {
        const content = asHistory(message).map((part) => this.#masked(part));
        const base = { id: chance.uuid(), timestamp: at, type: message.type, content };
        return message.type === "gemini" ? { ...base, tokens: null } : base;
      });
    for (const copy of copies) this.#put(copy);
    this.#memory = copies;
    this.#snapshot(at);
  }

  /** Each start creates a new file; the conversation continues in the old one. */
  resume({ at }) {
    const stub = new LineWriter(this.#session, this.#project);
    stub.begin(Date.parse(at) - 900);
    this.stubs.push({ startMs: Date.parse(at) - 900, text: stub.text });
    this.#put({ $set: { sessionId: this.#session.id } });
    this.#memory = this.#memory.flatMap((message) => {
      const results = (message.toolCalls ?? []).flatMap(({ result }) => result);
      if (results.length === 0) return [message];
      const id = `${message.id}_response`;
      return [message, { id, timestamp: at, type: "user", content: results }];
    });
    this.#snapshot(at);
  }

  /** The history as sent to the model, without ids, times and counts. */
  save({ text: tag }) {
    const history = this.#memory.map((message) => {
      const role = message.type === "user" ? "user" : "model";
      const parts = asHistory(message).filter((part) => part.thought !== true);
      return { role, parts };
    });
    this.saved.push({
      tag,
      text: JSON.stringify({ history, authType: "oauth-personal" }, null, 2),
    });
  }

  #masked(part) {
    const { id, name, response } = part.functionResponse ?? {};
    if ((response?.output ?? "").length < 3000) return part;
    const file = `${name}_${id}_${this.#session.chance.letters(6)}.txt`.toLowerCase();
    this.spills.push({ name: file, text: response.output });
    const folder = `/home/mika/.gemini/tmp/${this.#project.slug}/tool-outputs`;
    const output = [
      "<tool_output_masked>",
      response.output.slice(0, 250),
      "\n... [a preview; the rest was moved out of the conversation] ...\n",
      response.output.slice(-250),
      `\nFull output: ${folder}/session-${this.#session.id}/${file}`,
      "</tool_output_masked>",
    ].join("\n");
    return { functionResponse: { id, name, response: { output } } };
  }

  #header(ms) {
    const { id, parentId } = this.#session;
    const header = { sessionId: id, projectHash: sha256(this.#project.path) };
    const times = { startTime: iso(ms), lastUpdated: iso(ms) };
    if (parentId === undefined) return { ...header, ...times, kind: "main" };
    return { ...header, ...times, kind: "subagent", directories: [this.#project.path] };
  }

  #context(ms) {
    const { path, slug } = this.#project;
    const day = new Intl.DateTimeFormat("en-US", { dateStyle: "full", timeZone: "UTC" });
    const text = [
      "<session_context>",
      "This is the Gemini CLI. We are setting up the context for our chat.",
      `Today's date is ${day.format(ms)} (formatted according to the user's locale).`,
      "My operating system is: linux",
      `The project's temporary directory is: /home/mika/.gemini/tmp/${slug}`,
      "- **Workspace Directories:**",
      `  - ${path}`,
      "- **Directory Structure:**",
      "",
      "Showing up to 200 items (files + folders).",
      "",
      `${this.#session.tree}\n\n\n</session_context>`,
    ].join("\n");
    return { id: CONTEXT_ID, timestamp: iso(ms), type: "user", content: [{ text }] };
  }

  #isTyped({ id, type, content }) {
    return type === "user" && id !== CONTEXT_ID && content[0]?.text !== undefined;
  }

  #message(message, at) {
    this.#put(message);
    this.#updated(at);
    this.#memory.push(message);
  }

  #snapshot(at) {
    const messages = this.#memory.map((message) => {
      return message.type === "gemini" ? { ...message, content: asHistory(message) } : message;
    });
    this.#put({ $set: { messages, lastUpdated: at } });
  }

  #updated(at) {
    this.#put({ $set: { lastUpdated: at } });
  }

  #put(record) {
    this.#lines.push(JSON.stringify(record));
  }
}

/** A reply in the format of the model's history: thoughts and calls are parts. */
function asHistory({ content, thoughts = [], toolCalls = [] }) {
  if (typeof content !== "string") return content;
  const thinking = thoughts.map(({ subject, description }) => {
    return { text: `**${subject}** ${description}`, thought: true };
  });
  const calls = toolCalls.map(({ id, name, args }) => ({ functionCall: { id, name, args } }));
  return [...thinking, ...(content === "" ? [] : [{ text: content }]), ...calls];
}
