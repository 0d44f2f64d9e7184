// What Pollux reads from a home, in the neutral shape of docs/conformance.md.
import { relative } from "node:path";

/** `library` is what `open()` of the library gives; `home` the folder that holds `.gemini`. */
export async function neutralAnswer(library, home) {
  const list = await library.sessions();
  const sessions = [];
  for (const { id } of list.sessions) sessions.push(await library.session(id));
  const damage = list.coverage.diagnostics.filter(({ severity }) => severity === "damage");
  const files = damage.map(({ file }) => relative(home, file).replaceAll("\\", "/"));
  return {
    sessions: sessions.toSorted(byId).map(sessionAnswer),
    tokens: tokensByModel(sessions),
    savedChats: list.savedChats.map(({ tag, prompts }) => ({ tag, prompts })),
    promptLogs: list.promptLogs.map(({ sessionId, prompts }) => {
      return { sessionId, prompts: prompts.map(({ text }) => text) };
    }),
    damaged: [...new Set(files)].toSorted((a, b) => (a < b ? -1 : 1)),
  };
}

function byId(a, b) {
  if (a.id === b.id) return 0;
  return a.id < b.id ? -1 : 1;
}

function sessionAnswer(session) {
  const own = session.messages.filter(({ copyOf }) => copyOf === undefined);
  const live = own.filter(({ standing }) => standing === "live");
  const takenBack = own.filter(({ standing }) => standing !== "live");
  return {
    id: session.id,
    kind: session.kind,
    parentId: session.parentId ?? null,
    projectPath: session.project.path ?? null,
    conversation: live.flatMap(turnOf),
    takenBack: takenBack.flatMap(turnOf),
  };
}

/** Prompts and replies; context, tool responses and notices are left out. */
function turnOf({ author, isPrompt, typed, text, toolCalls }) {
  if (isPrompt) return [{ user: (typed ?? text).trim() }];
  if (author !== "model") return [];
  const tools = toolCalls.map(({ name, outcome }) => `${name} ${outcome ?? "unknown"}`);
  if (text.trim() === "" && tools.length === 0) return [];
  return [{ model: text.trim(), ...(tools.length > 0 ? { tools } : {}) }];
}

const FIELDS = ["input", "cached", "output", "thoughts", "tool", "total"];

/** Every paid reply once: one that an import repeats belongs to the session it was paid in. */
function tokensByModel(sessions) {
  const counted = new Set();
  const models = {};
  for (const { messages } of sessions) {
    for (const { id, author, model = "", usage, isUsageRepeated } of messages) {
      const isPaid = usage !== undefined && FIELDS.some((field) => (usage[field] ?? 0) > 0);
      if (author !== "model" || !isPaid || isUsageRepeated === true || counted.has(id)) continue;
      counted.add(id);
      models[model] ??= { replies: 0, ...Object.fromEntries(FIELDS.map((field) => [field, 0])) };
      models[model].replies += 1;
      for (const field of FIELDS) models[model][field] += usage[field] ?? 0;
      if (usage.total === undefined) models[model].total += sumOf(usage);
    }
  }
  return models;
}

/** A total that was not recorded: the cached part is within the input. */
function sumOf({ input = 0, output = 0, thoughts = 0, tool = 0 }) {
  return input + output + thoughts + tool;
}
