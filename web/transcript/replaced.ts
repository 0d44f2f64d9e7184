import { createContext } from "preact";

/**
 * Whether a conversation inside another one shows what was taken back or replaced. The page's own
 * conversation has this in its URL.
 */
export const Replaced = createContext<{ isShown: boolean; show: () => void } | undefined>(
  undefined,
);
