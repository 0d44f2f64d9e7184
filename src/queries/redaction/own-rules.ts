import type { FoundSecret } from "./secret.ts";

/** What the maintained rules do not know. A group named `secret` is the secret, else all of it. */
interface OwnRule {
  kind: string;
  pattern: RegExp;
  isLikely?: (value: string) => boolean;
}

/** Base64 lines, also with the line ends written as `\n` inside JSON. */
const KEY_BODY = String.raw`[A-Za-z0-9+/=\s\\:,.-]`;
const QUOTE = String.raw`\\*["']`;

/** How names of secrets end; looked for first, because it is quickly found. */
const NAME_END =
  "KEY|SECRET|TOKEN|PASSWORD|PASSWD|PASSPHRASE|[Kk]ey|[Ss]ecret|[Tt]oken|[Pp]assword";
/** What such a name looks like as a whole: `API_KEY`, `clientSecret`, `access-token`. */
const NAME =
  "(?:API|ACCESS|SECRET|PRIVATE)_?KEY|SECRET|TOKEN|PASSWORD|PASSWD|PASSPHRASE|" +
  "(?:[Aa]pi|[Ss]ecret|[Aa]ccess|[Pp]rivate)[_-]?[Kk]ey|[Cc]lient[_-]?[Ss]ecret|" +
  "(?:[Aa]ccess|[Aa]uth|[Rr]efresh)[_-]?[Tt]oken|[Pp]assword";

/** In order: where two rules find the same, the first names it. */
const RULES: readonly OwnRule[] = [
  // "private_key": "-----BEGIN PRIVATE KEY-----\nMIIE…"
  {
    kind: "service-account-key",
    pattern: new RegExp(
      `private_key${QUOTE}\\s*:\\s*${QUOTE}(?<secret>-----BEGIN${KEY_BODY}{40,})`,
      "g",
    ),
  },
  {
    kind: "service-account-key-id",
    pattern: new RegExp(`private_key_id${QUOTE}\\s*:\\s*${QUOTE}(?<secret>[0-9a-f]{40})`, "g"),
  },
  // Also when the end was cut off.
  {
    kind: "private-key",
    pattern: new RegExp(
      `-----BEGIN (?:[A-Z0-9]+ )*PRIVATE KEY(?: BLOCK)?-----${KEY_BODY}{20,}?` +
        `(?:-----END (?:[A-Z0-9]+ )*PRIVATE KEY(?: BLOCK)?-----|(?=[^A-Za-z0-9+/=\\s\\\\:,.-])|$)`,
      "g",
    ),
  },
  { kind: "google-api-key", pattern: /(?<![\w-])AIza[0-9A-Za-z_-]{35}(?![\w-])/g },
  { kind: "google-oauth-secret", pattern: /GOCSPX-[0-9A-Za-z_-]{20,}/g },
  { kind: "google-oauth-token", pattern: /(?<![\w.-])ya29\.[0-9A-Za-z_-]{20,}/g },
  { kind: "google-refresh-token", pattern: /(?<![\w/])1\/\/0[0-9A-Za-z_-]{30,}/g },
  { kind: "aws-access-key-id", pattern: /(?<!\w)(?:AKIA|ASIA|ABIA|ACCA)[0-9A-Z]{16}(?!\w)/g },
  { kind: "jwt", pattern: /(?<![\w-])eyJ[\w-]{8,}\.eyJ[\w-]{8,}(?:\.[\w-]*)?/g },
  // The maintained rules know these, but not right behind a letter with an accent.
  { kind: "github-token", pattern: /(?<!\w)(?:gh[pousr]_\w{36,}|github_pat_\w{22,})/g },
  { kind: "npm-access-token", pattern: /(?<!\w)npm_[A-Za-z0-9]{36}(?!\w)/g },
  { kind: "slack-token", pattern: /(?<![\w-])xox[abeoprs]-[\w-]{20,}/g },
  { kind: "anthropic-api-key", pattern: /(?<![\w-])sk-ant-[\w-]{40,}/g },
  { kind: "openai-token", pattern: /(?<![\w-])sk-(?:proj-|svcacct-)?[\w-]{32,}/g },
  { kind: "gitlab-token", pattern: /(?<![\w-])glpat-[\w-]{20,}/g },
  { kind: "stripe-key", pattern: /(?<!\w)[rs]k_(?:live|test)_[0-9A-Za-z]{16,}/g },
  { kind: "hugging-face-token", pattern: /(?<!\w)hf_[A-Za-z0-9]{30,}/g },
  { kind: "telegram-bot-token", pattern: /(?<!\w)\d{8,10}:AA[\w-]{33}(?![\w-])/g },
  { kind: "azure-storage-key", pattern: /AccountKey=(?<secret>[A-Za-z0-9+/]{80,}={0,2})/g },
  // postgres://bob:hunter22@db/x
  {
    kind: "url-credentials",
    pattern: /(?<=[a-z][a-z0-9+.-]*:\/\/)(?<secret>[^\s:/@"'<>]*:[^\s/@"'<>]{3,})(?=@[\w[])/gi,
    isLikely: (value) => !isPlaceholder(value.slice(value.indexOf(":") + 1)),
  },
  {
    kind: "bearer-token",
    pattern: /\bbearer\s+(?<secret>[A-Za-z0-9._~+/-]{16,}=*)/gi,
    isLikely: looksRandom,
  },
  {
    kind: "basic-credentials",
    pattern: /authorization["']?\s*[:=]\s*["']?basic\s+(?<secret>[A-Za-z0-9+/]{8,}={0,2})/gi,
  },
  {
    kind: "api-key-header",
    pattern: /\bx-(?:goog-)?api-key["']?\s*[:=]\s*["']?(?<secret>[\w.+/-]{16,}=*)/gi,
    isLikely: looksRandom,
  },
  // GITHUB_TOKEN=…, "client_secret": "…", password: '…'
  {
    kind: "assigned-secret",
    pattern: new RegExp(
      String.raw`(?:${NAME_END})(?<=${NAME})["'\\]*\s*(?:=>|[=:])\s*["'\\]*` +
        String.raw`(?<secret>[^\s"'\x60,;<>(){}[\]\\]{8,200})`,
      "g",
    ),
    isLikely: (value) => looksRandom(value) && !isPlaceholder(value),
  },
];

const PLACEHOLDERS = [
  String.raw`[$%{<*.]|x{3,}|y{3,}|your|my[_-]|some|example|changeme|change_me|placeholder`,
  String.raw`redacted|secret:|test|dummy|fake|process\.env|os\.environ|env\.|getenv`,
  String.raw`null|none|undefined|true|false|string|number`,
];
const PLACEHOLDER = new RegExp(`^(?:${PLACEHOLDERS.join("|")})`, "i");

function isPlaceholder(value: string): boolean {
  return PLACEHOLDER.test(value);
}

/** Letters and digits mixed, and not the words of a variable or a file: a made value. */
function looksRandom(value: string): boolean {
  if (!/\d/.test(value) || !/[A-Za-z]/.test(value)) return false;
  const isPath = /^[\w.-]*[/\\][\w./\\-]*$/.test(value) && value.split(/[/\\]/).length > 2;
  return !isPath && new Set(value).size >= Math.min(8, value.length / 2);
}

export function scanByOwnRules(text: string): FoundSecret[] {
  return RULES.flatMap(({ kind, pattern, isLikely }) =>
    [...text.matchAll(pattern)].flatMap((match): FoundSecret[] => {
      const value = (match.groups?.["secret"] ?? match[0]).trim().replace(/\\+$/, "");
      if (isLikely && !isLikely(value)) return [];
      return [{ kind, value, start: text.indexOf(value, match.index) }];
    }),
  );
}
