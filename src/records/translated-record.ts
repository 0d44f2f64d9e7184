import type { Standing } from "../core/session/message.ts";
import type { Session } from "../core/session/session.ts";
import type { ByteSource } from "../kernel/bytes.ts";
import type { NativeForm } from "../sources/native.ts";
import type { Profile } from "./profile.ts";
import type { Wrapping } from "./wrapper.ts";

export interface RecordRequest extends Wrapping {
  /** Whether messages that are not live are marked (`all`) or left out (`live`). */
  standing: "all" | "live";
}

export interface RecordInput {
  /** An outline is enough: messages are read again from their bytes. */
  session: Session;
  form: NativeForm;
  /** Opens a file of the session, from the disk or from the archive. */
  open(path: string): ByteSource;
}

/** A record that is written entry by entry; only its frame is in memory. */
export interface TranslatedRecord {
  id: string;
  profile: Profile;
  entries: number;
  /** Number of messages left out, by standing. */
  leftOut: Partial<Record<Standing, number>>;
  /** The canonical bytes. May be called repeatedly. */
  chunks(): Iterable<Buffer>;
}
