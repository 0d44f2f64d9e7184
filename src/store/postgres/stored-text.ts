/**
 * PostgreSQL cannot store NUL or unpaired surrogates, and session text may contain both. They are
 * escaped as this character and four hexadecimal digits, and so is the character itself.
 */
const ESCAPE = "\u001a";

const MAY_NEED = /[\0\u001a\ud800-\udfff]/;
const NEEDED = /[\0\u001a]|[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g;
const WRITTEN = /\u001a([0-9a-f]{4})/g;

export function toStored(text: string): string {
  if (!MAY_NEED.test(text)) return text;
  return text.replace(NEEDED, (unit) => {
    return `${ESCAPE}${unit.charCodeAt(0).toString(16).padStart(4, "0")}`;
  });
}

export function fromStored(text: string): string {
  if (!text.includes(ESCAPE)) return text;
  return text.replace(WRITTEN, (_, digits: string) =>
    String.fromCharCode(Number.parseInt(digits, 16)),
  );
}
