// Measures the web server: startup time, and memory and CPU while idle.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { run } from "./measure.mjs";

const MESSAGES = 100_000;
const SETTLE_MS = 18_000;
const IDLE_MS = 10_000;

/** Starts it with one long session, sends a browser's first requests, and observes it idle. */
export async function measureServer(program, folder) {
  const env = { PATH: process.env.PATH, HOME: folder, POLLUX_HOME: join(folder, "pollux") };
  mkdirSync(folder);
  const id = longSession(folder);
  const kept = await run([process.execPath, program, "keep"], env, folder);
  if (kept.code !== 0) throw new Error(`keep ended with ${kept.code}.`);
  const began = performance.now();
  const args = [program, "serve", "--port", "0", "--json"];
  const child = spawn(process.execPath, args, { env, stdio: ["ignore", "pipe", "inherit"] });
  try {
    const { url } = await firstAnswer(child);
    await ask(url, "");
    const startMs = performance.now() - began;
    for (const path of ["api/about", "api/overview", "api/sessions", `api/sessions/${id}`]) {
      await ask(url, path);
    }
    // It releases memory soon after the last request.
    await wait(SETTLE_MS);
    const before = usedBy(child.pid);
    await wait(IDLE_MS);
    const after = usedBy(child.pid);
    const cpuMs = after.cpuMs - before.cpuMs;
    return { startMs, megabytes: after.megabytes, cpuMs, idleMs: IDLE_MS, messages: MESSAGES };
  } finally {
    child.kill();
    // It writes its cache of compiled code when it ends.
    await once(child, "exit");
    rmSync(folder, { recursive: true, force: true });
  }
}

function longSession(folder) {
  const id = "10000000-0000-4000-8000-000000000000";
  const chats = join(folder, ".gemini", "tmp", "app", "chats");
  mkdirSync(chats, { recursive: true });
  const at = (n) => new Date(Date.UTC(2026, 9, 1) + n * 1000).toISOString();
  const head = { sessionId: id, projectHash: "h", startTime: at(0), lastUpdated: at(0) };
  const lines = [JSON.stringify(head)];
  for (let n = 0; n < MESSAGES; n += 2) {
    const words = `Message ${n} of a conversation that does not end. `.repeat(8);
    lines.push(message(n, at(n), { type: "user", content: [{ text: words }] }));
    const tokens = { input: n, output: 5, cached: 0, thoughts: 0, tool: 0, total: n + 5 };
    const reply = { type: "gemini", content: words, tokens, model: "gemini-2.5-flash" };
    lines.push(message(n + 1, at(n + 1), reply));
  }
  writeFileSync(join(chats, "session-2026-10-01T00-00-10000000.jsonl"), `${lines.join("\n")}\n`);
  return id;
}

function message(n, timestamp, more) {
  return JSON.stringify({ id: `m${n}`, timestamp, ...more });
}

/** It prints its address as JSON. */
export function firstAnswer(child) {
  return new Promise((resolve, reject) => {
    let text = "";
    child.on("error", reject);
    child.on("exit", (code) => reject(new Error(`The server ended with ${code}.`)));
    child.stdout.on("data", (chunk) => {
      text += chunk;
      if (text.includes("\n")) resolve(JSON.parse(text));
    });
  });
}

/** The token is in the URL's fragment, which is not sent; the page sends it in a header. */
export async function ask(url, path) {
  const token = new URL(url).hash.replace("#token=", "");
  const headers = { authorization: `Bearer ${token}` };
  const answer = await fetch(new URL(path, url), { headers });
  const text = await answer.text();
  if (!answer.ok) throw new Error(`${path || "the page"}: ${answer.status}: ${text}`);
}

/** From /proc on Linux; elsewhere unknown. */
export function usedBy(pid) {
  try {
    const status = readFileSync(`/proc/${pid}/status`, "utf8");
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8").split(") ").at(-1)?.split(" ") ?? [];
    const megabytes = Number(/VmRSS:\s+(\d+)/.exec(status)?.[1]) / 1024;
    return { megabytes, cpuMs: (Number(stat[11]) + Number(stat[12])) * 10 };
  } catch {
    return { megabytes: Number.NaN, cpuMs: Number.NaN };
  }
}
