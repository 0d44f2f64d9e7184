import type { FoundSecret } from "./secret.ts";
import { scanTokens } from "./token-formats.ts";

/** Rules beyond the maintained ones. The secret is the group named `secret`, or the whole match. */
interface OwnRule {
  kind: string;
  pattern: RegExp;
  isLikely?: (value: string) => boolean;
}

/** Base64 lines; line endings may be written as `\n` inside JSON. */
const KEY_BODY = String.raw`[A-Za-z0-9+/=\s\\:,.-]`;
const QUOTE = String.raw`\\*["']`;

/** Endings of secret names; matched first, because that is fast. */
const NAME_END =
  "KEY|SECRET|TOKEN|PASSWORD|PASSWD|PASSPHRASE|[Kk]ey|[Ss]ecret|[Tt]oken|[Pp]assword";
/** Full names of secrets: `API_KEY`, `clientSecret`, `access-token`. */
const NAME =
  "(?:API|ACCESS|SECRET|PRIVATE)_?KEY|SECRET|TOKEN|PASSWORD|PASSWD|PASSPHRASE|" +
  "(?:[Aa]pi|[Ss]ecret|[Aa]ccess|[Pp]rivate)[_-]?[Kk]ey|[Cc]lient[_-]?[Ss]ecret|" +
  "(?:[Aa]ccess|[Aa]uth|[Rr]efresh)[_-]?[Tt]oken|[Pp]assword";

/** Ordered: if two rules match the same text, the first names the secret. */
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
  // Also matches if the end was cut off.
  {
    kind: "private-key",
    pattern: new RegExp(
      `-----BEGIN (?:[A-Z0-9]+ )*PRIVATE KEY(?: BLOCK)?-----${KEY_BODY}{20,}?` +
        `(?:-----END (?:[A-Z0-9]+ )*PRIVATE KEY(?: BLOCK)?-----|(?=[^A-Za-z0-9+/=\\s\\\\:,.-])|$)`,
      "g",
    ),
  },
  { kind: "jwt", pattern: /(?<![\w-])eyJ[\w-]{8,}\.eyJ[\w-]{8,}(?:\.[\w-]*)?/g },
  // Also directly after a name or an escape: maps_AIzaSy…, key%3DAIzaSy…
  { kind: "google-api-key", pattern: /(?<=\w)AIzaSy[\w-]{33}(?![\w-])/g },
  { kind: "telegram-bot-token", pattern: /(?<!\w)\d{8,10}:AA[\w-]{33}(?![\w-])/g },
  {
    kind: "discord-bot-token",
    pattern: /(?<![\w-])[MNO][A-Za-z0-9_-]{23,27}\.[\w-]{6}\.[\w-]{27,45}(?![\w-])/g,
  },
  {
    kind: "discord-webhook",
    pattern: /discord(?:app)?\.com\/api\/webhooks\/\d{15,}\/(?<secret>[\w-]{40,})/g,
  },
  {
    kind: "slack-webhook",
    pattern:
      /hooks\.slack\.com\/(?:services|workflows)\/(?<secret>[A-Z0-9]{8,}\/[A-Z0-9]{8,}\/[\w/]{16,})/g,
  },
  {
    kind: "teams-webhook",
    pattern:
      /webhook\.office\.com\/webhookb2\/(?<secret>[\w@-]{36,}\/IncomingWebhook\/[0-9a-f]{32}\/[\w-]{36})/g,
  },
  { kind: "mailchimp-key", pattern: /(?<!\w)[0-9a-f]{32}-us\d{1,2}(?!\w)/g },
  { kind: "azure-client-secret", pattern: /(?<![\w~.-])[\w~.-]{3}\dQ~[\w~.-]{31,34}(?![\w~.-])/g },
  { kind: "azure-sas-signature", pattern: /[?&]sig=(?<secret>[A-Za-z0-9%+/]{40,}(?:%3D|=)?)/g },
  { kind: "firebase-server-key", pattern: /(?<![\w-])AAAA[\w-]{7}:[\w-]{140}(?![\w-])/g },
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
  // curl -u ada:hunter22 https://…
  {
    kind: "command-credentials",
    pattern:
      /\bcurl\b[^\n|;&]*?\s(?:-u|--user|--proxy-user)[\s=]*["']?(?<secret>[^\s:"']+:[^\s"']{3,})/g,
    isLikely: (value) => !isPlaceholder(value.slice(value.indexOf(":") + 1)),
  },
  // mysql -uroot -phunter22, sshpass -p hunter22, --password=hunter22
  {
    kind: "command-password",
    pattern:
      /\b(?:mysql|mysqldump|mysqladmin|mariadb)\b[^\n|;&]*?\s-p["']?(?<secret>[^\s"'-][^\s"']{2,})/g,
    isLikely: (value) => !isPlaceholder(value),
  },
  // redis-cli -a hunter22, docker login -u ada -p hunter22
  {
    kind: "command-password",
    pattern:
      /\b(?:redis-cli\b[^\n|;&]*?\s-a|docker\s+login\b[^\n|;&]*?\s-p)[\s=]+["']?(?<secret>[^\s"'-][^\s"']{2,})/g,
    isLikely: (value) => !isPlaceholder(value),
  },
  {
    kind: "command-password",
    pattern: /\bsshpass\s+-p\s*["']?(?<secret>[^\s"']{3,})/g,
    isLikely: (value) => !isPlaceholder(value),
  },
  {
    kind: "command-password",
    pattern: /\s--(?:password|passwd|passphrase)[= ]["']?(?<secret>[^\s"'-][^\s"']{3,})/g,
    isLikely: (value) => !isPlaceholder(value),
  },
  // machine api.example.org login ada password hunter22
  {
    kind: "netrc-password",
    pattern: /\bmachine\s+\S+\s+login\s+\S+\s+password\s+(?<secret>\S{3,})/g,
    isLikely: (value) => !isPlaceholder(value),
  },
  // Cookie: theme=dark; sessionid=…
  {
    kind: "session-cookie",
    pattern: new RegExp(
      String.raw`\bcookie["']?\s*[:=][^\n]*?\b(?:[\w.-]*(?:sess|sid|auth|token|jwt|remember)[\w.-]*)=` +
        String.raw`(?<secret>[A-Za-z0-9%._~+/=-]{16,})`,
      "gi",
    ),
    isLikely: looksRandom,
  },
  // curl -b 'sessionid=…'
  {
    kind: "session-cookie",
    pattern:
      /\bcurl\b[^\n|;&]*?\s(?:-b|--cookie)[\s=]*["']?[^"'\n]*?(?:sess|sid|auth|token|jwt)[\w.-]*=(?<secret>[\w%.~+/-]{16,})/gi,
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

/** Whether a value is generated: letters mixed with digits, and not a path. */
function looksRandom(value: string): boolean {
  if (!/\d/.test(value) || !/[A-Za-z]/.test(value)) return false;
  const isPath = /^[\w.-]*[/\\][\w./\\-]*$/.test(value) && value.split(/[/\\]/).length > 2;
  return !isPath && new Set(value).size >= Math.min(8, value.length / 2);
}

/** Finds secrets by context (`RULES`) and by prefix (token formats). */
export function scanByOwnRules(text: string): FoundSecret[] {
  return [...scanRules(text), ...scanTokens(text)].filter(({ value }) => !isDocumented(value));
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

/** All kinds of secrets, for the documentation. */
export const RULE_KINDS: readonly string[] = [...new Set(RULES.map(({ kind }) => kind))].toSorted();

function scanRules(text: string): FoundSecret[] {
  return RULES.flatMap(({ kind, pattern, isLikely }) =>
    [...text.matchAll(pattern)].flatMap((match): FoundSecret[] => {
      const value = (match.groups?.["secret"] ?? match[0]).trim().replace(/\\+$/, "");
      if (isLikely && !isLikely(value)) return [];
      return [{ kind, value, start: text.indexOf(value, match.index) }];
    }),
  );
}
