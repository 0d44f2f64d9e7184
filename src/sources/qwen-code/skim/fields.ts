import { Fields } from "../../../kernel/json/fields.ts";
import type { CountNames } from "../formats/usage.ts";
import { METADATA, TELEMETRY } from "../formats/usage.ts";

const EVENT = "systemPayload/uiEvent";
const USAGE = "usageMetadata";

/** The fields of a record that usage needs. */
const PATHS = {
  uuid: "uuid",
  parentUuid: "parentUuid",
  timestamp: "timestamp",
  type: "type",
  subtype: "subtype",
  sessionId: "sessionId",
  directory: "cwd",
  version: "version",
  branch: "gitBranch",
  agentId: "agentId",
  agentName: "agentName",
  forkedFrom: "forkedFrom/sessionId",
  model: "model",
  message: "message",
  usage: "usageMetadata",
  event: "systemPayload/uiEvent/event.name",
  eventModel: "systemPayload/uiEvent/model",
  authType: "systemPayload/uiEvent/auth_type",
  promptId: "systemPayload/uiEvent/prompt_id",
  subagentName: "systemPayload/uiEvent/subagent_name",
  subagentId: "systemPayload/uiEvent/subagent_id",
} as const;

const countPaths = (base: string, names: CountNames): string[] => {
  return Object.values(names).map((name) => `${base}/${name}`);
};

export const RECORD: Fields = new Fields([
  ...Object.values(PATHS),
  ...countPaths(USAGE, METADATA),
  ...countPaths(EVENT, TELEMETRY),
]);

export const SLOTS: Readonly<Record<keyof typeof PATHS, number>> = slotsOf(PATHS);
export const USAGE_COUNTS: Readonly<Record<keyof CountNames, number>> = slotsOf(METADATA, USAGE);
export const EVENT_COUNTS: Readonly<Record<keyof CountNames, number>> = slotsOf(TELEMETRY, EVENT);

function slotsOf<Name extends string>(
  paths: Readonly<Record<Name, string>>,
  base?: string,
): Record<Name, number> {
  const entries = Object.entries<string>(paths).map(([name, path]) => {
    return [name, RECORD.slot(base === undefined ? path : `${base}/${path}`)];
  });
  return Object.fromEntries(entries) as Record<Name, number>;
}
