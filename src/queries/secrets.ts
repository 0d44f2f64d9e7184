import type { Place } from "../core/files/place.ts";
import type { Session } from "../core/session/session.ts";
import { Masker } from "./redaction/masker.ts";
import { scanSession } from "./redaction/scan-session.ts";
import type { Scanner } from "./redaction/secret.ts";

/** Secrets found in sessions, with their locations but without their values. */
export interface SecretsAnswer {
  secrets: SecretFinding[];
  /** Number of sessions scanned; a session and its prompt log count once. */
  sessions: number;
}

export interface SecretFinding {
  /** Its mask in exports: `[secret:google-api-key#1]`. */
  mask: string;
  kind: string;
  /** The first characters of a long secret, enough to recognise it. */
  hint: string;
  length: number;
  places: SecretPlace[];
}

export interface SecretPlace {
  sessionId: string;
  messageId: string | null;
  /** `text`, `toolCalls[0].output`, … */
  field: string;
  /** Every file and line that records the message. */
  records: { file: string; line: number }[];
}

/** Scans sessions one at a time. */
export async function findSecrets(
  sessions: AsyncIterable<Session> | Iterable<Session>,
  scanner: Scanner,
): Promise<SecretsAnswer> {
  const masker = new Masker();
  const findings = new Map<string, SecretFinding>();
  const scanned = new Set<string>();
  for await (const session of sessions) {
    scanned.add(`${session.source}:${session.id}`);
    const found = await scanSession(session, scanner);
    masker.learnSecrets(found);
    const places = new Map(session.messages.map(({ id, places: all }) => [id, all]));
    for (const { value, kind, messageId, field } of found) {
      const mask = masker.maskOf(value);
      if (mask === undefined) continue;
      const finding = findings.get(mask) ?? newFinding(mask, kind, value);
      findings.set(mask, finding);
      const records = recordsOf(places.get(messageId ?? "") ?? []);
      addPlace(finding, { sessionId: session.id, messageId: messageId ?? null, field, records });
    }
  }
  return { secrets: [...findings.values()], sessions: scanned.size };
}

function newFinding(mask: string, kind: string, value: string): SecretFinding {
  // No hint for a short secret: its first characters would be half of it.
  const hint = value.length >= 20 ? `${value.slice(0, 4)}…` : "…";
  return { mask, kind, hint, length: value.length, places: [] };
}

function addPlace(finding: SecretFinding, place: SecretPlace): void {
  const isKnown = finding.places.some(
    (known) =>
      known.sessionId === place.sessionId &&
      known.messageId === place.messageId &&
      known.field === place.field,
  );
  if (!isKnown) finding.places.push(place);
}

function recordsOf(places: readonly Place[]): { file: string; line: number }[] {
  const unique = new Map(places.map(({ file, line }) => [`${file}:${line}`, { file, line }]));
  return [...unique.values()];
}
