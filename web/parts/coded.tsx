import { safeText } from "../safe-text.ts";

/** A sentence with commands between backticks, as the library writes them. */
export function Coded({ text }: { text: string }) {
  const parts = safeText(text).split("`");
  return (
    <>
      {parts.map((part, at) => {
        const isCode = at % 2 === 1 && at < parts.length - 1;
        return isCode ? <code key={at}>{part}</code> : part;
      })}
    </>
  );
}
