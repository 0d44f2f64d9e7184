import type { Verification } from "../../records/findings.ts";
import type { KeepAnswer } from "../../library/archive.ts";
import type { HandoverAnswer } from "../../library/handover.ts";
import type { OwnList } from "../../library/own-layer.ts";
import type { RestoreAnswer, ResumeAnswer } from "../../library/restore.ts";
import type { SessionList } from "../../library/sessions.ts";
import type { BlameAnswer } from "../../queries/blame/blame.ts";
import type { BudgetAnswer } from "../../queries/prices/budget.ts";
import type { CallRecord } from "../../queries/usage/calls.ts";
import type { Comparison } from "../../queries/compare.ts";
import type { DoctorAnswer } from "../../queries/doctor/doctor.ts";
import type { Explanation } from "../../queries/explain.ts";
import type { InsightsAnswer } from "../../queries/insights/insights.ts";
import type { Overview } from "../../queries/overview.ts";
import type { SearchAnswer } from "../../queries/search/search.ts";
import type { SecretsAnswer } from "../../queries/secrets.ts";
import type { ToolsReport } from "../../queries/tools.ts";
import type { Transcript } from "../../queries/transcript.ts";
import type { UsageReport } from "../../queries/usage/usage.ts";
import type { UsesAnswer } from "../../queries/search/uses.ts";

/** An answer as printed. */
type Printed<Answer> = Answer & { schemaVersion: number };

// What `--json` prints, by command. `schemas/NAME.schema.json` is generated from each type.

export type BlameJson = Printed<BlameAnswer>;
/** One record on each line. */
export type CallsJson = CallRecord;
export type CompareJson = Printed<Comparison>;
export type DoctorJson = Printed<DoctorAnswer>;
export type ExplainJson = Printed<Explanation>;
export type HandoverJson = Printed<HandoverAnswer>;
export type InsightsJson = Printed<InsightsAnswer>;
export type KeepJson = Printed<KeepAnswer>;
export type OverviewJson = Printed<Overview>;
export type RestoreJson = Printed<RestoreAnswer>;
export type ResumeJson = Printed<ResumeAnswer>;
export type SearchJson = Printed<SearchAnswer>;
export type SecretsJson = Printed<SecretsAnswer>;
export type SessionsJson = Printed<SessionList>;
export type ShowJson = Printed<Transcript>;
export type TagJson = Printed<OwnList>;
export type ToolsJson = Printed<ToolsReport>;
export type UsageJson = Printed<UsageReport> & { budget?: BudgetAnswer };
export type UsesJson = Printed<UsesAnswer>;
export type VerifyJson = Printed<Verification>;
