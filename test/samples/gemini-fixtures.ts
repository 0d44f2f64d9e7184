import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Case } from "../../src/conformance/kit.ts";
import { readKit } from "../../src/conformance/kit.ts";

/** Small homes and files of Gemini CLI: a part of the conformance kit. */
export const fixtures: string = join(import.meta.dirname, "../fixtures/gemini-cli");

/** The cases, single files first and then whole homes. */
export function readCases(): Case[] {
  const kinds = ["append-jsonl", "single-json", "saved-chat", "homes"];
  const ofKind = (id: string): number => kinds.indexOf(id.split("/")[0] ?? "");
  return readKit(fixtures).toSorted((a, b) => ofKind(a.id) - ofKind(b.id));
}

/** The only session file of a case. */
export function fileOf(kind: "append-jsonl" | "single-json" | "saved-chat", name: string): Buffer {
  const project = join(fixtures, kind, name, "home/.gemini/tmp/ledger");
  const folder = kind === "saved-chat" ? project : join(project, "chats");
  const [file = ""] = readdirSync(folder).filter((entry) => entry !== ".project_root");
  return readFileSync(join(folder, file));
}
