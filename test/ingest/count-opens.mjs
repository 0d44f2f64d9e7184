// Loaded before a program whose openings are counted: tells on its fourth channel, a line for each
// file that it opens below a folder, by whatever way.
import fs from "node:fs";
import { syncBuiltinESMExports } from "node:module";

const CHANNEL = 3;
const FOLDER = process.env.POLLUX_TEST_FOLDER ?? "";
const write = fs.writeSync;

function told(module, name) {
  const original = module[name];
  module[name] = function counted(path, ...rest) {
    if (String(path).startsWith(FOLDER)) write(CHANNEL, `${String(path)}\n`);
    return original.call(this, path, ...rest);
  };
}

for (const name of ["openSync", "readFileSync", "open", "readFile", "createReadStream"]) {
  told(fs, name);
}
for (const name of ["open", "readFile"]) told(fs.promises, name);
syncBuiltinESMExports();
