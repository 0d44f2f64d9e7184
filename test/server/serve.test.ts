import { writeFileSync } from "node:fs";
import { connect } from "node:net";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { versioned } from "../../src/core/schema-version.ts";
import { serve } from "../../src/server/serve.ts";
import { homeWith } from "../samples/home.ts";
import { AGENT_ID, TOUR_HOME, TOUR_ID } from "../samples/tour.ts";
import type { TestResponse } from "./samples.ts";
import { ask, NOW, openHome, started, tour, webFolder } from "./samples.ts";

describe("answers of the HTTP API", () => {
  test("equal the library's: sessions, transcript, usage, tools, doctor, overview, explain", async () => {
    const { folder, get } = await tour();
    const library = openHome(folder);
    const answers: [string, unknown][] = [
      ["/api/sessions", await library.sessions()],
      [`/api/sessions/${TOUR_ID}`, await library.transcript(TOUR_ID)],
      ["/api/usage?by=day&timezone=UTC", await library.usage({ by: ["day"], timezone: "UTC" })],
      ["/api/usage?by=month,model", await library.usage({ by: ["month", "model"] })],
      ["/api/tools?project=ledger", await library.tools({ project: "ledger" })],
      ["/api/tools?files=1", await library.tools({ files: 1 })],
      ["/api/doctor", await library.doctor(NOW)],
      ["/api/overview?timezone=UTC", await library.overview(NOW, "UTC")],
      [`/api/explain/${TOUR_ID}`, await library.explain(TOUR_ID)],
    ];
    for (const [path, expected] of answers) {
      const got = await get(path);
      expect(got.status, path).toBe(200);
      expect(got.json(), path).toEqual(versioned(JSON.parse(JSON.stringify(expected))));
    }
  });

  test("come in pages for lists and transcripts", async () => {
    const { get } = await tour();
    const list = await get("/api/sessions?limit=1&offset=1");
    expect(list.headers["x-total-count"]).toBe("2");
    expect(list.json()).toMatchObject({ sessions: [{ kind: expect.any(String) }] });
    const page = await get(`/api/sessions/${TOUR_ID}?offset=2&limit=3`);
    expect(Number(page.headers["x-total-count"])).toBeGreaterThan(5);
    expect((page.json() as { messages: unknown[] }).messages).toHaveLength(3);
  });

  test("are null or 409, not 500, for a session that cannot be resumed or restored", async () => {
    const { port, token, get } = await tour();
    const whole = await get(`/api/sessions/${TOUR_ID}/resume`);
    expect(whole.json()).toMatchObject({ command: expect.any(Array) });
    const agent = await get(`/api/sessions/${AGENT_ID}/resume`);
    expect([agent.status, agent.json()]).toEqual([200, null]);
    expect((await get("/api/sessions/none/resume")).status).toBe(404);
    const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" };
    const path = `/api/sessions/${AGENT_ID}/restore`;
    const put = await ask({ port, path, headers, method: "POST", body: '{"confirm":true}' });
    expect(put.status).toBe(409);
    expect(put.json()).toMatchObject({ error: { code: "agent-session" } });
  });

  test("are 400 for an incomplete query", async () => {
    const { get } = await tour();
    const got = await get("/api/search?q=%22half");
    expect([got.status, got.json()]).toMatchObject([400, { error: { code: "bad-query" } }]);
  });

  test("list sessions ordered by cost", async () => {
    const { get } = await tour();
    const order = async (query: string): Promise<string[]> => {
      const { sessions } = (await get(`/api/sessions?${query}`)).json() as {
        sessions: { id: string }[];
      };
      return sessions.map(({ id }) => id);
    };
    const down = await order("order=cost");
    expect(down).toHaveLength(2);
    expect(await order("order=cost&direction=up")).toEqual(down.toReversed());
    const costs = (await get(`/api/costs?ids=${down.join(",")}`)).json() as {
      costs: { costMicroUsd: number }[];
    };
    expect(costs.costs[0]?.costMicroUsd).toBeGreaterThan(costs.costs[1]?.costMicroUsd ?? 0);
  });

  test("name the sessions that will be lost", async () => {
    const { get, folder } = await tour();
    const atRisk = async (): Promise<unknown> => {
      return (await get(`/api/at-risk?ids=${TOUR_ID},other`)).json();
    };
    const lost = [{ source: "gemini-cli", id: TOUR_ID }];
    expect(await atRisk()).toMatchObject({ sessions: lost });
    const settings = JSON.stringify({ general: { sessionRetention: { enabled: false } } });
    writeFileSync(join(folder, ".gemini", "settings.json"), settings);
    expect(await atRisk()).toMatchObject({ sessions: [] });
  });

  test("contain the raw entry of a message as it is in the file", async () => {
    const { get } = await tour();
    const got = (await get(`/api/sessions/${TOUR_ID}/entries/u1`)).json() as {
      entries: { text: string; line: number }[];
    };
    expect(got.entries[0]?.line).toBe(2);
    expect(JSON.parse(got.entries[0]?.text ?? "")).toMatchObject({ id: "u1", type: "user" });
  });

  test("contain hits of a search with their messages", async () => {
    const { get } = await tour();
    const got = (await get("/api/search?q=reduce&in=answers")).json() as {
      hits: { sessionId: string; messageId: string; snippet: string }[];
    };
    expect(got.hits[0]).toMatchObject({ sessionId: TOUR_ID, messageId: "g2" });
    expect((await get("/api/search?q=reduce&in=pictures")).status).toBe(400);
    expect((await get("/api/search")).status).toBe(400);
  });

  test("contain a session as a file in an export format", async () => {
    const { get } = await tour();
    const file = await get(`/api/export/markdown?ids=${TOUR_ID}`);
    expect(file.headers["content-disposition"]).toMatch(/^attachment; filename="[\w.-]+\.md"$/);
    expect(file.text).toContain("Why does total() fail");
    expect((await get(`/api/export/papyrus?ids=${TOUR_ID}`)).status).toBe(404);
    expect((await get("/api/export/markdown")).status).toBe(400);
    const { exports } = (await get("/api/exports")).json() as { exports: { name: string }[] };
    expect(exports.map(({ name }) => name)).toContain("html");
  });

  test("to requests that change the disk need a confirmation", async () => {
    const { get, token } = await tour();
    const path = `/api/sessions/${TOUR_ID}/restore`;
    expect((await get(path)).status).toBe(405);
    const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" };
    const post = (body: string, type = headers["content-type"]): Promise<TestResponse> =>
      get(path, { method: "POST", headers: { ...headers, "content-type": type }, body });
    for (const body of ["", "{}", '{"confirm":"yes"}', '{"confirm":true,"x":1}']) {
      expect((await post(body)).json()).toMatchObject({ error: { code: "not-confirmed" } });
    }
    expect((await post('{"confirm":true}', "text/plain")).status).toBe(400);
    const done = await post('{"confirm":true}');
    expect(done.json()).toMatchObject({ sessionId: TOUR_ID, outcome: "unchanged" });
  });

  test("have a status, a code and a message for errors", async () => {
    const { get } = await tour();
    const cases: [string, number, string][] = [
      ["/api/sessions/nobody", 404, "no-such-session"],
      [`/api/sessions/${TOUR_ID}/entries/nobody`, 404, "no-such-message"],
      ["/api/sessions?limit=many", 400, "wrong-usage"],
      ["/api/usage?by=moon", 400, "wrong-usage"],
      ["/api/usage?since=soon", 400, "wrong-usage"],
      ["/api/usage?timezone=Moon/Crater", 400, "wrong-usage"],
      ["/api/nothing", 404, "no-such-question"],
      ["/api", 404, "no-such-question"],
      ["/api/login", 405, "wrong-method"],
    ];
    for (const [path, status, code] of cases) {
      const got = await get(path);
      expect(got.status, path).toBe(status);
      expect(got.json(), path).toMatchObject({ error: { code } });
    }
  });
});

describe("admission of requests", () => {
  test("accepts only requests with the token, our host name and our origin", async () => {
    const { port, token } = await tour();
    const authorization = `Bearer ${token}`;
    const host = `127.0.0.1:${port}`;
    const cases: [Record<string, string>, number][] = [
      [{ host, authorization }, 200],
      [{ host: `localhost:${port}`, authorization }, 200],
      [{ host, authorization, origin: `http://${host}`, "sec-fetch-site": "same-origin" }, 200],
      [{ host }, 401],
      [{ host, authorization: `Bearer ${token}x` }, 401],
      [{ host, authorization: token }, 401],
      [{ host: "evil.example", authorization }, 403],
      [{ host: `evil.example:${port}`, authorization }, 403],
      [{ host: "127.0.0.1", authorization }, 403],
      [{ host, authorization, origin: "http://evil.example" }, 403],
      [{ host, authorization, origin: "null" }, 403],
      [{ host, authorization, "sec-fetch-site": "cross-site" }, 403],
    ];
    for (const [headers, status] of cases) {
      const got = await ask({ port, path: "/api/about", headers });
      expect(got.status, JSON.stringify(headers)).toBe(status);
    }
  });

  test("uses a new token at every start", async () => {
    const { folder } = homeWith(TOUR_HOME);
    const [first, second] = [await started(folder), await started(folder)];
    expect(first.token).not.toBe(second.token);
    expect(first.token.length).toBeGreaterThanOrEqual(32);
  });

  test("refuses other methods, malformed requests and paths outside the folder", async () => {
    const { port, get } = await tour();
    expect((await get("/api/sessions", { method: "HEAD" })).text).toBe("");
    expect((await get("/api/sessions", { method: "HEAD" })).status).toBe(200);
    const options = await get("/api/sessions", { method: "OPTIONS" });
    expect(options.status).toBe(204);
    expect(options.headers["allow"]).toBe("GET, HEAD, OPTIONS");
    expect(options.headers["access-control-allow-origin"]).toBeUndefined();
    for (const method of ["POST", "PUT", "DELETE", "PATCH", "TRACE"]) {
      expect((await get("/api/sessions", { method })).status, method).toBe(405);
    }
    expect((await get("/api/sessions/%E0%A4%A")).status).toBe(400);
    expect((await get("//evil.example/api/about")).status).toBe(400);
    expect((await get(`/api/sessions?q=${"x".repeat(5000)}`)).status).toBe(414);
    const outside = ["/../package.json", "/..%2f..%2fpackage.json", "/assets/../../pollux.js"];
    for (const path of outside) {
      const got = await get(path);
      expect(got.text, path).not.toContain("devDependencies");
      expect(got.text, path).not.toContain("import");
    }
    expect(await garbage(port)).toMatch(/^HTTP\/1\.1 400 /);
  });

  test("limits the rate of requests", async () => {
    const { get } = await tour();
    const statuses = new Set<number>();
    for (let at = 0; at < 450; at += 1) statuses.add((await get("/api/nothing")).status);
    expect(statuses).toEqual(new Set([404, 429]));
  });

  test("sends headers that forbid pages to run, load or send anything foreign", async () => {
    const { get } = await tour();
    const { headers } = await get("/api/about");
    const policy = String(headers["content-security-policy"]);
    expect(policy).toContain("default-src 'none'");
    expect(policy).toContain("img-src 'self' data:");
    expect(policy).not.toMatch(/unsafe|https?:/);
    expect(headers["x-content-type-options"]).toBe("nosniff");
    expect(headers["referrer-policy"]).toBe("no-referrer");
  });
});

describe("serving the network", () => {
  test("needs a password", async () => {
    const { folder } = homeWith(TOUR_HOME);
    await expect(started(folder, { host: "0.0.0.0" })).rejects.toMatchObject({
      code: "wrong-usage",
      remedy: expect.stringContaining("POLLUX_PASSWORD"),
    });
  });

  test("refuses a short password", async () => {
    const { folder } = homeWith(TOUR_HOME);
    for (const host of ["0.0.0.0", "127.0.0.1"]) {
      await expect(started(folder, { host, password: "seven77" })).rejects.toMatchObject({
        code: "wrong-usage",
        remedy: expect.stringContaining("at least 8 characters"),
      });
    }
  });

  test("exchanges the password for the token, and limits guesses", async () => {
    const { folder } = homeWith(TOUR_HOME);
    const { port, token } = await started(folder, { host: "0.0.0.0", password: "open sesame" });
    const login = (body: string): Promise<TestResponse> =>
      ask({ port, path: "/api/login", method: "POST", body });
    expect((await ask({ port, path: "/api/about" })).json()).toMatchObject({
      error: { code: "password-needed" },
    });
    expect((await login("open sesame")).json()).toEqual({ token });
    expect((await login("x".repeat(20_000))).status).toBe(413);
    // The oversized password counts as a guess, too.
    for (let at = 0; at < 9; at += 1) expect((await login(`guess ${at}`)).status).toBe(401);
    expect((await login("open sesame")).status).toBe(429);
  });
});

describe("stopping the server", () => {
  test("takes effect at once without open requests, and frees the port", async () => {
    const { folder } = homeWith(TOUR_HOME);
    const options = { now: () => NOW, host: "127.0.0.1", webFolder, version: "0.0.0" };
    const open = async () => openHome(folder);
    const first = await serve({ ...options, open, port: 0 });
    await expect(serve({ ...options, open, port: first.port })).rejects.toMatchObject({
      code: "port-taken",
    });
    await first.stop();
    const second = await serve({ ...options, open, port: first.port });
    await second.stop();
  });
});

function garbage(port: number): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, "127.0.0.1", () => socket.write("\x16\x03\x01 hello\r\n\r\n"));
    let heard = "";
    socket.on("data", (chunk) => (heard += chunk.toString("latin1")));
    socket.on("close", () => resolve(heard));
    socket.on("error", reject);
  });
}
