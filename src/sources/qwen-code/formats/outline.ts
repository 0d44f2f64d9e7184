import { optional } from "../../../core/optional.ts";
import type { RecordedMessage } from "../../../core/session/message.ts";
import { toOutline } from "../../decoding/outline.ts";
import type { Depth } from "../../source.ts";
import type { CallResult, Entry, RecordHeader } from "../content.ts";

/** Enough for a title; a subagent's is the first text it is given. */
export const TITLE_LENGTH = 160;
/** For other texts it only matters that they exist. */
const OTHER_LENGTH = 24;

/** Reduces a record to what the depth needs. */
export function lightEntry(entry: Entry, depth: Depth): Entry {
  if (depth === "full") return entry;
  return depth === "outline" ? outlineOf(entry) : usageOf(entry);
}

export function lightMessage(message: RecordedMessage, depth: Depth): RecordedMessage {
  if (depth === "full") return message;
  return depth === "outline" ? lighter(message) : counted(message);
}

function lighter(message: RecordedMessage): RecordedMessage {
  return toOutline(message, ({ author }) => (author === "user" ? TITLE_LENGTH : OTHER_LENGTH));
}

function outlineOf(entry: Entry): Entry {
  switch (entry.kind) {
    case "message": {
      const { message, result, ...link } = entry;
      const light: Entry = { ...link, message: lighter(message) };
      if (result) light.result = lightResult(result);
      return light;
    }
    case "compression":
      return { ...entry, history: entry.history.map(lighter) };
    case "tool-event": {
      const { call } = entry.event;
      return { ...entry, event: { ...entry.event, call: { ...call, args: {} } } };
    }
    case "request":
    case "title":
    case "rewind":
    case "link":
      return entry;
    default:
      return entry satisfies never;
  }
}

function lightResult({ display: _shown, ...result }: CallResult): CallResult {
  return result;
}

/** Usage needs the requests, the answers that show them, and the chain of records. */
function usageOf(entry: Entry): Entry {
  switch (entry.kind) {
    case "request":
    case "rewind":
    case "link":
      return entry;
    case "message": {
      const { message, failedModel } = entry;
      if (message.author !== "model") {
        return { ...linkOf(entry), ...optional("failedModel", failedModel) };
      }
      const bare = counted(message);
      return bare === message ? entry : { ...entry, message: bare };
    }
    case "compression": {
      const answers = entry.history.filter(({ author }) => author === "model");
      return { ...entry, history: answers.map(counted) };
    }
    case "tool-event":
    case "title":
      return linkOf(entry);
    default:
      return entry satisfies never;
  }
}

function linkOf({ uuid, parentUuid, at, place }: RecordHeader): Entry {
  const link: Entry = { uuid, place, kind: "link" };
  if (parentUuid !== undefined) link.parentUuid = parentUuid;
  if (at !== undefined) link.at = at;
  return link;
}

/** Reduces a message to what usage needs. */
function counted(message: RecordedMessage): RecordedMessage {
  const { text, thoughts, toolCalls, attachments } = message;
  const bulk = text.length + thoughts.length + toolCalls.length + attachments.length;
  if (bulk === 0 && message.author === "model") return message;
  return {
    ...message,
    text: "",
    references: [],
    injections: [],
    thoughts: [],
    toolCalls: [],
    results: [],
    attachments: [],
  };
}
