import { expect, test } from "vitest";
import { header, homeWith, jsonl, model, user } from "../samples/home.ts";
import { ask, started } from "./samples.ts";

const KEY = `AI${"za"}SyA1b2C3d4E5f6G7h8I9j0K1l2M3n4O5p6Q`;
const OTHER = `gh${"p"}_A1b2C3d4E5f6G7h8I9j0K1l2M3n4O5p6Q7r8`;
const ID = "77777777-0000-4000-8000-000000000000";

test("answers are masked on request, and a secret has the same mask on every page", async () => {
  const { folder } = homeWith({
    "chats/session-2026-02-10T17-28-77777777.jsonl": jsonl(
      header(ID),
      user("u1", 1, `My key is ${KEY}, the other ${OTHER}`),
      model("g1", 2, { text: `I shall not tell anybody about ${OTHER}.` }),
    ),
  });
  const { port, token } = await started(folder);
  const headers = { authorization: `Bearer ${token}` };
  const get = async (path: string): Promise<string> => (await ask({ port, path, headers })).text;
  for (const path of [`/api/sessions/${ID}`, "/api/sessions", "/api/search?q=key"]) {
    const between = path.includes("?") ? "&" : "?";
    const masked = await get(`${path}${between}mask=secrets`);
    expect(masked, path).not.toContain(KEY);
    expect(masked, path).toContain("[secret:google-api-key#1]");
    expect(await get(path), path).toContain(KEY);
  }
  const page = await get(`/api/sessions/${ID}?offset=1&mask=secrets`);
  expect(page).toContain("anybody about [secret:github-token#1].");
  const wrong = await ask({ port, path: "/api/sessions?mask=everything", headers });
  expect(wrong.status).toBe(400);
});

test("marks of a hit are correct after masking", async () => {
  const { folder } = homeWith({
    "chats/session-2026-02-10T17-28-77777777.jsonl": jsonl(
      header(ID),
      user("u1", 1, `${KEY} is the key, and the word is xylophone`),
    ),
  });
  const { port, token } = await started(folder);
  const headers = { authorization: `Bearer ${token}` };
  const path = "/api/search?q=xylophone&in=prompts&mask=secrets";
  const { hits } = JSON.parse((await ask({ port, path, headers })).text) as {
    hits: { snippet: string; marks: [number, number][] }[];
  };
  const [{ snippet, marks } = { snippet: "", marks: [] }] = hits;
  expect(marks.map(([from, to]) => snippet.slice(from, to))).toEqual(["xylophone"]);
});
