const ends: (() => Promise<void>)[] = [];

/** Registers a function that closes a shared resource at the end of the test file. */
export function atEndOfFile(close: () => Promise<void>): void {
  ends.push(close);
}

/** Closes the resources in reverse order of opening. */
export async function endFile(): Promise<void> {
  for (const close of ends.splice(0).toReversed()) await close();
}
