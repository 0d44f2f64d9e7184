/** Public API of the library. */
export { open } from "./library/library.ts";
export type {
  AgentSummary,
  Library,
  OpenOptions,
  Selection,
  SessionList,
  SessionSelector,
} from "./library/library.ts";
export { exports as exportForms } from "./exports/index.ts";
export type { Export, ExportContent, ExportedAgent, ExportedSession } from "./exports/export.ts";
export type { ExportedFile, ExportRequest } from "./exports/exporting.ts";
export type * from "./ingest/restore/write-restored.ts";
export type * from "./core/session/conversation.ts";
export type { Carried, HandoverAnswer, HandoverOptions, UndoAnswer } from "./library/handover.ts";
export type { SessionVersion } from "./ingest/restore/session-states.ts";
export { PolluxError } from "./core/error.ts";
export { turnsOf } from "./core/session/turn.ts";
export type { Turn } from "./core/session/turn.ts";
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
export type * from "./core/files/diagnostic.ts";
export type * from "./core/session/message.ts";
export type * from "./core/files/place.ts";
export type * from "./core/session/project.ts";
export type * from "./core/session/session.ts";
export type * from "./core/files/session-file.ts";
export type * from "./core/session/message.ts";
export type * from "./core/session/tool-call.ts";
export type * from "./core/usage/counts.ts";
export type * from "./queries/coverage.ts";
export type * from "./queries/doctor/doctor.ts";
export type * from "./core/filter/filter.ts";
export type * from "./queries/prompt-logs/unmatched-prompts.ts";
export type * from "./queries/doctor/retention-risk.ts";
export type * from "./core/rows/summary.ts";
export type * from "./queries/transcript.ts";
export type * from "./sources/source.ts";
export type * from "./core/rows/tool-fact.ts";
export type * from "./core/rows/touched-file.ts";
export type * from "./core/usage/usage-fact.ts";
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
