/** Public API of the library. */
export { open } from "./library/library.ts";
export type {
  AgentSummary,
  Library,
  OpenOptions,
  Selection,
  SessionList,
  Which,
} from "./library/library.ts";
export { exports as exportForms } from "./exports/index.ts";
export type { Export, ExportContent, ExportedAgent, ExportedSession } from "./exports/export.ts";
export type { ExportedFile, ExportRequest } from "./exports/exporting.ts";
export type * from "./ingest/restore/write-restored.ts";
export type * from "./core/conversation.ts";
export type { Carried, HandoverAnswer, HandoverOptions, UndoAnswer } from "./library/handover.ts";
export type { SessionVersion } from "./ingest/restore/session-states.ts";
export { PolluxError } from "./core/error.ts";
export { turnsOf } from "./core/turn.ts";
export type { Turn } from "./core/turn.ts";
export {
  newKeys,
  recordSchema,
  restoreRecord,
  signRecord,
  verifyRecord,
} from "./library/records.ts";
export type { RecordOptions, TranslatedRecord } from "./library/records.ts";
export type { KeyForm, KeyPair } from "./records/cose/keys.ts";
export type * from "./records/findings.ts";
export type { RestoredFile } from "./records/native/restore.ts";
export type { Profile } from "./records/profile.ts";
export type { Signed, SignRequest } from "./records/sign.ts";
export type { ByteSource } from "./kernel/bytes.ts";
export { fileBytes, memoryBytes } from "./kernel/bytes.ts";
export type * from "./core/diagnostic.ts";
export type * from "./core/message.ts";
export type * from "./core/place.ts";
export type * from "./core/project.ts";
export type * from "./core/session.ts";
export type * from "./core/session-file.ts";
export type * from "./core/thought.ts";
export type * from "./core/tool-call.ts";
export type * from "./core/counts.ts";
export type * from "./queries/coverage.ts";
export type * from "./queries/doctor/doctor.ts";
export type * from "./core/filter.ts";
export type * from "./queries/prompt-logs/unmatched-prompts.ts";
export type * from "./queries/doctor/retention-risk.ts";
export type * from "./core/summary.ts";
export type * from "./queries/transcript.ts";
export type * from "./sources/source.ts";
export type * from "./core/tool-fact.ts";
export type * from "./core/touched-file.ts";
export type * from "./core/usage-fact.ts";
export type * from "./queries/team/adoption.ts";
export type * from "./queries/usage/calls.ts";
export type { EventOptions } from "./queries/events/events.ts";
export type * from "./queries/events/event.ts";
export type * from "./queries/explain.ts";
export type * from "./queries/usage/ledger.ts";
export type * from "./queries/overview.ts";
export type * from "./queries/prices/prices.ts";
export type * from "./queries/secrets.ts";
export type * from "./queries/usage/tally.ts";
export type * from "./queries/team/team-usage.ts";
export type * from "./queries/tools.ts";
export type * from "./queries/usage/usage.ts";
export type * from "./queries/usage/usage-remarks.ts";
export type { RestoreAnswer, RestoreOptions, ResumeAnswer } from "./library/restore.ts";
