import type { WordEntry } from "./block-reader.ts";
import { forEachPlace, NumberReader } from "./block-reader.ts";
import { encode } from "./encode.ts";
import type { Part, WordList } from "./part.ts";
import { FACTS, factsOf, putFacts } from "./part.ts";
import type { FoundWord, PartReader } from "./part-reader.ts";

/** One part of several, without the texts of sessions that are no longer there. */
export function merge(parts: readonly PartReader[], isThere: (session: number) => boolean): Part {
  const texts = parts.flatMap((part, of) =>
    Array.from({ length: part.count }, (_, text) => {
      return { of, text, facts: factsOf(part.part.texts, text) };
    }).filter(({ facts }) => isThere(facts.session)),
  );
  const inTime = texts.toSorted((a, b) => a.facts.second - b.facts.second);
  const table = new Uint32Array(inTime.length * FACTS);
  const firsts = new Uint32Array(inTime.length + 1);
  const moved = parts.map((part) => new Int32Array(part.count).fill(-1));
  let length = 0;
  inTime.forEach(({ of, text, facts }, at) => {
    putFacts(table, at, facts);
    firsts[at] = length;
    length += facts.length;
    const own = moved[of];
    if (own) own[text] = at;
  });
  firsts[inTime.length] = length;
  return { texts: table, length, blocks: encode(lists(parts, { moved, firsts })) };
}

interface Moved {
  /** By part and text, which text it becomes; -1 for those that are left out. */
  moved: readonly Int32Array[];
  firsts: Uint32Array;
}

/** Word by word in the order of the alphabet, from all parts at once. */
function* lists(parts: readonly PartReader[], told: Moved): Generator<WordList> {
  const open = parts.map((part) => part.all());
  const heads = open.map((words) => words.next().value as FoundWord | undefined);
  for (;;) {
    const next = heads.reduce<string | undefined>((least, head) => {
      if (head === undefined) return least;
      return least === undefined || head.entry.word < least ? head.entry.word : least;
    }, undefined);
    if (next === undefined) return;
    const places: number[] = [];
    heads.forEach((head, of) => {
      const part = parts[of];
      if (!part || head?.entry.word !== next) return;
      addPlaces(part, head, { moved: told.moved[of], firsts: told.firsts, places });
      heads[of] = open[of]?.next().value as FoundWord | undefined;
    });
    const list = Uint32Array.from(places).toSorted();
    if (list.length > 0) yield { word: next, places: list, firsts: told.firsts };
  }
}

function addPlaces(
  part: PartReader,
  { entry, block }: { entry: WordEntry; block: number },
  told: { moved: Int32Array | undefined; firsts: Uint32Array; places: number[] },
): void {
  const positions = part.positions(block);
  forEachPlace({ words: part.words(block), positions }, entry, (text, times, at) => {
    const becomes = told.moved?.[text] ?? -1;
    if (becomes < 0) return;
    const reader = new NumberReader(positions, at);
    let place = told.firsts[becomes] ?? 0;
    for (let n = 0; n < times; n += 1) {
      place += reader.next();
      told.places.push(place);
    }
  });
}
