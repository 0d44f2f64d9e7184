import { sha256 } from "./chance.mjs";
import { iso } from "./play.mjs";

/** One document, rewritten with every message by versions 0.4 to 0.38. */
export function jsonSession(session, project) {
  const messages = [];
  for (const act of session.acts) addMessage(messages, act, session.minor);
  const first = messages[0]?.timestamp ?? iso(session.startMs);
  const document = {
    sessionId: session.id,
    projectHash: sha256(project.path),
    startTime: session.minor < 37 ? first : iso(session.startMs),
    lastUpdated: messages.at(-1)?.timestamp ?? first,
    messages,
    ...(session.parentId === undefined ? {} : { directories: [project.path] }),
    ...(session.minor < 31 ? {} : { kind: session.parentId === undefined ? "main" : "subagent" }),
    ...(session.title === undefined ? {} : { summary: session.title }),
  };
  return JSON.stringify(document, null, 2);
}

function addMessage(messages, act, minor) {
  const last = messages.at(-1);
  if (act.kind === "user") messages.push(userMessage(act, minor));
  else if (act.kind === "notice") {
    const { id, at, type, text } = act;
    messages.push({ id, timestamp: at, type, content: text });
  } else if (act.kind === "model") {
    // Before 0.32, a reply with only calls was merged into the previous message; its tokens were
    // lost.
    const isBare = act.text === "" && act.thoughts.length === 0;
    const isJoined = minor < 32 && isBare && last?.type === "gemini";
    if (isJoined) last.toolCalls = [...(last.toolCalls ?? []), ...act.calls];
    else messages.push(modelMessage(act));
  }
}

function userMessage({ id, at, parts, display }, minor) {
  const text = parts.map((part) => part.text).join("");
  const base = { id, timestamp: at, type: "user", content: minor < 28 ? text : parts };
  if (minor < 28 || display === undefined) return base;
  return { ...base, displayContent: [{ text: display }] };
}

export function modelMessage({ id, at, text, thoughts, tokens, model, calls }) {
  const message = { id, timestamp: at, type: "gemini", content: text, thoughts, tokens, model };
  return calls.length > 0 ? { ...message, toolCalls: calls } : message;
}
