import { z } from "zod";
import { PolluxError } from "../core/error.ts";
import type { SessionFilter } from "../core/filter/filter.ts";
import { optional } from "../core/optional.ts";
import { momentOf } from "../queries/moment.ts";
import type { McpContext } from "./context.ts";
import { scopeOf } from "./context.ts";

/** An MCP tool: a library query for agents. */
export interface Tool<Input extends z.ZodObject = z.ZodObject> {
  name: string;
  title: string;
  /** Description that agents read to choose the tool. */
  about: string;
  input: Input;
  /** Strings are returned unchanged, anything else as JSON. */
  answer(input: z.output<Input>, context: McpContext): Promise<unknown>;
}

/** Infers the input type of a tool definition. */
export function tool<Input extends z.ZodObject>(definition: Tool<Input>): Tool {
  return definition;
}

export const everywhere: z.ZodDefault<z.ZodBoolean> = z
  .boolean()
  .default(false)
  .describe("Include sessions of other projects. Use it only if the user wants that.");

export const cursor: z.ZodOptional<z.ZodString> = z
  .string()
  .max(200)
  .optional()
  .describe("`next` of the previous answer, to continue from there.");

export const period: Record<"since" | "until", z.ZodOptional<z.ZodString>> = {
  since: z.string().max(40).optional().describe("2026-11-15, an ISO time, 7d, 12h, today"),
  until: z.string().max(40).optional().describe("Same formats; a day includes its end."),
};

export const agent: z.ZodOptional<z.ZodString> = z
  .string()
  .max(40)
  .optional()
  .describe("Only sessions of this coding agent.");

const limit: z.ZodOptional<z.ZodNumber> = z
  .number()
  .int()
  .min(1)
  .max(200)
  .optional()
  .describe("Most items in one answer; as many as fit, without it.");

const part = (about: string): z.ZodOptional<z.ZodString> => {
  return z.string().min(1).max(400).optional().describe(about);
};

/** Session filters besides time and agent. */
const narrowing: Record<Narrowing, z.ZodOptional<z.ZodString>> = {
  project: part("Part of a project's name or path; other projects need `everywhere`, too."),
  model: part("Part of a model's name."),
  tool: part("Only sessions that called this tool."),
  path: part("Only sessions that touched this file: its path, or the end of it."),
};

type Narrowing = "project" | "model" | "tool" | "path";

type TextInput = Narrowing | "since" | "until" | "agent";

/** Input of tools that list sessions or messages. */
export const listInput: Record<TextInput | "cursor", z.ZodOptional<z.ZodString>> & {
  everywhere: typeof everywhere;
  limit: typeof limit;
} = { ...period, agent, ...narrowing, everywhere, limit, cursor };

/** The session filter of a request. */
export function filterOf(
  input: Partial<Record<TextInput, string | undefined>> & { everywhere: boolean },
  context: McpContext,
): SessionFilter {
  return {
    ...scopeOf(context, input),
    ...instantsOf(input, context),
    ...optional("source", input.agent),
    ...optional("project", input.project),
    ...optional("model", input.model),
    ...optional("tool", input.tool),
    ...optional("path", input.path),
  };
}

/** Start and end of a period in milliseconds. */
export function instantsOf(
  { since, until }: { since?: string | undefined; until?: string | undefined },
  { now }: McpContext,
): { sinceMs?: number; untilMs?: number } {
  return { ...instant("sinceMs", since, now()), ...instant("untilMs", until, now()) };
}

function instant(
  key: "sinceMs" | "untilMs",
  text: string | undefined,
  now: Date,
): { sinceMs?: number; untilMs?: number } {
  if (text === undefined) return {};
  const moment = momentOf(text, { now, edge: key === "sinceMs" ? "begin" : "end" });
  if (moment !== undefined) return { [key]: moment };
  throw new PolluxError("wrong-time", `"${text.slice(0, 40)}" is not a time.`, {
    remedy: "Use 2026-11-15, 2026-11-15T09:30:00Z, 7d, 12h, today or yesterday.",
  });
}
