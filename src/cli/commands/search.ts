import type { SearchAnswer, SearchPlace } from "../../queries/search/search.ts";
import { SEARCH_PLACES } from "../../queries/search/search.ts";
import type { Command } from "../command.ts";
import { EXIT } from "../exit.ts";
import { FILTER_OPTIONS, filterOf } from "../options/filter.ts";
import { PAGER_OPTION, paged } from "../pager.ts";
import { emptyLinesOf } from "../print/empty.ts";
import { writeJson } from "../print/json.ts";
import { searchLines } from "../print/search.ts";

export const command: Command = {
  about:
    'Finds texts with all words, in any order; "quoted phrases" match exactly, begin* matches a ' +
    "prefix. Combine with AND, OR, NOT and parentheses. Case and accents are ignored. Rewound " +
    "messages are found, too, and marked.",
  arguments: [{ name: "<query...>", about: "what to search for" }],
  options: [
    {
      flags: "--in <where>",
      about: "search only there (repeatable)",
      choices: SEARCH_PLACES,
      isRepeatable: true,
    },
    ...FILTER_OPTIONS.filter(({ flags }) => !flags.startsWith("--kind")),
    { flags: "--kind <kind>", about: "only of this kind", choices: ["main", "subagent"] },
    { flags: "-n, --limit <count>", about: "show at most this many matches (default: 20)" },
    PAGER_OPTION,
  ],
  examples: [
    { line: "search orders table", about: "matches with both words" },
    { line: `search '"orders table" NOT cookie'`, about: "a phrase, excluding a word" },
    { line: "search migra* --in prompts --since 30d", about: "only in prompts" },
    { line: "search 函数 -p api --json", about: "for programs" },
  ],
  async run(context) {
    const places = context.options.list("in").filter(isPlace);
    const library = await context.library();
    const answer = await library.search(context.args.join(" "), {
      ...(places.length > 0 ? { in: places } : {}),
      filter: filterOf(context.options),
    });
    await print(answer);
    return EXIT.ok;

    async function print(found: SearchAnswer): Promise<void> {
      if (context.isJson) return writeJson(context.out, found);
      const isNone = found.hits.length === 0;
      const none = isNone ? await emptyLinesOf(library, context.style) : undefined;
      const lines = none ?? searchLines(found, context);
      return paged(context, async (out) => out.write(`${lines.join("\n")}\n`));
    }
  },
};

function isPlace(text: string): text is SearchPlace {
  return SEARCH_PLACES.some((place) => place === text);
}
