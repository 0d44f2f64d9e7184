/** A file that a tool call touched, with the lines it changed where the record tells. */
export interface TouchedFile {
  path: string;
  how: "read" | "written" | "edited";
  addedLines?: number;
  removedLines?: number;
}
