import type { SecretFinding, SecretPlace, SecretsAnswer } from "../../queries/secrets.ts";
import type { Command, Context } from "../command.ts";
import { EXIT } from "../exit.ts";
import { namedSessions } from "../options/agent.ts";
import { FILTER_OPTIONS, filterOf, LIMIT_OPTION } from "../options/filter.ts";
import { emptyLinesOf } from "../print/empty.ts";
import { counted } from "../print/figures.ts";
import { writeJson } from "../print/json.ts";
import { homePath } from "../print/path.ts";
import { safeLine } from "../print/safe.ts";

export const command: Command = {
  about:
    "Searches prompts, answers, tool calls and their output, in sessions, saved chats and " +
    "prompt logs. Secrets are never printed, only their kind and location.",
  arguments: [
    { name: "[ids...]", about: "session ids or unique prefixes, or latest (default: all)" },
  ],
  options: [
    { flags: "-a, --all", about: "list every location, not only the first few" },
    ...FILTER_OPTIONS,
    LIMIT_OPTION,
  ],
  examples: [
    { line: "secrets", about: "search everything" },
    { line: "secrets latest --all", about: "the latest session, with every location" },
    { line: "secrets --since 7d --json", about: "the last week, as JSON" },
  ],
  async run(context) {
    const { options, isJson, out } = context;
    const filter = filterOf(options);
    const isFiltered = Object.keys(filter).length > 0;
    const ids = namedSessions(context);
    const which = ids.length > 0 ? { ids } : isFiltered ? { filter } : {};
    const library = await context.library();
    const answer = await library.secrets(which);
    if (isJson) {
      await writeJson(out, answer);
      return EXIT.ok;
    }
    const none = answer.sessions === 0 ? await emptyLinesOf(library, context.style) : undefined;
    for (const line of none ?? linesOf(answer, context)) await out.line(line);
    return EXIT.ok;
  },
};

const FEW = 3;

function linesOf({ secrets, sessions }: SecretsAnswer, context: Context): string[] {
  const looked = `Searched ${counted(sessions, "session")}.`;
  const { style } = context;
  if (secrets.length === 0) return ["No secrets were found.", style.dim(looked)];
  return [
    ...secrets.flatMap((finding) => findingLines(finding, context)),
    "",
    `${counted(secrets.length, "secret")}. ${looked}`,
    style.dim(
      "Exports with --redact mask them. Revoke and replace secrets that appear in sessions.",
    ),
  ];
}

function findingLines(finding: SecretFinding, { style, options }: Context): string[] {
  const { mask, hint, length, places } = finding;
  const shown = options.has("all") ? places : places.slice(0, FEW);
  const more = places.length - shown.length;
  return [
    `${style.yellow(safeLine(mask))}  ${safeLine(hint)} (${counted(length, "character")})`,
    ...shown.map((place) => `  ${placeLine(place)}`),
    ...(more > 0 ? [style.dim(`  … ${counted(more, "more location")}: --all lists them`)] : []),
  ];
}

function placeLine({ sessionId, field, records }: SecretPlace): string {
  const [record] = records;
  const where = record === undefined ? "" : `  ${homePath(record.file)}:${record.line}`;
  return `${safeLine(sessionId.slice(0, 8))}  ${safeLine(field)}${where}`;
}
