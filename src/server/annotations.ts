import { wrongUsage } from "../core/error.ts";
import { optional } from "../core/optional.ts";
import type { Answer, RouteContext } from "./route.ts";

/** The annotations that can be changed. */
const OWN_MEMBERS = ["isStarred", "addTags", "removeTags", "note", "title"] as const;

/** What would be removed from the archive with these sessions. */
export async function forgetPlan({ library, question }: RouteContext): Promise<Answer> {
  const ids = question.list("ids");
  if (ids.length === 0) throw wrongUsage('"ids" must be session ids, separated by commas.');
  return { value: await library.archive.planForget(await library.select({ ids })) };
}

export async function forget({ library, body }: RouteContext): Promise<Answer> {
  const ids = textsIn(body, "sessions") ?? [];
  if (ids.length === 0) throw wrongUsage('"sessions" must be a list of ids.');
  return { value: await library.archive.forget(await library.select({ ids })) };
}

/** Members that `annotate` accepts. */
export const OWN_BODY: readonly string[] = ["sessions", "message", ...OWN_MEMBERS];

/** Adds stars, tags, notes and titles to sessions or to one message. */
export async function annotate({ library, body }: RouteContext): Promise<Answer> {
  const sessionNames = textsIn(body, "sessions") ?? [];
  if (sessionNames.length === 0) throw wrongUsage('"sessions" must be a list of ids.');
  const isStarred = body["isStarred"];
  if (isStarred !== undefined && typeof isStarred !== "boolean") {
    throw wrongUsage('"isStarred" must be true or false.');
  }
  const change = {
    ...optional("isStarred", isStarred),
    ...optional("addTags", textsIn(body, "addTags")),
    ...optional("removeTags", textsIn(body, "removeTags")),
    ...optional("note", textIn(body, "note")),
    ...optional("title", textIn(body, "title")),
  };
  if (OWN_MEMBERS.every((member) => change[member] === undefined)) {
    throw wrongUsage(`Nothing to change: give ${OWN_MEMBERS.join(", ")}.`);
  }
  const message = textIn(body, "message") ?? undefined;
  const target = { sessions: sessionNames, ...optional("message", message) };
  const things = await library.own.change(target, change);
  return { value: { things } };
}

function textIn(body: RouteContext["body"], name: string): string | null | undefined {
  const value = body[name];
  if (value === undefined || value === null || typeof value === "string") return value;
  throw wrongUsage(`"${name}" must be a text, or null to remove it.`);
}

function textsIn(body: RouteContext["body"], name: string): string[] | undefined {
  const value = body[name];
  if (value === undefined) return undefined;
  if (Array.isArray(value) && value.every((item) => typeof item === "string")) return value;
  throw wrongUsage(`"${name}" must be a list of texts.`);
}
