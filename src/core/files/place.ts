/** Position in a file, so that a number or a diagnostic can be traced to its bytes. */
export interface Place {
  file: string;
  /** 1-based number of the first line. */
  line: number;
  /** Byte range `[start, end)` inside the file. */
  start: number;
  end: number;
}
