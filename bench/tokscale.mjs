// What tokscale's reader counts for an agent: its command needs a price list from the network, its
// library does not.
//
//   node bench/tokscale.mjs MODULES AGENT     (the home is taken from HOME)
import { createRequire } from "node:module";
import { join } from "node:path";

const [modules, agent] = process.argv.slice(2);
const core = createRequire(join(modules, "x.js"))("@tokscale/core");
const { messages } = core.parseLocalSources({ homeDir: process.env.HOME, sources: [agent] });
const kinds = ["input", "output", "cacheRead", "cacheWrite", "reasoning"];
const totalTokens = messages.reduce((sum, message) => {
  return kinds.reduce((total, kind) => total + message[kind], sum);
}, 0);
console.log(JSON.stringify({ totals: { totalTokens } }));
