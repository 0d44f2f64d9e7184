import { call, header, jsonl, model, user } from "./home.ts";

/** Texts with which a model, a web page or a tool might attack a later reader. */
export const HOSTILE_ID = "66666666-0000-4000-8000-000000000000";

export const ATTACKS: readonly string[] = [
  `<script>globalThis.pwned = 1</script>`,
  `<img src="http://127.0.0.1:9/pixel.png" onerror="globalThis.pwned = 2">`,
  `<svg onload="globalThis.pwned = 3"><animate onbegin="globalThis.pwned = 3"/></svg>`,
  `<style>body { display: none } @import url(http://127.0.0.1:9/a.css);</style>`,
  `<link rel="stylesheet" href="http://127.0.0.1:9/b.css"><base href="http://127.0.0.1:9/">`,
  `<meta http-equiv="refresh" content="0; url=http://127.0.0.1:9/">`,
  `<iframe src="http://127.0.0.1:9/"></iframe><form action="http://127.0.0.1:9/"><input></form>`,
  `</div></details></pre></code></main><h1>Not ours</h1>`,
  `</summary></details><details open><summary>Not ours</summary>`,
  `--></style></script></title><script>globalThis.pwned = 4</script>`,
  `[click](javascript:globalThis.pwned=5) [x](JaVaScRiPt&#58;alert(1)) [d](data:text/html,x)`,
  `![tracker](http://127.0.0.1:9/t.png) ![ref][r]\n\n[r]: http://127.0.0.1:9/r.png`,
  `<javascript:alert(1)> <http://127.0.0.1:9/auto>`,
  "```html\n<script>globalThis.pwned = 6</script>\n```",
  '```"><script>globalThis.pwned=7</script>\ncode\n```',
  "`<b>code</b>` and ``<i>`more`</i>``",
  "```\nnever closed <script>globalThis.pwned = 8</script>",
  "\u001b[31mred\u001b[0m \u001b]0;title\u0007 \u001b]52;c;c2VjcmV0\u0007 \u009b31m \u0090q\u009c",
  "safe \u202egnp.exe\u202c and \u2066isolated\u2069",
  "# Heading\n\nText\n===\n\nMore\n---\n\n| a | b |\n| :-: | --: |\n| <b>x</b> | y |",
  `=cmd|'/c calc'!A1`,
  `"quote" & 'quote' &amp; &lt;b&gt;`,
  "lone \ud83d surrogate, nul \u0000, separators \u2028 \u2029",
];

const ALL = ATTACKS.join("\n\n");

const DIFF = `--- a
+++ b
@@ -1,1 +1,2 @@
-</pre><script>globalThis.pwned = 9</script>
+${ATTACKS[2]}
`;

const HOSTILE: string = jsonl(
  header(HOSTILE_ID, { summary: ATTACKS.slice(0, 10).join(" ") }),
  ...ATTACKS.flatMap((attack, n) => [
    user(`u${n}`, n * 2, attack),
    model(`g${n}`, n * 2 + 1, attack),
  ]),
  user("all", 100, {
    text: `see @${ATTACKS[0]}\n--- Content from referenced files ---`,
    displayContent: [{ text: ALL }],
  }),
  user("files", 101, {
    content: [
      { text: "Read @x" },
      { text: "\n--- Content from referenced files ---" },
      { text: `\nContent from @${ATTACKS[1]}.html:\n` },
      { text: ALL },
      { text: "\n--- End of content ---" },
      {
        inlineData: {
          mimeType: `image/svg+xml"><script>globalThis.pwned=10</script>`,
          data: "AAAA",
        },
      },
    ],
  }),
  { id: "notice", timestamp: "2026-02-10T17:30:00.000Z", type: "error", content: ALL },
  model("thinking", 130, {
    text: ALL,
    model: `${ATTACKS[0]}\u001b[31m`,
    thoughts: [{ subject: ATTACKS[8], description: ALL }],
    toolCalls: [
      call(`id${ATTACKS[0]}`, `tool${ATTACKS[1]}`, {
        args: { [ALL]: ALL, file_path: ATTACKS[7] },
        output: ALL,
        description: ALL,
        displayName: ALL,
      }),
      call("diff", "replace", {
        args: { file_path: `/x/${ATTACKS[0]}.ts`, old_string: "a", new_string: "b" },
        output: ALL,
        resultDisplay: { fileDiff: DIFF, fileName: ATTACKS[0], filePath: `/x/${ATTACKS[2]}` },
      }),
      call("todo", "write_todos", {
        args: {},
        output: "",
        resultDisplay: { todos: [{ description: ALL, status: ATTACKS[0] }] },
      }),
      call("sh", "run_shell_command", { args: { command: ALL }, error: ALL, status: "error" }),
    ],
  }),
);

export const HOSTILE_HOME: Record<string, string> = {
  "chats/session-2026-02-10T17-28-66666666.jsonl": HOSTILE,
};
