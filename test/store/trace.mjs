// Loaded before a program that is killed: tells on its fourth channel how far it has come, one
// letter for each change. What was written to a pipe is there even when the writer is gone. Threads
// write to one channel: the work is done by others than the main one.
//
//     o  the archive is open    t  bytes and rows go in    x  words go into the index
//     e  closing steps          (  a transaction begins    )  and ends
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
  // Several processes wait here for one another.
  const gate = process.env.POLLUX_TEST_GATE;
  if (gate === undefined) return;
  while (!existsSync(gate)) Atomics.wait(pause, 0, 0, 5);
}

const load = createRequire(process.argv[1]);
const driver = load("@photostructure/sqlite");

class Told extends driver.DatabaseSync {
  exec(sql) {
    opened();
    seen(sql);
    return super.exec(sql);
  }

  prepare(sql) {
    opened();
    const statement = super.prepare(sql);
    const told = (name) => {
      return (...values) => {
        seen(sql);
        return statement[name](...values);
      };
    };
    return { run: told("run"), get: told("get"), all: told("all"), iterate: told("iterate") };
  }
}

load.cache[load.resolve("@photostructure/sqlite")].exports = { ...driver, DatabaseSync: Told };
