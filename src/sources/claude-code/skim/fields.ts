import { Fields } from "../../../kernel/json/fields.ts";
import type { RecordedUsage } from "../formats/usage.ts";

/** The fields of a record that usage needs. */
export const RECORD: Fields = new Fields([
  "type",
  "uuid",
  "parentUuid",
  "sessionId",
  "agentId",
  "isSidechain",
  "timestamp",
  "cwd",
  "version",
  "gitBranch",
  "forkedFrom",
  "subtype",
  "isMeta",
  "isCompactSummary",
  "toolUseResult/agentId",
  "requestId",
  "requestedModel",
  "costUSD",
  "durationMs",
  "message/id",
  "message/model",
  "message/content",
  "message/stop_reason",
  "message/usage",
  "message/usage/input_tokens",
  "message/usage/cache_read_input_tokens",
  "message/usage/cache_creation_input_tokens",
  "message/usage/cache_creation/ephemeral_5m_input_tokens",
  "message/usage/cache_creation/ephemeral_1h_input_tokens",
  "message/usage/output_tokens",
  "message/usage/output_tokens_details/thinking_tokens",
  "message/usage/server_tool_use/web_search_requests",
  "message/usage/service_tier",
  "message/usage/speed",
  "message/usage/inference_geo",
  "message/usage/iterations",
]);

export const TYPE: number = RECORD.slot("type");
export const UUID: number = RECORD.slot("uuid");
export const PARENT: number = RECORD.slot("parentUuid");
export const SESSION: number = RECORD.slot("sessionId");
export const AGENT: number = RECORD.slot("agentId");
export const SIDECHAIN: number = RECORD.slot("isSidechain");
export const TIME: number = RECORD.slot("timestamp");
export const CWD: number = RECORD.slot("cwd");
export const VERSION: number = RECORD.slot("version");
export const BRANCH: number = RECORD.slot("gitBranch");
export const FORKED: number = RECORD.slot("forkedFrom");
export const SUBTYPE: number = RECORD.slot("subtype");
export const META: number = RECORD.slot("isMeta");
export const SUMMARY: number = RECORD.slot("isCompactSummary");
export const STARTED: number = RECORD.slot("toolUseResult/agentId");
export const REQUEST: number = RECORD.slot("requestId");
export const REQUESTED: number = RECORD.slot("requestedModel");
export const COST: number = RECORD.slot("costUSD");
export const DURATION: number = RECORD.slot("durationMs");
export const ANSWER: number = RECORD.slot("message/id");
export const MODEL: number = RECORD.slot("message/model");
export const CONTENT: number = RECORD.slot("message/content");
export const STOP: number = RECORD.slot("message/stop_reason");
export const USAGE: number = RECORD.slot("message/usage");
export const TIER: number = RECORD.slot("message/usage/service_tier");
export const SPEED: number = RECORD.slot("message/usage/speed");
export const GEO: number = RECORD.slot("message/usage/inference_geo");
export const ITERATIONS: number = RECORD.slot("message/usage/iterations");

export const COUNTERS: readonly (readonly [keyof RecordedUsage, number])[] = [
  ["input", RECORD.slot("message/usage/input_tokens")],
  ["cached", RECORD.slot("message/usage/cache_read_input_tokens")],
  ["written", RECORD.slot("message/usage/cache_creation_input_tokens")],
  ["written5m", RECORD.slot("message/usage/cache_creation/ephemeral_5m_input_tokens")],
  ["written1h", RECORD.slot("message/usage/cache_creation/ephemeral_1h_input_tokens")],
  ["output", RECORD.slot("message/usage/output_tokens")],
  ["thoughts", RECORD.slot("message/usage/output_tokens_details/thinking_tokens")],
  ["searches", RECORD.slot("message/usage/server_tool_use/web_search_requests")],
];
