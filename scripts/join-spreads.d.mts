/** `{ ...a, b }` becomes a call that gives the same. */
export function withJoins(code: string): string;
