/** The windows that the home is proved in; below 60 columns only its list remains. */
export const SIZES: readonly { columns: number; rows: number }[];
