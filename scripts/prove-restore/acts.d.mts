import type { Session } from "../../src/core/session/session.ts";

/** Its kind, followed by its content. */
export type Act = string[];
export declare function comparable(acts: readonly Act[]): Act[];
export declare function liveActs(session: Session): Act[];
export declare function sentActs(contents: unknown[], prompt: string): Act[];
