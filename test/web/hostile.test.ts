// @module-tag slow
import { describe, expect, test } from "vitest";
import { header, homeWith, jsonl, model, user } from "../samples/home.ts";
import { HOSTILE_HOME, HOSTILE_ID } from "../samples/hostile.ts";
import { MISSING, visitorOf } from "./visit.ts";

const ATTACKS: readonly string[] = [
  "<script>window.pwned = 1</script>",
  "<img src=x onerror='window.pwned = 1'>",
  "<svg onload='window.pwned = 1'><script>window.pwned = 1</script></svg>",
  "<style>body { display: none }</style><link rel=stylesheet href=http://evil.example/x.css>",
  "<iframe src='http://evil.example'></iframe><base href='http://evil.example/'>",
  "![x](http://evil.example/pixel.png) ![y](javascript:window.pwned=1)",
  "[click](javascript:window.pwned=1) [data](data:text/html,<script>window.pwned=1</script>)",
  "<http://evil.example/auto> [x]: http://evil.example",
  "```html\n<img src=x onerror=window.pwned=1>\n```",
  '```"><img src=x onerror=window.pwned=1>\ncode\n```',
  "\x1b]0;title\x07\x1b[31mred\x1b[0m\x1b]8;;http://evil.example\x07link\x1b]8;;\x07",
  "safe \u202etxt.exe\u202c after \u2066 isolate",
  `${"x".repeat(300_000)} end of a giant line`,
  "<form action=http://evil.example><button>send</button></form>",
  '# <a href="javascript:window.pwned=1">heading</a>',
  "| <img src=x onerror=window.pwned=1> | b |\n|---|---|\n| `<b>` | **x** |",
  "<template><script>window.pwned = 1</script></template>",
  "<noscript><p title='</noscript><img src=x onerror=window.pwned=1>'>",
  "<math><mtext><table><mglyph><style><!--</style><img title='--><img src=x onerror=pwned=1>'>",
];

const ID = "0badc0de-0000-4000-8000-000000000001";

function attack(text: string, at: number): object[] {
  const call = {
    id: `call${at}`,
    name: text.slice(0, 60),
    args: { command: text, [text.slice(0, 40)]: text },
    result: [{ functionResponse: { id: `call${at}`, name: "x", response: { output: text } } }],
    status: "success",
    resultDisplay: text,
    description: text,
  };
  const thoughts = [{ subject: text.slice(0, 200), description: text }];
  return [
    user(`u${at}`, at * 10, text),
    model(`g${at}`, at * 10 + 1, { text, thoughts, toolCalls: [call] }),
  ];
}

describe.skipIf(MISSING !== undefined)(`hostile transcripts (${MISSING ?? "Chromium"})`, () => {
  test("nothing runs, loads, submits or changes the page", async () => {
    const records = ATTACKS.flatMap(attack);
    const summary = { $set: { summary: ATTACKS[1] } };
    const { folder } = homeWith({
      "chats/session-2026-02-10T17-28-0badc0de.jsonl": jsonl(header(ID), ...records, summary),
    });
    const { page, visit } = await visitorOf(folder);
    for (const path of ["/?period=all", "/sessions", "/tools", `/sessions/${ID}`, "/doctor"]) {
      await visit(path);
    }
    await visit(`/sessions/${ID}`);
    await page.locator(".markdown").first().waitFor();
    await page.evaluate(`for (const one of document.querySelectorAll("details")) one.open = true;`);
    for (const turn of await page.locator(".turn").all()) await turn.scrollIntoViewIfNeeded();
    // All texts are rendered except the giant line, which stays plain text.
    await expect.poll(() => page.locator(".message.model > .said:not(.markdown)").count()).toBe(1);
    expect(await page.evaluate("window.pwned")).toBeUndefined();
    const foreign =
      "main :is(script, iframe, form[action], style, link, base, svg script, object, embed)";
    expect(await page.locator(foreign).count()).toBe(0);
    const handlers = `[...document.querySelectorAll("main *")].filter((one) =>
      [...one.attributes].some(({ name, value }) =>
        name.startsWith("on") || /^\\s*(javascript|data:text|vbscript)/i.test(value))).length`;
    expect(await page.evaluate(handlers)).toBe(0);
    const text = await page.evaluate<string>("document.body.innerText");
    expect(text).not.toMatch(/[\u202a-\u202e\u2066-\u2069\x1b\x07]/);
    expect(text).toContain("[U+202e]");
    const width = "document.documentElement.scrollWidth - document.documentElement.clientWidth";
    expect(await page.evaluate(width)).toBeLessThanOrEqual(0);
    expect(await page.title()).toContain("onerror");
  });

  test("the hostile session of the export tests is inert here, too", async () => {
    const { folder } = homeWith(HOSTILE_HOME);
    const { page, visit } = await visitorOf(folder);
    await visit(`/sessions/${HOSTILE_ID}?show=everything`);
    await page.locator(".message").first().waitFor();
    await page.evaluate(`for (const one of document.querySelectorAll("details")) one.open = true;`);
    await page.evaluate("window.scrollTo(0, document.body.scrollHeight)");
    await page.locator(".markdown").first().waitFor();
    expect(await page.evaluate("window.pwned")).toBeUndefined();
  });
});
