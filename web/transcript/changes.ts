import type { MessageAnswer, ToolCallAnswer } from "../../src/index.ts";
import { safeText } from "../safe-text.ts";
import type { ChangeForm, Combined, Exchange } from "./combined-diff.ts";
import { combine } from "./combined-diff.ts";
import type { DiffLine } from "./diff-lines.ts";
import { diffLines } from "./diff-lines.ts";
import { patchedFiles } from "./patch-text.ts";

/** One change of one file, by one call. */
export interface Step {
  messageId: string;
  /** The prompt that led to it. */
  prompt: MessageAnswer | undefined;
  call: ToolCallAnswer;
  /** Undefined if the change is not recorded. */
  lines: DiffLine[] | undefined;
  form: ChangeForm;
  exchanges?: readonly Exchange[];
}

type Change = Pick<Step, "lines" | "form" | "exchanges">;

export interface ChangedFile {
  path: string;
  addedLines: number | null;
  removedLines: number | null;
  steps: Step[];
}

/** Makes paths absolute, because calls name files relative to the project or absolutely. */
export function fullPath(path: string, folder: string | null): string {
  const isFull = /^([\\/~]|[A-Za-z]:)/.test(path);
  if (isFull || folder === null) return path;
  return `${folder.replace(/[\\/]$/, "")}/${path.replace(/^\.[\\/]/, "")}`;
}

/** Files that a session wrote or edited, in the order of their first change. */
export function changedFiles(
  messages: readonly MessageAnswer[],
  folder: string | null,
): ChangedFile[] {
  const files = new Map<string, ChangedFile>();
  let prompt: MessageAnswer | undefined;
  for (const message of messages) {
    if (message.isPrompt) prompt = message;
    for (const call of message.toolCalls) {
      if (call.outcome !== "success") continue;
      for (const { path, how, addedLines, removedLines } of call.files) {
        if (how === "read") continue;
        const full = fullPath(path, folder);
        const fresh = { path: full, addedLines: null, removedLines: null, steps: [] };
        const file: ChangedFile = files.get(full) ?? fresh;
        files.set(full, file);
        file.addedLines = addKnown(file.addedLines, addedLines);
        file.removedLines = addKnown(file.removedLines, removedLines);
        file.steps.push({ messageId: message.id, prompt, call, ...changeOf(call, path) });
      }
    }
  }
  return [...files.values()];
}

function addKnown(sum: number | null, more: number | undefined): number | null {
  return more === undefined ? sum : (sum ?? 0) + more;
}

/** The combined change of a file over the session; undefined if it is not fully recorded. */
export function combinedOf(file: ChangedFile): Combined | undefined {
  return combine(file.steps);
}

/** The change of a file by one call, as lines. */
export function changeOf(call: ToolCallAnswer, path?: string): Change {
  const { display } = call;
  if (display?.kind === "diff") return displayed(display);
  const args = argsOf(call);
  const content = args.get("content");
  const isWritten = call.files.some(({ how }) => how === "written");
  if (typeof content === "string" && isWritten) return { lines: written(content), form: "whole" };
  const exchanges = exchangesIn(args);
  if (exchanges.length > 0) return { lines: exchangedLines(exchanges), form: "loose", exchanges };
  const patched = [...args.values()].flatMap(textsIn).flatMap(patchedFiles);
  if (path === undefined) {
    const lines = patched.flatMap(withName);
    return { lines: lines.length === 0 ? undefined : lines, form: "patch" };
  }
  const own = patched.find((file) => isSamePath(path, file.path));
  if (own?.isNew)
    return { lines: written(own.lines.map(({ text }) => text).join("\n")), form: "whole" };
  return { lines: own?.lines.length === 0 ? undefined : own?.lines, form: "patch" };
}

/** A new file may be displayed without any place: all of its lines are added. */
function displayed({ diff, isNewFile }: { diff: string; isNewFile: boolean }): Change {
  const isWhole = isNewFile && diff.split("\n").every((line) => line.startsWith("+"));
  if (isWhole) return { lines: written(diff.replace(/^\+/gm, "")), form: "whole" };
  const lines = diffLines(diff);
  const isLoose = lines.some(({ kind, oldLine, newLine }) => {
    return kind !== "place" && oldLine === undefined && newLine === undefined;
  });
  return { lines, form: isLoose ? "patch" : "numbered" };
}

export function argsOf({ args }: ToolCallAnswer): Map<string, unknown> {
  return new Map(typeof args === "object" && args !== null ? Object.entries(args) : []);
}

function withName({ path, lines }: { path: string; lines: DiffLine[] }): DiffLine[] {
  return [{ kind: "place", text: safeText(path) }, ...lines];
}

function textsIn(value: unknown): string[] {
  if (Array.isArray(value)) return value.flatMap(textsIn);
  return typeof value === "string" && value.includes("*** Begin Patch") ? [value] : [];
}

function isSamePath(path: string, named: string): boolean {
  return path === named || path.endsWith(`/${named.replace(/^\.\//, "")}`);
}

function written(content: string): DiffLine[] {
  return linesOf(content).map((text, at) => ({ kind: "added", text, newLine: at + 1 }));
}

/** `old_string` and `new_string`, or several of them in `edits`. */
function exchangesIn(args: ReadonlyMap<string, unknown>): Exchange[] {
  const edits = args.get("edits");
  if (Array.isArray(edits)) {
    return edits.flatMap((edit: unknown) => {
      return typeof edit === "object" && edit !== null
        ? exchangesIn(new Map(Object.entries(edit)))
        : [];
    });
  }
  const [before, after] = [args.get("old_string"), args.get("new_string")];
  if (typeof before !== "string" || typeof after !== "string") return [];
  const isEach = args.get("replace_all") === true || Number(args.get("expected_replacements")) > 1;
  return [{ before: safeText(before), after: safeText(after), where: isEach ? "each" : "once" }];
}

function exchangedLines(exchanges: readonly Exchange[]): DiffLine[] {
  return exchanges.flatMap(({ before, after }) => [
    ...(exchanges.length > 1 ? [{ kind: "place", text: "…" } as const] : []),
    ...linesOf(before).map((text) => ({ kind: "removed", text }) as const),
    ...linesOf(after).map((text) => ({ kind: "added", text }) as const),
  ]);
}

function linesOf(text: string): string[] {
  return text === "" ? [] : safeText(text).replace(/\n$/, "").split("\n");
}
