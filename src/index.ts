/** The public face of the library. */
export { open } from "./library.ts";
export type { Library, OpenOptions, SessionList, Which } from "./library.ts";
export { exports as exportForms } from "./exports/index.ts";
export type { Export, ExportContent, ExportedAgent, ExportedSession } from "./exports/export.ts";
export type { ExportedFile, ExportRequest } from "./exports/exporting.ts";
export type * from "./intake/put-back.ts";
export type { SessionVersion } from "./intake/session-states.ts";
export { PolluxError } from "./model/error.ts";
export { turnsOf } from "./model/turn.ts";
export type { Turn } from "./model/turn.ts";
export {
  newKeys,
  recordSchema,
  restoreRecord,
  signRecord,
  verifyRecord,
} from "./desks/record-desk.ts";
export type { RecordOptions, TranslatedRecord } from "./desks/record-desk.ts";
export type { KeyForm, KeyPair } from "./projections/records/cose/keys.ts";
export type * from "./projections/records/findings.ts";
export type { RestoredFile } from "./projections/records/native/restore.ts";
export type { Profile } from "./projections/records/profile.ts";
export type { Signed, SignWish } from "./projections/records/sign.ts";
export type { ByteSource } from "./sources/bytes.ts";
export { fileBytes, memoryBytes } from "./sources/bytes.ts";
export type * from "./model/diagnostic.ts";
export type * from "./model/message.ts";
export type * from "./model/place.ts";
export type * from "./model/project.ts";
export type * from "./model/session.ts";
export type * from "./model/session-file.ts";
export type * from "./model/thought.ts";
export type * from "./model/tool-call.ts";
export type * from "./model/usage.ts";
export type * from "./projections/coverage.ts";
export type * from "./projections/doctor.ts";
export type * from "./projections/filter.ts";
export type * from "./projections/leftovers.ts";
export type * from "./projections/risk.ts";
export type * from "./model/summary.ts";
export type * from "./projections/transcript.ts";
export type * from "./sources/source.ts";
export type * from "./model/tool-fact.ts";
export type * from "./model/touched-file.ts";
export type * from "./model/usage-fact.ts";
export type * from "./projections/calls.ts";
export type { EventOptions } from "./projections/events.ts";
export type * from "./projections/events/event.ts";
export type * from "./projections/explain.ts";
export type * from "./projections/ledger.ts";
export type * from "./projections/overview.ts";
export type * from "./projections/prices.ts";
export type * from "./projections/secrets.ts";
export type * from "./projections/tally.ts";
export type * from "./projections/tools.ts";
export type * from "./projections/touched-files.ts";
export type * from "./projections/usage.ts";
export type * from "./projections/usage-remarks.ts";
export type { RestoreAnswer, RestoreOptions, ResumeAnswer } from "./desks/restore-desk.ts";
