import { readlinkSync } from "node:fs";

/**
 * Tells the time zone of this machine from another one, sooner than the engine can name it: its
 * tables take longer to load than a remembered answer.
 */
export function zoneSign(env: Readonly<Record<string, string | undefined>> = process.env): string {
  const named = env["TZ"];
  if (named !== undefined && named !== "") return named;
  try {
    return readlinkSync("/etc/localtime");
  } catch {
    // Not everywhere is it a link.
    return new Intl.DateTimeFormat().resolvedOptions().timeZone;
  }
}
