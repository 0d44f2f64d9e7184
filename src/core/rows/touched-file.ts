/** A file that a tool call touched, with the number of changed lines if recorded. */
export interface TouchedFile {
  path: string;
  how: "read" | "written" | "edited";
  addedLines?: number;
  removedLines?: number;
}
