import type { Library } from "../library/library.ts";
import type { SecretMask } from "../queries/redaction/secret-mask.ts";
import type { CurrentLibrary } from "./current-library.ts";
import type { Question } from "./question.ts";
import type { SavedFile } from "./reply.ts";

/** Everything a route needs to answer. */
export interface RouteContext {
  library: Library;
  current: CurrentLibrary;
  question: Question;
  /** The parameters in the path: `:id`. */
  named: Readonly<Record<string, string>>;
  /** Set if secrets must be masked. The whole answer is masked with it afterwards. */
  mask?: Pick<SecretMask, "mask">;
  nowMs: number;
  version: string;
  /** The team whose data is served; absent: only the user's own. */
  shared?: Shared;
  /** The request body without `confirm`; empty unless the route takes any members. */
  body: Readonly<Record<string, unknown>>;
}

export interface Shared {
  team: string;
  /** The owner of the shown sessions, if it is another person. Their secrets are always masked. */
  owner?: ShownOwner;
}

export interface ShownOwner {
  subject: string;
  name: string;
}

export interface Answer {
  value?: unknown;
  /** Length of the whole list, if only a part was returned. */
  total?: number;
  /** Instead of a value: a download, produced while it is sent. */
  file?: SavedFile;
}

export interface Route {
  path: string;
  /**
   * Restricted to the owner of this machine. `change`: it changes something, so it must be a POST
   * with `{"confirm":true}`. `open`: it opens a file outside the agents' folders.
   */
  does?: "change" | "open";
  /** It changes only the store, not the disk, so a team's server allows it, too. */
  changes?: "store";
  /** Further members of the body; all others are rejected. */
  takes?: readonly string[];
  answer(asked: RouteContext): Promise<Answer> | Answer;
}
