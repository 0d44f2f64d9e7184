import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { shellCommands } from "../../src/kernel/shell/commands.ts";

describe("shellCommands", () => {
  test.each<[string, string]>([
    ["git status", "git"],
    ["npm test | tail -5 && git diff --stat; ls", "npm tail git ls"],
    [
      'sudo env X=1 timeout 5 bash -c "cd a && npm test | tail -5; echo $(date)"',
      "cd npm tail echo date",
    ],
    ["cat <<EOF > f\nrm -rf / $(whoami)\nEOF\nls", "cat whoami ls"],
    ["cat <<'EOF'\nrm -rf / $(whoami)\nEOF", "cat"],
    ["bash <<'E'\nls -l | wc\nE", "ls wc"],
    ["bash script.sh", "bash"],
    ['for f in *.ts; do grep -q x "$f" && echo $f; done', "grep echo"],
    ["if [ -f a ]; then cat a; else touch a; fi", "[ cat touch"],
    ["case $x in a) make;; *) ninja;; esac", "make ninja"],
    ["while read l; do echo $l; done < f", "read echo"],
    ['find . -name "*.ts" -exec grep -l foo {} \\; | xargs -n1 sed -i s/a/b/', "find grep sed"],
    ["f() { make; }; f", "make"],
    ["git commit -m 'a; b && c'", "git"],
    ['echo "unterminated', "echo"],
    ["(cd x; npm i) & wait", "cd npm wait"],
    ["X=$(git rev-parse HEAD) npm run build", "npm git"],
    ["`which node` -v", "which"],
    ["diff <(sort a) <(uniq b)", "diff sort uniq"],
    ["echo ${x:-$(hostname)}", "echo hostname"],
    ["command -v node", "command"],
    ["command ls", "ls"],
    ["time make -j4", "make"],
    ["nice -n 5 ./gradlew build", "gradlew"],
    ["/usr/bin/git log", "git"],
    ['timeout -s KILL 5s sudo -u bob -- python3 -c "print(1)"', "python3"],
    ['su bob -c "ls; id"', "ls id"],
    ["sh -c 'sh -c \"uptime\"'", "uptime"],
    ["env", "env"],
    ["sudo -l", "sudo"],
    ["! grep x y || true", "grep true"],
    ["eval 'ls | wc'", "ls wc"],
    ["npm run build # && rm -rf /", "npm"],
    ["cd a \\\n  && make", "cd make"],
    ["date +%Y%m%d", "date"],
    ["", ""],
    ["   ", ""],
  ])("finds the commands of: %s", (line, expected) => {
    expect(shellCommands(line).join(" ")).toBe(expected);
  });

  test.each<[string, string]>([
    [
      'Get-ChildItem -Path C:\\x | Where-Object { $_.Name -like "a" }',
      "Get-ChildItem Where-Object",
    ],
    ['cmd /c "dir /b & del x.txt"', "dir del"],
    ['"C:\\Program Files\\nodejs\\node.exe" a.js && type b.txt', "node type"],
    ['powershell -NoProfile -Command "Get-Content a.txt; npm test"', "Get-Content npm"],
    ["$x = Get-Content a; npm test", "Get-Content npm"],
    ["cd %USERPROFILE% && npm.cmd test", "cd npm"],
    ["$env:CI = '1'; npm test", "npm"],
  ])("finds the commands of a Windows line: %s", (line, expected) => {
    expect(shellCommands(line).join(" ")).toBe(expected);
  });

  test("never throws and returns no empty name, for any input", () => {
    const words = fc.constantFrom(
      "$(",
      ")",
      "`",
      '"',
      "'",
      "<<E",
      "\n",
      "E",
      "|",
      "&&",
      ";",
      "bash -c ",
      "sudo ",
      "ls",
      "{",
      "}",
      "\\",
    );
    fc.assert(
      fc.property(fc.array(words, { maxLength: 30 }), (parts) => {
        for (const name of shellCommands(parts.join(""))) expect(name).not.toBe("");
      }),
    );
    fc.assert(fc.property(fc.string({ unit: "binary" }), (line) => void shellCommands(line)));
  });

  test("terminates on deeply nested shells", () => {
    const deep = Array.from({ length: 60 }).reduce<string>(
      (line) => `bash -c ${JSON.stringify(line)}`.slice(0, 20_000),
      "ls",
    );
    expect(shellCommands(deep).length).toBeLessThan(3);
    expect(shellCommands("sudo ".repeat(5000)).length).toBeLessThan(2);
  });

  test.each([["\n"], ["{"], ["$(("]])("reads a long line of %j in seconds", (part) => {
    expect(shellCommands(`ls ${part.repeat(200_000)}`)).toContain("ls");
  });
});
