import { existsSync } from "node:fs";
import { resolve } from "node:path";
import { PolluxError } from "../core/error.ts";
import type { SourceRoot } from "../ingest/decode.ts";
import { homeAround } from "../sources/requested-roots.ts";
import type { Environment, Source } from "../sources/source.ts";

export type { SourceRoot } from "../ingest/decode.ts";

/** The agents' folders; for requested folders, the agents they belong to. */
export function placesOf(sources: readonly Source[], environment: Environment): SourceRoot[] {
  const { requestedRoots } = environment;
  if (requestedRoots.length === 0) return claimed(sources, environment);
  const places = requestedRoots.flatMap((asked) => {
    const found = claimed(sources, { ...environment, requestedRoots: [asked] });
    const there = found.filter(({ root }) => root.isFound);
    return there.length > 0 ? there : unclaimed(sources, asked);
  });
  const byPath = new Map(places.map((place) => [`${place.source.id} ${place.root.path}`, place]));
  return [...byPath.values()];
}

function claimed(sources: readonly Source[], environment: Environment): SourceRoot[] {
  return onePerPath(
    sources.flatMap((source) => source.roots(environment).map((root) => ({ source, root }))),
  );
}

/**
 * Several agents may claim a folder, because it holds files that all of them have. It goes to the
 * agent that it is named after, else to the last one: earlier sources claim folders on less
 * evidence.
 */
function onePerPath(places: readonly SourceRoot[]): SourceRoot[] {
  return places.filter(({ source, root }) => {
    const rivals = places.filter((place) => place.root.path === root.path);
    const named = rivals.find((place) => isNamedAfter(root.path, place.source));
    return source === (named ?? rivals.at(-1))?.source;
  });
}

function isNamedAfter(path: string, { id, aliases }: Source): boolean {
  return [id, ...aliases].some((name) => path.replace(/[\\/]+$/, "").endsWith(`.${name}`));
}

/** A folder that no agent claims is read by the first one, so that problems can be reported. */
function unclaimed([source]: readonly Source[], asked: string): SourceRoot[] {
  const path = resolve(asked);
  const home = homeAround(path);
  const because = home === undefined ? "--root" : `--root, inside of ${home}: use that instead`;
  const root = { path, because, isFound: existsSync(path) };
  return source ? [{ source, root }] : [];
}

/** Finds an agent by its id or short name. */
export function sourceNamed(sources: readonly Source[], name: string): Source {
  const wanted = name.toLowerCase();
  const found = sources.find(({ id, aliases }) => id === wanted || aliases.includes(wanted));
  if (found) return found;
  throw new PolluxError("unknown-source", `Unknown agent "${name}".`, {
    remedy: `Known agents: ${sources.map(({ id }) => id).join(", ")}.`,
  });
}
