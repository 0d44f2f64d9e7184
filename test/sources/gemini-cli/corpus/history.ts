import type { Message } from "../../../../src/core/session/message.ts";
import type { Session } from "../../../../src/core/session/session.ts";

/** One turn of a history: the role, the texts, and calls, responses and attachments. */
interface Turn {
  role: "user" | "model";
  words: string[];
  /** `call NAME`, `response NAME`, `attachment` */
  acts: string[];
}

/**
 * The live messages of a session in the form in which a resumed session sends them, for
 * comparison. docs/guide/conformance.md lists what is not compared.
 */
export function liveHistory(session: Session): string[] {
  const live = session.messages.filter(
    ({ standing, author }) => standing === "live" && author !== "notice",
  );
  const answered = new Set(live.flatMap(({ results }) => results.map(({ callId }) => callId)));
  return normalised(
    live.flatMap((message): Turn[] => {
      const open = message.toolCalls.filter(
        (call) => call.outcome !== undefined && !answered.has(call.id),
      );
      const responses = open.map(({ name }) => `response ${name}`);
      return [turnOf(message), { role: "user", words: [], acts: responses }];
    }),
  );
}

function turnOf(message: Message): Turn {
  return {
    role: message.author === "model" ? "model" : "user",
    words: [message.text],
    acts: [
      ...message.results.map(({ name }) => `response ${name}`),
      ...message.attachments.map(() => "attachment"),
      ...message.toolCalls.map(({ name }) => `call ${name}`),
    ],
  };
}

/** The history that the program sent, without the prompt of the resume at its end. */
export function sentHistory(sent: readonly string[], prompt: string): string[] {
  const turns = sent.map((line): Turn => {
    const parts = line.replace(/^(user|model): /, "").split(" | ");
    const said = parts.filter((part) => !part.startsWith("[thought] "));
    return {
      role: line.startsWith("model: ") ? "model" : "user",
      words: said.filter((part) => !ACT.test(part)),
      acts: said.filter((part) => ACT.test(part)).map(actOf),
    };
  });
  const last = turns.at(-1);
  if (last?.words.at(-1) === prompt) last.words.pop();
  return normalised(turns);
}

const ACT = /^\[(call \S+|response \S+|inlineData|fileData)\]$/;

function actOf(part: string): string {
  const act = part.slice(1, -1);
  return act === "inlineData" || act === "fileData" ? "attachment" : act;
}

/** Joins adjacent turns of one role and removes repeated responses. */
function normalised(turns: readonly Turn[]): string[] {
  const joined: Turn[] = [];
  for (const { role, words, acts } of turns) {
    const said = words.map(bare).filter((text) => text !== "");
    if (said.length + acts.length === 0) continue;
    const last = joined.at(-1);
    if (last?.role !== role) joined.push({ role, words: said, acts: [...acts] });
    else {
      last.words.push(...said);
      last.acts.push(...acts);
    }
  }
  return joined.map((turn, index) => {
    const once = turn.role === "user" ? answeredOnce(turn.acts, joined[index - 1]) : turn.acts;
    return `${turn.role}: ${turn.words.join("")} ${once.map((act) => `[${act}]`).join("")}`.trim();
  });
}

/** Removes white space and the session context, which every start generates again. */
function bare(text: string): string {
  return text.replace(/<session_context>[\s\S]*?<\/session_context>/g, "").replace(/[\s|]+/g, "");
}

/** Removes repeated responses of a resumed history: n calls have n responses. */
function answeredOnce(acts: readonly string[], before: Turn | undefined): string[] {
  const left = before?.acts.map((act) => act.replace(/^call /, "response ")) ?? [];
  const kept: string[] = [];
  let isRepeat = false;
  for (const act of acts) {
    if (act.startsWith("response ")) {
      const at = left.indexOf(act);
      isRepeat = at === -1 && kept.includes(act);
      if (at !== -1) left.splice(at, 1);
    }
    if (!isRepeat) kept.push(act);
  }
  return kept.toSorted();
}
