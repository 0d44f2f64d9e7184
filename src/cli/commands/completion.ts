import type { Command } from "../command.ts";
import { bashScript } from "../completion/bash.ts";
import { fishScript } from "../completion/fish.ts";
import { powershellScript } from "../completion/powershell.ts";
import type { CompletionTree } from "../completion/tree.ts";
import { completionTree } from "../completion/tree.ts";
import { zshScript } from "../completion/zsh.ts";
import { EXIT } from "../exit.ts";
import { writeJson } from "../print/json.ts";

const SCRIPTS: ReadonlyMap<string, (tree: CompletionTree) => string> = new Map([
  ["bash", bashScript],
  ["zsh", zshScript],
  ["fish", fishScript],
  ["powershell", powershellScript],
]);

/** What `--json` prints. */
export interface CompletionAnswer {
  shell: string;
  script: string;
}

export const command: Command = {
  about:
    "Completes every command and option of this version. The first lines of the script say " +
    "where to install it.",
  arguments: [{ name: "<shell>", about: "your shell", choices: [...SCRIPTS.keys()] }],
  examples: [
    { line: "completion bash >> ~/.bashrc", about: "bash" },
    { line: 'completion zsh > "${fpath[1]}/_pollux"', about: "zsh" },
    { line: "completion fish > ~/.config/fish/completions/pollux.fish", about: "fish" },
    { line: "completion powershell >> $PROFILE", about: "PowerShell" },
  ],
  async run(context) {
    const shell = context.args[0] ?? "";
    const tree = await completionTree(context.commands);
    const script = SCRIPTS.get(shell)?.(tree) ?? "";
    const answer: CompletionAnswer = { shell, script };
    if (context.isJson) await writeJson(context.out, answer);
    else await context.out.write(script);
    return EXIT.ok;
  },
};
