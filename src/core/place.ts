/** Where something stands in a file, so that a number or a complaint can be traced to its bytes. */
export interface Place {
  file: string;
  /** 1-based line on which it begins. */
  line: number;
  /** Byte range `[start, end)` inside the file. */
  start: number;
  end: number;
}
