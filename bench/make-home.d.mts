/** Writes a home of Gemini CLI; gives what it adds up to. */
export function makeHome(home: string, sessions: number, seed?: number): { requests: number };
