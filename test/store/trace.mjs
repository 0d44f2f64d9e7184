// Preloaded into a program that is killed: writes its progress to file descriptor 3, one letter per
// change. Bytes in a pipe survive the writer. All threads write to the same descriptor: the work is
// done outside the main thread.
//
//     o  the archive is open    t  bytes and rows are written    x  texts are indexed
//     e  closing steps          (  a transaction begins          )  and ends
import { existsSync, writeSync } from "node:fs";
import { createRequire } from "node:module";

const CHANNEL = 3;
const STEPS = [
  ["(", /^BEGIN IMMEDIATE/],
  [")", /^(COMMIT|ROLLBACK)/],
  ["x", /^(INSERT INTO|UPDATE|DELETE FROM) (words|texts|text_sessions)/],
  ["e", /^PRAGMA wal_checkpoint/],
  ["t", /^(INSERT|UPDATE|DELETE|VACUUM)/],
];
let last = "";

function tell(letter) {
  if (letter === last) return;
  last = letter;
  writeSync(CHANNEL, letter);
}

function seen(sql) {
  const step = STEPS.find(([, words]) => words.test(sql.trimStart()))?.[0];
  if (step !== undefined) tell(step);
}

let isOpen = false;
const pause = new Int32Array(new SharedArrayBuffer(4));

function opened() {
  if (isOpen) return;
  isOpen = true;
  tell("o");
  // Several processes wait here for each other.
  const gate = process.env.POLLUX_TEST_GATE;
  if (gate === undefined) return;
  while (!existsSync(gate)) Atomics.wait(pause, 0, 0, 5);
}

const load = createRequire(process.argv[1]);
const driver = load("@photostructure/sqlite");

class Traced extends driver.DatabaseSync {
  exec(sql) {
    opened();
    seen(sql);
    return super.exec(sql);
  }

  prepare(sql) {
    opened();
    const statement = super.prepare(sql);
    const traced = (name) => {
      return (...values) => {
        seen(sql);
        return statement[name](...values);
      };
    };
    return {
      run: traced("run"),
      get: traced("get"),
      all: traced("all"),
      iterate: traced("iterate"),
      columns: () => statement.columns(),
      setReturnArrays: (isEnabled) => statement.setReturnArrays(isEnabled),
    };
  }
}

load.cache[load.resolve("@photostructure/sqlite")].exports = { ...driver, DatabaseSync: Traced };
