import type { Digest } from "../core/digest.ts";
import { groupBy } from "../core/group.ts";
import type { Calendar } from "./calendar.ts";
import { UNKNOWN } from "./calendar.ts";
import type { PaidRequest, Subagents } from "./ledger.ts";

export const GROUPINGS = [
  "hour",
  "day",
  "week",
  "month",
  "model",
  "project",
  "session",
  "kind",
  "tool",
  "mcp",
  "status",
  "root",
] as const;
export type Grouping = (typeof GROUPINGS)[number];

/** One request belongs to exactly one group of each grouping: so all groupings add up alike. */
export interface Group {
  key: string;
  /** How people call it, when that is not its key. */
  label?: string;
}

export interface GroupingContext {
  calendar: Calendar;
  subagents: Subagents;
  /** By session id; of a subsession that is rolled up, its parent is looked up here. */
  digests: ReadonlyMap<string, Digest>;
}

export type GroupOf = (request: PaidRequest) => Group;

export const NO_TOOL = "no tool";
export const NO_SERVER = "no MCP server";

export function groupingOf(grouping: Grouping, context: GroupingContext): GroupOf {
  switch (grouping) {
    case "hour":
    case "day":
    case "week":
    case "month":
      return ({ at }) => ({ key: context.calendar.keyOf(at, grouping) });
    case "model":
      return ({ fact }) => ({ key: modelName(fact.model) ?? UNKNOWN });
    case "project":
      return ({ digest }) => projectGroup(digest);
    case "session":
      return ({ digest }) => sessionGroup(ownerOf(digest, context));
    case "kind":
      return ({ digest }) => ({ key: digest.summary.kind });
    case "tool":
      return groupByCalls(({ name }) => name, NO_TOOL);
    case "mcp":
      return groupByCalls(({ mcp }) => mcp?.server, NO_SERVER);
    case "status":
      return ({ digest }) => ({ key: digest.summary.status });
    case "root":
      return ({ fact, digest }) => ({ key: rootOf(digest, fact.place.file) });
    default:
      throw new RangeError(grouping satisfies never);
  }
}

/** `models/name` is how the API calls `name`: people may have asked for either. */
export function modelName(model: string | undefined): string | undefined {
  return model?.replace(/^models\//, "");
}

/** The session that a request is told under: its own, or the one that began it. */
export function ownerOf(
  digest: Digest,
  { subagents, digests }: Pick<GroupingContext, "subagents" | "digests">,
): Digest {
  const { parentId } = digest.summary;
  if (subagents === "separate" || parentId === null) return digest;
  return digests.get(parentId) ?? digest;
}

function projectGroup({ summary }: Digest): Group {
  const { name, path, hash } = summary.project;
  return { key: path ?? hash ?? name, label: name };
}

function sessionGroup({ summary }: Digest): Group {
  return { key: summary.id, ...(summary.title === null ? {} : { label: summary.title }) };
}

/**
 * A reply is told under the tools that it called. One that called several is told under all their
 * names together, not under each: else its tokens would be counted more than once.
 */
function groupByCalls(
  nameOf: (call: Digest["tools"][number]) => string | undefined,
  none: string,
): GroupOf {
  let current: Digest | undefined;
  let byMessage = new Map<string, Digest["tools"]>();
  return ({ fact, digest }) => {
    if (digest !== current) {
      current = digest;
      byMessage = groupBy(digest.tools, ({ messageId }) => messageId);
    }
    const calls = byMessage.get(fact.messageId) ?? [];
    const names = new Set(calls.flatMap((call) => nameOf(call) ?? []));
    return { key: names.size === 0 ? none : [...names].toSorted().join(" + ") };
  };
}

function rootOf({ session }: Digest, path: string): string {
  const file = session.files.find((one) => one.path === path) ?? session.files[0];
  return file?.root ?? UNKNOWN;
}
