/** The window sizes of the proof; below 60 columns only the list is shown. */
export const SIZES = [
  { columns: 44, rows: 20 },
  { columns: 60, rows: 30 },
  { columns: 80, rows: 30 },
  { columns: 120, rows: 30 },
  { columns: 200, rows: 40 },
  { columns: 250, rows: 40 },
];
