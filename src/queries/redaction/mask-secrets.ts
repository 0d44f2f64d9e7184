import type { Session } from "../../core/session/session.ts";
import { Masker } from "./masker.ts";
import { scanSession } from "./scan-session.ts";
import { loadScanner } from "./scanner.ts";
import { mapStrings } from "./strings.ts";

/**
 * Masks the secrets of a session. Paths and names stay, because the session is continued on this
 * machine.
 */
export async function maskSecrets(
  session: Session,
): Promise<{ session: Session; secrets: number }> {
  const masker = new Masker();
  const found = await scanSession(session, await loadScanner());
  if (found.length === 0) return { session, secrets: 0 };
  masker.learnSecrets(found);
  const { project, messages, ...rest } = session;
  const mask = (text: string): string => masker.maskSecrets(text);
  const masked = { ...mapStrings(rest, mask), messages: mapStrings(messages, mask), project };
  return {
    session: masked,
    secrets: masker.counts().secrets.reduce((n, kind) => n + kind.values, 0),
  };
}
