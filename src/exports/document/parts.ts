import { callTarget } from "../../queries/call-texts.ts";
import { tokensAnswer } from "../../queries/transcript.ts";
import type { InjectionKind, Message } from "../../core/session/message.ts";
import { attachmentsOf, isRequest } from "../../core/session/message.ts";
import type { Session } from "../../core/session/session.ts";
import type { ToolCall } from "../../core/session/tool-call.ts";

/** A part of a conversation as shown to a reader. */
export type Part =
  | { kind: "prompt"; number: number; text: string; by: "person" | "agent" }
  | { kind: "file"; path: string; text: string }
  | { kind: "attachment"; text: string }
  | { kind: "context"; title: string; text: string }
  | { kind: "thought"; subject: string; text: string }
  | { kind: "answer"; text: string; model?: string; tokens?: number }
  | { kind: "tool"; call: ToolCall; target: string | undefined }
  | { kind: "notice"; level: string; text: string }
  | { kind: "compression" };

export interface PlacedPart {
  part: Part;
  at?: string;
  /** Why it was rewound or replaced, if it was. */
  takenBack?: string;
}

const TITLES: Readonly<Partial<Record<InjectionKind, string>>> = {
  "session-context": "Context given at the start",
  "hook-context": "Context from a hook",
  "editor-context": "Context from the editor",
  "agent-selection": "Chosen agents",
  "shell-run": "A command run by the person",
  workspace: "Folders of the workspace",
  steering: "A hint while it was working",
  "background-output": "Output of a background process",
  "compression-summary": "The summary that replaced the conversation so far",
};

/** The readable parts of a session, in order, without copies and bare tool responses. */
export function* partsOf(session: Session): Generator<PlacedPart> {
  let number = 0;
  let wasCompressed = false;
  for (const message of session.messages) {
    if (message.copyOf !== undefined) continue;
    const isCompressed = message.reason === "compression";
    if (wasCompressed && !isCompressed && !isSummary(message))
      yield { part: { kind: "compression" } };
    wasCompressed = isCompressed;
    if (isRequest(message)) number += 1;
    const takenBack = takenBackWhy(message);
    for (const part of partsOfMessage(message, { number, folder: session.project.path })) {
      yield {
        part,
        ...(message.at === undefined ? {} : { at: message.at }),
        ...(takenBack === undefined ? {} : { takenBack }),
      };
    }
  }
}

function isSummary(message: Message): boolean {
  return message.injections.some(({ kind }) => kind === "compression-summary");
}

/** Messages replaced by a summary are still part of the conversation. */
function takenBackWhy({ standing, reason }: Message): string | undefined {
  if (standing === "live" || reason === "compression") return undefined;
  return reason ?? standing;
}

interface PartContext {
  number: number;
  /** The project's folder. */
  folder: string | undefined;
}

function partsOfMessage(message: Message, { number, folder }: PartContext): Part[] {
  if (message.author === "notice") return noticeParts(message);
  return message.author === "user" ? userParts(message, number) : modelParts(message, folder);
}

function noticeParts({ level = "info", text, signal }: Message): Part[] {
  if (text.trim() !== "") return [{ kind: "notice", level, text }];
  return signal === "compression" ? [{ kind: "compression" }] : [];
}

function userParts(message: Message, number: number): Part[] {
  const isTask = !message.isPrompt;
  const asked: Part[] = isRequest(message)
    ? [
        {
          kind: "prompt",
          number,
          text: message.typed ?? message.text,
          by: isTask ? "agent" : "person",
        },
      ]
    : [];
  const contexts = message.injections.flatMap(({ kind, text }): Part[] => {
    const title = TITLES[kind];
    if (kind === "delegation" || text.trim() === "") return [];
    return [{ kind: "context", title: title ?? "Added by the program", text }];
  });
  const files = message.references.map(({ path, content }): Part => {
    return { kind: "file", path, text: content };
  });
  return [...contexts, ...asked, ...files, ...attachments(message)];
}

function attachments(message: Message): Part[] {
  return attachmentsOf(message).map(({ mediaType, sizeBytes, uri }): Part => {
    const size = sizeBytes === undefined ? "" : `, ${sizeBytes.toLocaleString("en-US")} bytes`;
    return {
      kind: "attachment",
      text: `${mediaType}${size}${uri === undefined ? "" : `, ${uri}`}`,
    };
  });
}

function modelParts(message: Message, folder: string | undefined): Part[] {
  const { text, model, usage } = message;
  const thoughts = message.thoughts.map(({ subject, description }): Part => {
    return { kind: "thought", subject, text: description };
  });
  const total = usage ? tokensAnswer(usage).total : null;
  const answer: Part = {
    kind: "answer",
    text,
    ...(model === undefined ? {} : { model }),
    ...(total === null ? {} : { tokens: total }),
  };
  const calls = message.toolCalls.map((call): Part => {
    return { kind: "tool", call, target: callTarget(call, folder) };
  });
  const said = text.trim() === "" ? [] : [answer];
  return [...thoughts, ...said, ...calls, ...attachments(message)];
}
