// Compiles the JSON walk (src/kernel/json/assembly, AssemblyScript) to WebAssembly and writes it as
// a module, which the bundle and the tests import like any other file. The module is committed; a
// test fails if it does not match the compiler's output.
import { readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import asc from "assemblyscript/asc";

const root = join(dirname(fileURLToPath(import.meta.url)), "..");
const target = join(root, "src", "kernel", "json", "program.ts");
const OPTIONS = [
  "--optimizeLevel",
  "3",
  "--converge",
  "--noAssert",
  "--runtime",
  "stub",
  "--enable",
  "simd",
  "--enable",
  "threads",
  "--initialMemory",
  "1",
  "--maximumMemory",
  "16384",
];
const LINE_LENGTH = 92;

/** The text of the module. */
export async function compileKernel() {
  let program;
  let remarks = "";
  const { error } = await asc.main(
    ["index.ts", "--outFile", "walk.wasm", "--importMemory", "--sharedMemory", ...OPTIONS],
    {
      readFile: (name) => readSource(name),
      writeFile: (_name, content) => {
        program = content;
      },
      listFiles: () => [],
      stderr: {
        write: (text) => {
          remarks += text;
        },
      },
    },
  );
  if (error || !program) throw new Error(`The JSON walk does not compile.\n${remarks}`);
  const lines = Buffer.from(program)
    .toString("base64")
    .match(new RegExp(`.{1,${LINE_LENGTH}}`, "g"));
  return `// Written by scripts/build-kernel.mjs from assembly/; not to be edited.
export const PROGRAM: string = [
${lines.map((line) => `  "${line}",\n`).join("")}].join("");
`;
}

function readSource(name) {
  try {
    return readFileSync(join(root, "src", "kernel", "json", "assembly", name), "utf8");
  } catch {
    // The compiler tries several names for an import.
    return null;
  }
}

/** Writes the module if it differs; returns whether it did. */
export async function buildKernel() {
  const text = await compileKernel();
  if (text === readFileSync(target, "utf8")) return false;
  writeFileSync(target, text);
  return true;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await buildKernel();
