import type { Injection, InjectionKind } from "../../../core/session/message.ts";
import type { EditorPrompt, HistoryMessage, SaidPart } from "../content.ts";
import { isWrapper } from "./text.ts";

/** Whether Codex added a message, as far as its texts show. */
export function isInjected({ role, parts }: HistoryMessage): boolean {
  const typed = parts.filter((part) => !isWrapper(part));
  return role !== "user" || (typed.length > 0 && typed.every(isInjectedPart));
}

function isInjectedPart(part: SaidPart): boolean {
  return injectionKind(part) !== undefined;
}

/** Openings of texts that Codex adds to the conversation. */
const OPENINGS: readonly (readonly [InjectionKind, RegExp])[] = [
  ["instructions", /^(?:<user_instructions>|# AGENTS\.md instructions|<INSTRUCTIONS>)/],
  ["environment", /^<environment_context>/],
  ["interruption", /^<turn_aborted>/],
  ["shell-run", /^<user_shell_command>/],
  ["task-notification", /^<subagent_notification>/],
  ["model-switch", /^<model_switch>/],
  ["command-output", /^<user_action>/],
  ["instructions", /^<skill>/],
];

/** In 0.166 each part has a label. */
const LABELS: readonly (readonly [InjectionKind, RegExp])[] = [
  ["instructions", /^agents_md\.|instructions$/],
  ["environment", /^environments?\./],
  ["shell-run", /^shell\./],
  ["model-switch", /^model\.switch/],
];

/** Returns the kind of a text that Codex added; undefined for typed text. */
function injectionKind({ text, label }: SaidPart): InjectionKind | undefined {
  if (label !== undefined && label !== "user.text") {
    const known = LABELS.find(([, shape]) => shape.test(label))?.[0];
    if (known !== undefined) return known;
  }
  const head = text.trimStart().slice(0, 100);
  return OPENINGS.find(([, opening]) => opening.test(head))?.[0];
}

/**
 * `# Context from my IDE setup:\n\n## Active file: …\n\n## My request for Codex:\n…`; the desktop
 * app also begins with `# Files mentioned by the user:` or `<in-app-browser-context …>`.
 */
const EDITOR_CONTEXT =
  /^\s*(?:# [^\n:]*:|<in-app-browser-context\b)[\s\S]*?\n## My request(?: for Codex)?:\s*\n/;

/** Separates what was typed from what an editor put before it; undefined if nothing was typed. */
export function editorPromptIn(text: string): EditorPrompt | undefined {
  const context = EDITOR_CONTEXT.exec(text)?.[0];
  const typed = text.slice(context?.length);
  return context === undefined || typed.trim() === "" ? undefined : { context, typed };
}

/** Whether Codex wrote a prompt: a detached review is a fork that begins with it (0.149). */
export function isReviewTask(text: string): boolean {
  return /^Use \[\$review-agent\]\([^)\n]*\) for this review\.\n/.test(text);
}

/** Returns the injections of a message, part by part. */
export function injectionsOf({ role, parts }: HistoryMessage): Injection[] {
  const usual: InjectionKind = role === "developer" ? "instructions" : "other";
  return parts.map((part) => {
    const kind = role === "agent" ? agentKind(part.text) : (injectionKind(part) ?? usual);
    return { kind, text: part.text };
  });
}

/** `Message Type: NEW_TASK\nTask name: /root/counter\nSender: /root\nPayload:\n…` (0.147+) */
function agentKind(text: string): InjectionKind {
  return /^Message Type: (?:NEW_TASK|MESSAGE|FOLLOWUP)/.test(text)
    ? "delegation"
    : "task-notification";
}
