import { existsSync } from "node:fs";
import { join } from "node:path";
import type { Browser, Page } from "playwright-core";
import { expect, onTestFinished } from "vitest";
import { findChromium, NO_CHROMIUM, startChromium } from "../browser/chromium.ts";
import type { RunningServer, ServeOptions } from "../../src/server/serve.ts";
import { started, webFolder } from "../server/samples.ts";

const executable = findChromium();
const isBuilt = existsSync(join(webFolder, "index.html"));
/** The reason if browser tests cannot run. */
export const MISSING: string | undefined = missing();

function missing(): string | undefined {
  if (executable === undefined) return NO_CHROMIUM;
  return isBuilt ? undefined : "the web app is not built: npm run build";
}

/** Shared by all test files; it ends with the process. */
let browser: Promise<Browser> | undefined;

export interface Visit {
  page: Page;
  server: RunningServer & { token: string };
  origin: string;
  /** Opens a page of the app and waits until it has settled. */
  visit: (path: string) => Promise<void>;
  /** Errors and warnings of the page and the server so far. */
  complaints: string[];
}

export interface Visitor {
  colorScheme?: "light" | "dark";
  width?: number;
  locale?: string;
  /** Headers that a proxy would add to every request. */
  headers?: Record<string, string>;
  /** Expected complaints. */
  expects?: RegExp;
  serve?: Partial<ServeOptions>;
}

/**
 * Opens the app in a new browser context. Unexpected complaints and foreign requests fail the test.
 */
export async function visitorOf(folder: string, how: Visitor = {}): Promise<Visit> {
  const complaints: string[] = [];
  const report = (error: unknown): void => {
    complaints.push(error instanceof Error ? (error.stack ?? error.message) : String(error));
  };
  const server = await started(folder, { report, ...how.serve });
  const { origin } = new URL(server.url);
  const { page, visit } = await pageAt(origin, how, complaints);
  await page.goto(server.url);
  return { page, server, origin, visit, complaints };
}

/** The same for a server that is already running. */
export async function pageAt(
  origin: string,
  how: Visitor,
  complaints: string[],
): Promise<Pick<Visit, "page" | "visit">> {
  browser ??= startChromium(executable ?? "");
  const context = await (
    await browser
  ).newContext({
    viewport: { width: how.width ?? 1280, height: 900 },
    colorScheme: how.colorScheme ?? "light",
    locale: how.locale ?? "en-GB",
    timezoneId: "Europe/Berlin",
    extraHTTPHeaders: how.headers ?? {},
  });
  onTestFinished(() => context.close());
  const page = await context.newPage();
  page.on("console", (message) => {
    if (["error", "warning"].includes(message.type())) complaints.push(message.text());
  });
  page.on("pageerror", (error) => complaints.push(error.message));
  page.on("dialog", (dialog) => {
    complaints.push(`a dialog: ${dialog.message()}`);
    void dialog.dismiss();
  });
  page.on("request", (request) => {
    const isOwn = request.url().startsWith(`${origin}/`) || /^(data|blob):/.test(request.url());
    if (!isOwn) complaints.push(`asked elsewhere: ${request.url()}`);
  });
  onTestFinished(() => {
    expect(complaints.filter((complaint) => how.expects?.test(complaint) !== true)).toEqual([]);
  });
  const visit = async (path: string): Promise<void> => {
    await page.goto(`${origin}${path}`);
    await page.waitForLoadState("load");
    await settled(page);
  };
  return { page, visit };
}

/** Waits until the page shows content. It is never without requests: live updates stay open. */
async function settled(page: Page): Promise<void> {
  await page.locator("main h1, main .state").first().waitFor();
}
