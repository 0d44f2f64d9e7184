import fc from "fast-check";
import { expect, test } from "vitest";
import { eventsOf } from "../../src/queries/events/events.ts";
import { boundedSteps } from "../../src/queries/events/timeline.ts";
import { message, session } from "../samples/handover.ts";

const START = Date.UTC(2026, 10, 15, 10);

/** Messages at these seconds, in this order; the clock may be set back at any time. */
const seconds = fc.array(fc.nat(600), { minLength: 1, maxLength: 300 });

test("events are in order of time even if the clock was set back, and none is lost", () => {
  fc.assert(
    fc.property(seconds, (at) => {
      const messages = at.map((second, index) => {
        return message("user", String(index), {
          at: new Date(START + second * 1000).toISOString(),
        });
      });
      const actual = [...eventsOf(session(...messages))].filter(
        ({ type }) => type === "user_prompt",
      );
      // Messages of the same time keep their order.
      const expected = messages.toSorted((a, b) => (a.at ?? "").localeCompare(b.at ?? ""));
      expect(actual.map((event) => "text" in event && event.text)).toEqual(
        expected.map(({ text }) => text),
      );
    }),
    { numRuns: 50 },
  );
});

test("an old thought is placed at its own time", () => {
  const before = Array.from({ length: 90 }, (_, index) => {
    return message("user", String(index), { at: new Date(START + index * 1000).toISOString() });
  });
  const thoughts = [{ subject: "s", description: "d", at: new Date(START + 500).toISOString() }];
  const last = message("model", "said", { at: new Date(START + 99_000).toISOString(), thoughts });
  const actual = [...eventsOf(session(...before, last), { with: ["thoughts"] })];
  expect(actual.slice(1, 4).map(({ type }) => type)).toEqual([
    "user_prompt",
    "model_thought",
    "user_prompt",
  ]);
});

test("a message may have more calls than a function takes arguments", () => {
  const moments = Array.from({ length: 200_000 }, (_, at) => ({ what: at, recordedMs: 1000 - at }));
  const [step] = boundedSteps([moments], [5000]);
  expect(step?.fromMs).toBe(1000 - 199_999);
});
