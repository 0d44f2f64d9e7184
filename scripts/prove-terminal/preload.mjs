// Loaded before the program (`node --import`): sets the clock, slows the store, and measures how
// long keys wait.
//
//   PROOF_NOW    the current time for the program
//   PROOF_SLOW   delay of every statement of the store, in milliseconds
//   PROOF_WAITS  a file for the longest time that the event loop was blocked
import { writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { isMainThread } from "node:worker_threads";
import { program } from "./tmux.mjs";

const { PROOF_NOW, PROOF_SLOW, PROOF_WAITS } = process.env;

if (PROOF_NOW !== undefined) {
  const Real = Date;
  const ahead = Real.parse(PROOF_NOW) - Real.now();
  globalThis.Date = class extends Real {
    constructor(...parts) {
      super(...(parts.length === 0 ? [Real.now() + ahead] : parts));
    }

    static now() {
      return Real.now() + ahead;
    }
  };
}

if (PROOF_SLOW !== undefined) {
  const require = createRequire(program);
  const sqlite = require("@photostructure/sqlite");
  const bell = new Int32Array(new SharedArrayBuffer(4));
  const late = (statement) =>
    new Proxy(statement, {
      get(target, name) {
        const value = target[name];
        if (typeof value !== "function") return value;
        return (...values) => {
          if (name === "all") Atomics.wait(bell, 0, 0, Number(PROOF_SLOW));
          return value.apply(target, values);
        };
      },
    });
  class DatabaseSync extends sqlite.DatabaseSync {
    prepare(...parts) {
      return late(super.prepare(...parts));
    }
  }
  require.cache[require.resolve("@photostructure/sqlite")].exports = { ...sqlite, DatabaseSync };
}

if (PROOF_WAITS !== undefined && isMainThread) {
  let last = performance.now();
  let longest = 0;
  const look = () => {
    const now = performance.now();
    // Startup does not count: the terminal does not belong to the program yet.
    if (now - last > longest && last > 1000) {
      longest = now - last;
      writeFileSync(PROOF_WAITS, JSON.stringify({ longestWaitMs: Math.round(longest) }));
    }
    last = now;
  };
  setInterval(look, 5).unref();
}
