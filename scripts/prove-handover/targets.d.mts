export const CODEX_LIST: string;
