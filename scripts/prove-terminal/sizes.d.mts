/** The window sizes of the proof; below 60 columns only the list is shown. */
export const SIZES: readonly { columns: number; rows: number }[];
