import { readdirSync, readFileSync } from "node:fs";
import { extname, join, sep } from "node:path";
import type { Reply } from "./reply.ts";
import { errorReply } from "./reply.ts";

const MEDIA_TYPES: Readonly<Record<string, string>> = {
  ".css": "text/css; charset=utf-8",
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".json": "application/json; charset=utf-8",
  ".png": "image/png",
  ".svg": "image/svg+xml",
  ".txt": "text/plain; charset=utf-8",
  ".webmanifest": "application/manifest+json",
  ".woff2": "font/woff2",
};

/**
 * Serves the files of the built app. They are listed once, and a URL path is only looked up in this
 * list, never turned into a file path.
 */
export class Pages {
  readonly #folder: string;
  #files: ReadonlyMap<string, string> | undefined;

  constructor(folder: string) {
    this.#folder = folder;
  }

  replyTo(path: string): Reply {
    const files = (this.#files ??= list(this.#folder));
    const file = files.get(path);
    if (file !== undefined && path !== "/index.html") return fileReply(path, file);
    const start = files.get("/index.html");
    // All pages of the app are the same document; only paths with a file extension are not found.
    if (start === undefined) return notBuilt();
    if (extname(path) !== "" && !path.startsWith("/sessions/")) return notThere();
    return fileReply("/index.html", start);
  }
}

function fileReply(path: string, file: string): Reply {
  const type = MEDIA_TYPES[extname(path)] ?? "application/octet-stream";
  // These names change with their content.
  const isNamed = path.startsWith("/assets/");
  const kept = isNamed ? "public, max-age=31536000, immutable" : "no-cache";
  return { status: 200, type, body: readFileSync(file), headers: { "Cache-Control": kept } };
}

function list(folder: string): Map<string, string> {
  try {
    const entries = readdirSync(folder, { recursive: true, withFileTypes: true });
    const files = entries.filter((entry) => entry.isFile());
    return new Map(
      files.map(({ parentPath, path, name }) => {
        const file = join(parentPath ?? path, name);
        return [
          `/${file
            .slice(folder.length + 1)
            .split(sep)
            .join("/")}`,
          file,
        ];
      }),
    );
  } catch {
    // Not built: the first request reports it.
    return new Map();
  }
}

function notThere(): Reply {
  return errorReply(404, { code: "no-such-page", message: "Page not found." });
}

function notBuilt(): Reply {
  return errorReply(503, {
    code: "not-built",
    message: "The web app is not part of this installation.",
    remedy: "From a checkout: npm run build.",
  });
}
