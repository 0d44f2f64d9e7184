import type { FoundSecret } from "./secret.ts";
import { isWordStart, WORD_END } from "./word-edges.ts";

/** Kind, prefix, and pattern of the rest. All prefixes are searched for in one pass. */
type TokenFormat = readonly [kind: string, prefix: string, rest: string];

/** Tokens whose prefix identifies the issuer. */
const FORMATS: readonly TokenFormat[] = [
  ["adafruit-io-key", "aio_", "[A-Za-z0-9]{28}"],
  ["age-secret-key", "AGE-SECRET-KEY-1", "[A-Z0-9]{58}"],
  ["airtable-token", "pat", String.raw`[A-Za-z0-9]{14}\.[a-f0-9]{64}`],
  ["aiven-password", "AVNS_", String.raw`[\w-]{19,}`],
  ["alibaba-access-key-id", "LTAI", "[A-Za-z0-9]{16,24}"],
  ["anthropic-api-key", "sk-ant-", String.raw`[\w-]{40,}`],
  ["apify-token", "apify_api_", "[A-Za-z0-9]{36}"],
  ["artifactory-key", "AKCp", "[A-Za-z0-9]{69}"],
  ["artifactory-key", "cmVmd", "[A-Za-z0-9]{59}"],
  ["atlassian-token", "ATATT3", String.raw`[\w=-]{60,}`],
  ["aws-access-key-id", "AKIA", "[0-9A-Z]{16}"],
  ["aws-access-key-id", "ASIA", "[0-9A-Z]{16}"],
  ["aws-access-key-id", "ABIA", "[0-9A-Z]{16}"],
  ["aws-access-key-id", "ACCA", "[0-9A-Z]{16}"],
  ["aws-bedrock-key", "ABSKQmVkcm9ja0FQSUtleS", "[A-Za-z0-9+/=]{80,}"],
  ["bitbucket-app-password", "ATBB", "[A-Za-z0-9]{24,}"],
  ["buildkite-token", "bkua_", "[a-z0-9]{40}"],
  ["cerebras-key", "csk-", "[a-z0-9]{48}"],
  ["circleci-token", "CCIPAT_", String.raw`[\w-]{40,}`],
  ["clickhouse-key", "4b1d", "[A-Za-z0-9]{38}"],
  ["clojars-token", "CLOJARS_", "[a-z0-9]{60}"],
  ["cloudflare-origin-key", "v1.0-", "[a-f0-9]{24}-[a-f0-9]{100,}"],
  ["contentful-token", "CFPAT-", String.raw`[\w-]{43}`],
  ["crates-io-token", "cio", "[A-Za-z0-9]{32}"],
  ["databricks-token", "dapi", "[a-f0-9]{32}(?:-[0-9])?"],
  ["defined-networking-token", "dnkey-", String.raw`[a-z0-9=_-]{26}-[a-z0-9=_-]{52}`],
  ["deno-token", "ddp_", "[A-Za-z0-9]{36}"],
  ["digitalocean-token", "dop_v1_", "[a-f0-9]{64}"],
  ["digitalocean-token", "doo_v1_", "[a-f0-9]{64}"],
  ["digitalocean-token", "dor_v1_", "[a-f0-9]{64}"],
  ["docker-token", "dckr_pat_", String.raw`[\w-]{27}`],
  ["docker-token", "dckr_oat_", String.raw`[\w-]{32}`],
  ["doppler-token", "dp.", String.raw`(?:pt|st|ct|sa|scim|audit)\.(?:[\w-]+\.)?[A-Za-z0-9]{40,44}`],
  ["dropbox-token", "sl.", String.raw`(?:u\.)?[\w-]{130,}`],
  ["duffel-token", "duffel_live_", String.raw`[\w=-]{43}`],
  ["dynatrace-token", "dt0c01.", String.raw`[A-Z0-9]{24}\.[A-Z0-9]{64}`],
  ["easypost-token", "EZAK", "[A-Za-z0-9]{54}"],
  ["facebook-access-token", "EAAM", "[A-Za-z0-9]{80,}"],
  ["figma-token", "figd_", String.raw`[\w-]{40}`],
  ["flutterwave-key", "FLWSECK-", "[a-f0-9]{32}-X"],
  ["flyio-token", "FlyV1 ", "fm[12][a-z]?_[A-Za-z0-9+/=,_-]{80,}"],
  ["flyio-token", "fo1_", String.raw`[\w-]{43}`],
  ["frameio-token", "fio-u-", String.raw`[\w=-]{64}`],
  ["github-token", "github_pat_", String.raw`\w{22,}`],
  ["github-token", "ghp_", String.raw`\w{36,}`],
  ["github-token", "gho_", String.raw`\w{36,}`],
  ["github-token", "ghu_", String.raw`\w{36,}`],
  ["github-token", "ghs_", String.raw`\w{36,}`],
  ["github-token", "ghr_", String.raw`\w{36,}`],
  ["gitlab-token", "glpat-", String.raw`[\w-]{20,}(?:\.[\w-]+)*`],
  ["gitlab-token", "glrt-", String.raw`[\w-]{20,}`],
  ["gitlab-token", "gldt-", String.raw`[\w-]{20,}`],
  ["gitlab-token", "glcbt-", String.raw`[\w-]{20,}`],
  ["gitlab-token", "glptt-", "[0-9a-f]{40}"],
  ["gitlab-token", "glagent-", String.raw`[\w-]{50}`],
  ["gitlab-token", "glffct-", String.raw`[\w-]{20,}`],
  ["gitlab-token", "glft-", String.raw`[\w-]{20,}`],
  ["gitlab-token", "glimt-", String.raw`[\w-]{25}`],
  ["gitlab-token", "gloas-", String.raw`[\w-]{64}`],
  ["gitlab-token", "glsoat-", String.raw`[\w-]{20,}`],
  ["gitlab-token", "GR1348941", String.raw`[\w-]{20}`],
  ["google-api-key", "AIza", String.raw`[\w-]{35}`],
  ["google-oauth-secret", "GOCSPX-", String.raw`[\w-]{20,}`],
  ["google-oauth-token", "ya29.", String.raw`[\w-]{20,}(?:\.[\w-]+)*`],
  ["google-refresh-token", "1//0", String.raw`[\w-]{30,}`],
  ["grafana-token", "glsa_", String.raw`[A-Za-z0-9]{32}_[a-f0-9]{8}`],
  ["grafana-token", "glc_", "[A-Za-z0-9+/]{32,}={0,2}"],
  ["groq-api-key", "gsk_", "[A-Za-z0-9]{52}"],
  ["harness-token", "pat.", String.raw`[\w-]{22}\.[0-9a-f]{24}\.[A-Za-z0-9]{20}`],
  ["heroku-api-key", "HRKU-", String.raw`[\w-]{36,}`],
  ["hubspot-token", "pat-na1-", "[0-9a-f-]{36}"],
  ["hubspot-token", "pat-eu1-", "[0-9a-f-]{36}"],
  ["hugging-face-token", "hf_", "[A-Za-z0-9]{30,}"],
  ["hugging-face-token", "api_org_", "[A-Za-z0-9]{34}"],
  ["infracost-token", "ico-", "[A-Za-z0-9]{32}"],
  ["jina-key", "jina_", "[A-Za-z0-9]{60}"],
  ["langfuse-key", "sk-lf-", "[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}"],
  ["langsmith-key", "lsv2_pt_", "[0-9a-f]{32}_[0-9a-f]{10}"],
  ["langsmith-key", "lsv2_sk_", "[0-9a-f]{32}_[0-9a-f]{10}"],
  ["linear-api-key", "lin_api_", "[A-Za-z0-9]{40}"],
  ["linear-api-key", "lin_oauth_", "[A-Za-z0-9]{40,}"],
  ["mailgun-key", "key-", "[0-9a-f]{32}"],
  ["mapbox-token", "sk.eyJ", String.raw`[\w-]{40,}\.[\w-]{20,}`],
  ["maxmind-key", "mmk_", "[A-Za-z0-9]{29,}"],
  ["neon-key", "napi_", "[a-z0-9]{60,70}"],
  ["netlify-token", "nfp_", "[A-Za-z0-9]{36}"],
  ["new-relic-key", "NRAK-", "[A-Z0-9]{27}"],
  ["notion-token", "ntn_", "[A-Za-z0-9]{43,}"],
  ["notion-token", "secret_", "[A-Za-z0-9]{43}"],
  ["npm-access-token", "npm_", "[A-Za-z0-9]{36}"],
  ["nuget-key", "oy2", "[a-z0-9]{43}"],
  ["nvidia-key", "nvapi-", String.raw`[\w-]{60,70}`],
  ["octopus-deploy-key", "API-", "[A-Z0-9]{26,32}"],
  ["onepassword-secret-key", "A3-", "[A-Z0-9]{6}-[A-Z0-9]{11}-(?:[A-Z0-9]{5}-){2}[A-Z0-9]{5}"],
  ["onepassword-token", "ops_eyJ", "[A-Za-z0-9+/]{200,}={0,3}"],
  ["openai-token", "sk-proj-", String.raw`[\w-]{32,}`],
  ["openai-token", "sk-svcacct-", String.raw`[\w-]{32,}`],
  ["openai-token", "sk-admin-", String.raw`[\w-]{32,}`],
  ["openrouter-key", "sk-or-v1-", "[0-9a-f]{64}"],
  ["openai-token", "sk-", String.raw`[\w-]{32,}`],
  ["openshift-token", "sha256~", String.raw`[\w-]{43}`],
  ["perplexity-key", "pplx-", "[A-Za-z0-9]{48,}"],
  ["pinecone-key", "pcsk_", "[A-Za-z0-9]{5,6}_[A-Za-z0-9]{60,}"],
  ["planetscale-token", "pscale_tkn_", String.raw`[\w=.-]{32,64}`],
  ["planetscale-token", "pscale_pw_", String.raw`[\w=.-]{32,64}`],
  ["planetscale-token", "pscale_oauth_", String.raw`[\w=.-]{32,64}`],
  ["posthog-key", "phx_", "[A-Za-z0-9]{43,}"],
  ["postman-key", "PMAK-", "[0-9a-f]{24}-[0-9a-f]{34}"],
  ["prefect-key", "pnu_", "[A-Za-z0-9]{36}"],
  ["pulumi-token", "pul-", "[0-9a-f]{40}"],
  ["pypi-token", "pypi-", String.raw`AgE[\w-]{50,}`],
  ["razorpay-key", "rzp_live_", "[A-Za-z0-9]{14}"],
  ["readme-key", "rdme_", "[a-z0-9]{70}"],
  ["render-key", "rnd_", "[A-Za-z0-9]{28,}"],
  ["replicate-token", "r8_", "[A-Za-z0-9]{37}"],
  ["rubygems-key", "rubygems_", "[a-f0-9]{48}"],
  ["scaleway-key", "SCW", "[A-Z0-9]{17}"],
  ["scalingo-token", "tk-us-", String.raw`[\w-]{48}`],
  ["sendgrid-key", "SG.", String.raw`[\w-]{16,32}\.[\w-]{16,64}`],
  ["sendinblue-key", "xkeysib-", String.raw`[a-f0-9]{64}-[A-Za-z0-9]{16}`],
  ["sentry-token", "sntrys_", "[A-Za-z0-9+/=_]{60,}"],
  ["sentry-token", "sntryu_", "[a-f0-9]{64}"],
  ["settlemint-token", "sm_aat_", "[A-Za-z0-9]{16}"],
  ["settlemint-token", "sm_pat_", "[A-Za-z0-9]{16}"],
  ["settlemint-token", "sm_sat_", "[A-Za-z0-9]{16}"],
  ["shippo-token", "shippo_live_", "[a-f0-9]{40}"],
  ["shippo-token", "shippo_test_", "[a-f0-9]{40}"],
  ["shopify-token", "shpat_", "[a-fA-F0-9]{32}"],
  ["shopify-token", "shpca_", "[a-fA-F0-9]{32}"],
  ["shopify-token", "shppa_", "[a-fA-F0-9]{32}"],
  ["shopify-token", "shpss_", "[a-fA-F0-9]{32}"],
  ["slack-token", "xox", String.raw`[abeoprs]-[\w-]{20,}`],
  ["slack-token", "xapp-", String.raw`\d-[A-Z0-9]+-\d+-[a-f0-9]{32,}`],
  ["sonar-token", "sqp_", "[a-f0-9]{40}"],
  ["sonar-token", "squ_", "[a-f0-9]{40}"],
  ["sonar-token", "sqa_", "[a-f0-9]{40}"],
  ["sourcegraph-token", "sgp_", "[A-Za-z0-9_]{40,}"],
  ["square-token", "sq0atp-", String.raw`[\w-]{22}`],
  ["square-token", "sq0csp-", String.raw`[\w-]{43}`],
  ["square-token", "EAAA", String.raw`[\w-]{60}`],
  ["stripe-key", "sk_live_", "[0-9A-Za-z]{16,}"],
  ["stripe-key", "sk_test_", "[0-9A-Za-z]{16,}"],
  ["stripe-key", "rk_live_", "[0-9A-Za-z]{16,}"],
  ["stripe-key", "rk_test_", "[0-9A-Za-z]{16,}"],
  ["stripe-webhook-secret", "whsec_", "[A-Za-z0-9+/]{32,}"],
  ["supabase-token", "sbp_", "[a-f0-9]{40}"],
  ["supabase-token", "sb_secret_", String.raw`[\w-]{20,}`],
  ["tailscale-key", "tskey-", String.raw`[a-z]+-[A-Za-z0-9]+(?:-[A-Za-z0-9]+)?`],
  ["tavily-key", "tvly-", String.raw`(?:dev-|prod-)?[A-Za-z0-9]{32}`],
  ["terraform-token", "atlasv1.", String.raw`[\w-]{60,}`],
  ["together-key", "tgp_v1_", String.raw`[\w-]{43}`],
  ["twilio-key", "SK", "[0-9a-f]{32}"],
  ["typeform-token", "tfp_", String.raw`[\w.-]{59}`],
  ["vault-token", "hvs.", String.raw`[\w-]{24,}`],
  ["vault-token", "hvb.", String.raw`[\w-]{24,}`],
  ["vault-token", "hvr.", String.raw`[\w-]{24,}`],
  ["vault-token", "s.", String.raw`(?=\w*\d)(?=\w*[A-Z])(?=\w*[a-z])[A-Za-z0-9]{24}`],
  ["xai-key", "xai-", "[A-Za-z0-9]{70,}"],
  ["yandex-cloud-key", "AQVN", String.raw`[\w-]{35,38}`],
  ["yandex-cloud-key", "YC", String.raw`(?=[\w-]*\d)[a-zA-Z0-9_-]{38}`],
];

/** Kinds that `pollux secrets` can name, in alphabetical order. */
export const TOKEN_KINDS: readonly string[] = [
  ...new Set(FORMATS.map(([kind]) => kind)),
].toSorted();

interface Follow {
  kind: string;
  begin: string;
  rest: RegExp;
}

/** Formats to try after each prefix, including those with a shorter prefix (`sk-ant-`, `sk-`). */
const FOLLOWS = new Map<string, Follow[]>();
for (const [, prefix] of FORMATS)
  FOLLOWS.set(
    prefix,
    FORMATS.flatMap((item) => followOf(item, prefix)),
  );

function followOf([kind, begin, rest]: TokenFormat, prefix: string): Follow[] {
  if (!prefix.startsWith(begin)) return [];
  return [{ kind, begin, rest: new RegExp(`${rest}${WORD_END}`, "y") }];
}

/** Any prefix, longest first. */
const BEGINNING = new RegExp(
  [...FOLLOWS.keys()]
    .toSorted((a, b) => b.length - a.length)
    .map((prefix) => prefix.replace(/[.*+?^${}()|[\]\\/]/g, String.raw`\$&`))
    .join("|"),
  "g",
);

/** Google keys are found inside words, too: `xAIzaSy…`. */
const INSIDE_WORDS = "AIza";

export function scanTokens(text: string): FoundSecret[] {
  const found: FoundSecret[] = [];
  for (const { 0: prefix, index } of text.matchAll(BEGINNING)) {
    if (prefix !== INSIDE_WORDS && !isWordStart(text, index)) continue;
    for (const { kind, begin, rest } of FOLLOWS.get(prefix) ?? []) {
      rest.lastIndex = index + begin.length;
      const body = rest.exec(text)?.[0];
      if (body === undefined || !hasVariety(body)) continue;
      found.push({ kind, value: begin + body, start: index });
      break;
    }
  }
  return found;
}

/** Rejects examples such as `xxxxxxxx` and `0000…`: generated values have many characters. */
function hasVariety(body: string): boolean {
  return new Set(body).size >= Math.min(6, body.length / 3);
}
