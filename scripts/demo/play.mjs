import { Chance } from "./chance.mjs";
import { compile } from "./compile.mjs";
import { geminiTools } from "./tool-record.mjs";

/**
 * One session of a story with ids, times and token counts, as a list of acts in order. `tools`
 * defines how the agent records its calls.
 */
export function play(session, { project, files, tools = geminiTools }) {
  const chance = new Chance(`${project.slug}:${session.startMs}`);
  const minor = Number(session.version.split(".")[1]);
  const id = chance.uuid();
  const played = {
    id,
    version: session.version,
    minor,
    flags: session.flags,
    startMs: session.startMs + chance.between(0, 999),
    tree: files.tree(),
    context: contextOf(session.flags),
    title: session.steps.find(({ verb }) => verb === "title")?.text,
    acts: [],
    agents: [],
  };
  const steps = session.steps.filter(({ verb }) => verb !== "title");
  const player = new Player(played, { chance, minor, files, tools, model: session.model });
  for (const item of compile(steps)) player.play(item);
  return { ...played, chance, endMs: player.ms };
}

class Player {
  #played;
  #chance;
  #minor;
  #files;
  #tools;
  #model;
  #agentId;
  #round = 0;
  /** Size of the context in tokens, and how much of it the last request sent. */
  #context;
  #cachedUpTo = 0;

  constructor(played, { chance, minor, files, tools, model, agentId }) {
    this.#played = played;
    this.#chance = chance;
    this.#minor = minor;
    this.#files = files;
    this.#tools = tools;
    this.#model = model;
    this.#agentId = agentId;
    this.#context = played.context ?? chance.between(11_400, 36_000);
    this.#cachedUpTo = chance.next() < 0.4 ? 0 : chance.between(7200, 8900);
    this.ms = played.startMs;
  }

  play(item) {
    const act = this[item.kind]?.(item) ?? { ...item, at: this.#wait(20, 400) };
    this.#played.acts.push(act);
  }

  prompt({ text, refs }) {
    const isFirst = this.#played.acts.length === 0;
    const at = isFirst ? this.#wait(900, 9000) : this.#wait(25_000, 260_000);
    const parts = [{ text }, ...referenceParts(refs)];
    this.#grow(parts.map((part) => part.text).join(""));
    const shown = refs.length > 0 ? { display: text } : {};
    return { kind: "user", id: this.#chance.uuid(), at, parts, typed: text, ...shown };
  }

  shell({ word, text }) {
    const at = this.#wait(15_000, 90_000);
    const given =
      `I ran the following shell command:\n\`\`\`sh\n${word}\n\`\`\`\n\n` +
      `This produced the following result:\n\`\`\`\n${text}\n\`\`\``;
    this.#grow(given);
    return { kind: "user", id: this.#chance.uuid(), at, parts: [{ text: given }], typed: word };
  }

  reply({ model = this.#model, text, thoughts, calls }) {
    const began = this.ms;
    const at = this.#wait(2600, 17_000);
    const timed = thoughts.map((thought, index) => {
      const share = (index + 1) / (thoughts.length + 1);
      return { ...thought, timestamp: iso(began + (Date.parse(at) - began) * share) };
    });
    const tokens = this.#tokens(text, thoughts, calls);
    this.#grow(text);
    const id = this.#chance.uuid();
    const records = calls.map((call, index) => this.#call(call, index));
    this.#round += 1;
    const reply = { kind: "model", id, at, text, thoughts: timed, tokens, model, calls: records };
    return { ...reply, responseId: this.#chance.uuid(), responseAt: iso(this.ms) };
  }

  notice({ level, text }) {
    return { kind: "notice", id: this.#chance.uuid(), at: this.#wait(5, 600), type: level, text };
  }

  compress({ text }) {
    const at = this.#wait(20_000, 60_000);
    this.#context = Math.round(this.#context * 0.45);
    this.#cachedUpTo = 0;
    return { kind: "compress", at, summary: text, noticeId: this.#chance.uuid() };
  }

  /** Continues after a pause; the word is the number of minutes. */
  resume({ word }) {
    this.ms += Number(word) * 60_000 + this.#chance.between(1000, 50_000);
    this.#cachedUpTo = 0;
    return { kind: "resume", at: iso(this.ms) };
  }

  #call(call, index) {
    const ms = this.ms;
    if (call.agent) call.agentId = this.#agent(call);
    const at = this.#wait(this.#tools.isSlow(call.name) ? 300 : 12, 2400);
    call.groupId = this.#chance.between(4000, 64_000);
    const id = this.#tools.callId?.(this.#chance) ?? this.#callId(call.name, ms, index);
    const record = this.#tools.record(call, { minor: this.#minor, files: this.#files, id, at });
    if (call.agent) record.resultDisplay = this.#progress(call);
    this.#grow(JSON.stringify(record.result));
    return record;
  }

  #callId(name, ms, index) {
    if (this.#agentId !== undefined) return `${this.#agentId}#${this.#round}-${index}`;
    if (this.#minor < 30) return `${name}-${ms}-${this.#chance.hex(13)}`;
    return this.#minor < 43 ? `${name}_${ms}_${index}` : `${name}__${name}_${ms}_${index}`;
  }

  #agent({ agent: { task, items }, out }) {
    const id = this.#tools.agentId?.(this.#chance) ?? this.#ownAgentId();
    const title = out.split("Result:\n")[1];
    const played = { id, minor: this.#minor, title, startMs: this.ms + 18, acts: [], agents: [] };
    const tools = this.#tools;
    const given = { chance: this.#chance, minor: this.#minor, files: this.#files, tools };
    const player = new Player(played, { ...given, model: this.#model, agentId: id });
    player.play({ kind: "prompt", text: task, refs: [] });
    player.ms = this.ms + 20;
    for (const item of items) player.play(item);
    this.ms = player.ms;
    this.#played.agents.push(played);
    return id;
  }

  #ownAgentId() {
    return this.#minor < 44 ? this.#chance.letters(6) : this.#chance.uuid();
  }

  /** The progress shown while a subagent works. */
  #progress({ args, name, agent, out }) {
    const activity = agent.items.flatMap(({ calls = [] }) => calls);
    const recentActivity = activity.map((call) => ({
      id: this.#chance.uuid(),
      type: "tool_call",
      content: call.name,
      args: JSON.stringify(call.args),
      status: "completed",
    }));
    const agentName = args.agent_name ?? name;
    const end = { state: "completed", result: out, terminateReason: "GOAL" };
    return { isSubagentProgress: true, agentName, recentActivity, ...end };
  }

  /** `input` includes `cached`; `thoughts` are beside `output`; the sum is `total`. */
  #tokens(text, thoughts, calls) {
    const said =
      text.length + calls.reduce((sum, call) => sum + JSON.stringify(call.args).length, 0);
    const thought = thoughts.reduce((sum, { description = "" }) => sum + description.length, 0);
    const input = this.#context + this.#chance.between(0, 40);
    const output = Math.max(4, Math.round(said / 3.9)) + this.#chance.between(0, 9);
    const thinking = Math.round(thought * (0.9 + this.#chance.next()));
    const cached = Math.min(
      Math.round(this.#cachedUpTo * (0.8 + this.#chance.next() * 0.19)),
      input,
    );
    this.#cachedUpTo = input;
    const total = input + output + thinking;
    return { input, output, cached, thoughts: thinking, tool: 0, total };
  }

  #grow(text) {
    this.#context += Math.round(text.length / 3.6) + 12;
  }

  #wait(low, high) {
    this.ms += this.#chance.between(low, high);
    return iso(this.ms);
  }
}

function referenceParts(refs) {
  if (refs.length === 0) return [];
  const files = refs.flatMap(({ path, content }) => [
    { text: `\nContent from @${path}:\n` },
    { text: content },
  ]);
  const header = { text: "\n--- Content from referenced files ---" };
  return [header, ...files, { text: "\n--- End of content ---" }];
}

/** `context=210000`: a session that starts with a large context. */
function contextOf(flags) {
  const given = flags.find((flag) => flag.startsWith("context="));
  return given === undefined ? undefined : Number(given.slice("context=".length));
}

export function iso(ms) {
  return new Date(Math.round(ms)).toISOString();
}
