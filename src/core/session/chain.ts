import type { SessionOrigin } from "./session.ts";

/** Sessions with different ids that continue one another. */
export interface Chain {
  /** Ids, oldest first. */
  sessionIds: string[];
  links: ChainLink[];
}

export interface ChainLink {
  fromId: string;
  toId: string;
  how: SessionOrigin["how"] | "shared-messages";
  /** Number of messages that the later session repeats. */
  sharedMessages: number;
}
