import type { Library } from "../library/library.ts";
import type { SecretMask } from "../queries/redaction/secret-mask.ts";
import type { CurrentLibrary } from "./current-library.ts";
import type { Question } from "./question.ts";

/** What a question is answered from. */
export interface Asked {
  library: Library;
  current: CurrentLibrary;
  question: Question;
  /** The parts of the path that stand for something: `:id`. */
  named: Readonly<Record<string, string>>;
  /** What masks secrets, when they are to be masked; whatever is answered is masked afterwards. */
  mask?: Pick<SecretMask, "mask">;
  nowMs: number;
  version: string;
  /** The team that shares what is asked; nobody's but one's own without it. */
  shared?: Shared;
  /** What was sent along, beside that it is confirmed; nothing, unless the route takes any. */
  body: Readonly<Record<string, unknown>>;
}

export interface Shared {
  team: string;
  /** Whose sessions are shown, when they are somebody else's. Their secrets are always masked. */
  owner?: ShownOwner;
}

export interface ShownOwner {
  subject: string;
  name: string;
}

export interface Answer {
  value?: unknown;
  /** Of a list that was given in part: how many there are. */
  total?: number;
  /** Instead of a value: bytes to be saved, made while they are sent. */
  file?: { name: string; mediaType: string; chunks: AsyncIterable<string | Uint8Array> };
}

export interface Route {
  path: string;
  /**
   * What only the owner of this machine may ask for. `change`: it changes something, is POSTed and
   * says so itself (`{"confirm":true}`). `open`: it opens a file beside those of agents.
   */
  does?: "change" | "open";
  /** It changes what is kept, and nothing on the disk: so it can be done on a team's server. */
  changes?: "store";
  /** What else it may be told; all other members are refused. */
  takes?: readonly string[];
  /** The answer is the same until something changes: it is remembered that long. */
  keeps?: "answer";
  answer(asked: Asked): Promise<Answer> | Answer;
}
