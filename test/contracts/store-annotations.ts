import { describe, expect, test } from "vitest";
import type { AnnotationChange } from "../../src/core/session/annotation.ts";
import type { Store } from "../../src/store/store.ts";
import { begin, NOTHING } from "./kept-samples.ts";
import { sessionRows, SOURCE } from "./store-samples.ts";

const on = { source: SOURCE, sessionId: "first" };

function setting(kind: AnnotationChange["kind"], text = ""): AnnotationChange {
  return { ...on, kind, text, how: "set" };
}

/** Tests of annotations that every store must pass. */
export function annotationsContract(name: string, open: () => Promise<Store>): void {
  async function begun(): Promise<Store> {
    const store = await open();
    await begin(store);
    const sessions = [sessionRows("first", {}), sessionRows("second", {})];
    await store.commit({ ...NOTHING, sessions });
    return store;
  }

  describe(`${name} keeps annotations`, () => {
    test("and lists them, with a title instead of the recorded one", async () => {
      const store = await begun();
      const changes = [setting("star"), setting("tag", "b"), setting("tag", "a")];
      await store.annotate([...changes, setting("title", "Mine"), setting("note", "Look")], 5);
      const { items } = await store.sessions({ scope: "own", filter: {}, sort: "title" });
      expect(items.map(({ summary }) => [summary.title, summary.own])).toEqual([
        ["About second", undefined],
        ["Mine", { isStarred: true, tags: ["a", "b"], note: "Look", title: "Mine" }],
      ]);
    });

    test("when derived rows are cleared", async () => {
      const store = await begun();
      await store.annotate([setting("tag", "later"), { ...setting("star"), messageId: "m1" }], 5);
      await store.care.clearDerived();
      expect(await store.annotations({})).toEqual([
        { ...on, kind: "tag", text: "later", changedMs: 5 },
        { ...on, messageId: "m1", kind: "star", text: "", changedMs: 5 },
      ]);
    });

    test("and takes the later of two changes, in either order of arrival", async () => {
      const store = await begun();
      await store.annotate([setting("note", "new")], 7);
      await store.annotate([setting("note", "old")], 6);
      await store.annotate([{ ...setting("tag", "x"), how: "removed" }], 9);
      await store.annotate([setting("tag", "x")], 8);
      const kept = await store.annotations({ sessionIds: ["first"] });
      expect(kept.map(({ kind, text }) => [kind, text])).toEqual([["note", "new"]]);
    });

    test("until the session is forgotten", async () => {
      const store = await begun();
      const other = { ...setting("star"), sessionId: "second" };
      await store.annotate([setting("star"), setting("note", "secret"), other], 5);
      const sessions = [{ source: SOURCE, id: "first" }];
      await store.forget({ files: [], sessions, paths: [], nowMs: 6 });
      const left = await store.annotations({});
      expect(left.map(({ sessionId }) => sessionId)).toEqual(["second"]);
    });
  });
}
