const ends: (() => Promise<void>)[] = [];

/** Closes what modules that files of tests share have opened for one of them, when it ends. */
export function atEndOfFile(close: () => Promise<void>): void {
  ends.push(close);
}

/** The last that was opened is closed first. */
export async function endFile(): Promise<void> {
  for (const close of ends.splice(0).toReversed()) await close();
}
