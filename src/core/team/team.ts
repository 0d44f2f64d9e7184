/**
 * Roles in a team. Everybody is a `developer` and may see their own sessions.
 *
 * - `lead`: sums of the teams that they lead
 * - `payer`: sums of all teams
 * - `auditor`: single sessions of others, for a reason that is shown to the person concerned
 * - `admin`: people, devices, what is sent, erasure; no reading of sessions
 */
export const TEAM_ROLES = ["developer", "lead", "payer", "auditor", "admin"] as const;
export type TeamRole = (typeof TEAM_ROLES)[number];

/**
 * How much of a session is sent to the team's server.
 *
 * - `usage`: times, models and counts; no words, names or paths
 * - `outline`: also titles, tools, status and touched files
 * - `full`: the bytes of its files
 */
export const SYNC_LEVELS = ["none", "usage", "outline", "full"] as const;
export type SyncLevel = (typeof SYNC_LEVELS)[number];
