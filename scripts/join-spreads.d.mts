/** Replaces `{ ...a, b }` by an equivalent call. */
export function withJoins(code: string): string;
