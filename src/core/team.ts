/**
 * What somebody in a team may do. Everybody is a `developer`, of their own sessions.
 *
 * - `lead`: sums of the teams that they lead
 * - `payer`: sums of all
 * - `auditor`: single sessions of others, for a reason that the person is told
 * - `admin`: people, devices, what is sent, erasure; no reading
 */
export const TEAM_ROLES = ["developer", "lead", "payer", "auditor", "admin"] as const;
export type TeamRole = (typeof TEAM_ROLES)[number];

/**
 * How much of a session leaves a machine.
 *
 * - `usage`: times, models and counts; no words, names or paths
 * - `outline`: and titles, tools, status and files touched
 * - `full`: the bytes of its files
 */
export const SYNC_LEVELS = ["none", "usage", "outline", "full"] as const;
export type SyncLevel = (typeof SYNC_LEVELS)[number];
