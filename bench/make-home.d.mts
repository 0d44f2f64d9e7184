/** Writes a home of Gemini CLI; gives what it adds up to. */
export function makeHome(
  home: string,
  sessions: number,
  seed?: number,
): {
  sessions: number;
  bytes: number;
  requests: number;
  byModel: Record<string, Record<string, number>>;
};
