import { randomUUID } from "node:crypto";
import { PolluxError } from "../core/error.ts";
import type { Enrolled } from "../core/team/sync-protocol.ts";
import type { Device, Team } from "../store/team.ts";
import { codeDigest, newToken, secretDigest } from "./secrets.ts";
import { DAY_MS } from "../core/instant.ts";

const TOKEN_MS = 90 * DAY_MS;
const LONGEST_NAME = 100;

/**
 * Exchanges a code for a device that may send. The token is returned once and stored as a digest.
 */
export async function enrol(
  team: Team,
  { code, name }: { code: string; name: string },
  nowMs: number,
): Promise<Enrolled> {
  const token = newToken();
  const expiresMs = nowMs + TOKEN_MS;
  const device = await team.devices.enrol({
    code: codeDigest(code),
    token: secretDigest(token),
    id: randomUUID(),
    name: name.slice(0, LONGEST_NAME),
    nowMs,
    expiresMs,
  });
  if (device) return { device: device.id, token, team: team.tenant.name, expiresMs };
  throw new PolluxError("wrong-code", "This code is unknown, expired or already used.", {
    remedy: "Ask for a new one. A code can be used once, within 15 minutes.",
  });
}

/** The device that a token belongs to. */
export function deviceOf(team: Team, token: string, nowMs: number): Promise<Device | undefined> {
  return team.devices.byToken(secretDigest(token), nowMs);
}
