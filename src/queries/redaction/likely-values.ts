const PLACEHOLDERS = [
  String.raw`[$%{<*.]|x{3,}|y{3,}|your|my[_-]|some|example|changeme|change_me|placeholder`,
  String.raw`redacted|secret:|test|dummy|fake|process\.env|os\.environ|env\.|getenv`,
  String.raw`null|none|undefined|true|false|string|number`,
];
const PLACEHOLDER = new RegExp(`^(?:${PLACEHOLDERS.join("|")})`, "i");

export function isPlaceholder(value: string): boolean {
  return PLACEHOLDER.test(value);
}

export function isPassword(value: string): boolean {
  return !isPlaceholder(value);
}

/**
 * Hexadecimal digits, or small and capital letters with several digits. Markup, escapes or the next
 * parameter of a URL may follow.
 */
const GENERATED =
  /^(?:base64:[\w+/-]{24,}={0,2}|[0-9a-f]{32,}|[0-9A-F]{32,}|(?=.*[a-z])(?=.*[A-Z])(?=(?:.*\d){3})[\w+/-]{24,}={0,2})(?:[*_~|^%&\p{Cc}].*)?$/u;

/** Stricter than `looksRandom`: for names that need not be secret (`ADMIN_KEY`, `STORAGE_KEY`). */
export function isGenerated(value: string): boolean {
  return GENERATED.test(value) && looksRandom(value);
}

/** Whether a value looks generated: letters mixed with digits, and not a path. */
export function looksRandom(value: string): boolean {
  if (!/\d/.test(value) || !/[A-Za-z]/.test(value)) return false;
  const isPath = /^[\w.-]*[/\\][\w./\\-]*$/.test(value) && value.split(/[/\\]/).length > 2;
  return !isPath && new Set(value).size >= Math.min(8, value.length / 2);
}

/** Example keys from vendors' documentation; these are public. */
const DOCUMENTED: readonly RegExp[] = [
  /EXAMPLE/,
  /(.)\1{11}/,
  /^sk_test_(?:4eC39HqLyjWDarjtT1zdp7dc|BQokikJOvBiI2HlWgH4olfQ2)$/,
  /^eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9\.eyJzdWIiOiIxMjM0NTY3ODkwIiwibmFtZSI6IkpvaG4gRG9l/,
  /^(?:user|username|login|admin):(?:pass|password|passwd)$/i,
];

export function isDocumented(value: string): boolean {
  return DOCUMENTED.some((pattern) => pattern.test(value));
}

/** Base64 of `user:password`. */
export function isBasicCredentials(value: string): boolean {
  return /^[\x20-\x7e]+:[\x20-\x7e]+$/.test(Buffer.from(value, "base64").toString("latin1"));
}
