/** The style of exported pages: light and dark, usable on phones, printable. */
export const STYLE = `
:root {
  color-scheme: light dark;
  --back: #ffffff; --front: #1d2025; --dim: #5d6470; --line: #d9dde3; --soft: #f4f5f7;
  --prompt: #eaf1fb; --accent: #1a5fb4; --good: #1a7f37; --bad: #b3261e;
  --plus: #e2f5e7; --minus: #fde8e6; --key: #8b2fc9; --text: #0b6e4f; --note: #6b7280; --name:
    #1a5fb4;
}
@media (prefers-color-scheme: dark) {
  :root {
    --back: #16181c; --front: #e4e7eb; --dim: #9aa3af; --line: #343a43; --soft: #1f2329;
    --prompt: #1c2a3d; --accent: #7fb2f0; --good: #6fcf8b; --bad: #f28b82;
    --plus: #16351f; --minus: #3d1f1d; --key: #d2a8ff; --text: #7ee2b8; --note: #9aa3af; --name:
      #7fb2f0;
  }
}
* { box-sizing: border-box; }
body { margin: 0; background: var(--back); color: var(--front); overflow-wrap: anywhere;
  font: 16px/1.55 system-ui, -apple-system, "Segoe UI", Roboto, sans-serif; }
main { max-width: 52rem; margin: 0 auto; padding: 1rem; }
h1 { font-size: 1.5rem; line-height: 1.25; }
h2 { font-size: 1.1rem; margin: 2.2rem 0 .6rem; padding-top: .8rem; border-top: 1px solid
  var(--line); }
a { color: var(--accent); }
dl { display: grid; grid-template-columns: max-content 1fr; gap: .15rem 1rem; margin: 0 0 1rem; }
dt { color: var(--dim); } dd { margin: 0; }
nav { margin: 1.2rem 0; } nav ol { padding-left: 2rem; margin: .3rem 0; }
.by { color: var(--dim); font-size: .85rem; margin: 1rem 0 .25rem; }
.prompt { background: var(--prompt); border-radius: .5rem; padding: .6rem .9rem; white-space:
  pre-wrap;
  unicode-bidi: isolate; }
.answer { unicode-bidi: isolate; } .answer > :first-child { margin-top: .2rem; }
details { border: 1px solid var(--line); border-radius: .5rem; margin: .5rem 0; background:
  var(--soft); }
summary { cursor: pointer; padding: .4rem .7rem; font-size: .9rem; color: var(--dim); }
summary b { color: var(--front); font-weight: 600; }
details > div { padding: 0 .7rem .6rem; }
.gone { border-style: dashed; }
.good { color: var(--good); } .bad { color: var(--bad); }
pre { margin: .5rem 0; padding: .6rem .7rem; overflow-x: auto; background: var(--soft);
  border-radius: .4rem;
  border: 1px solid var(--line); font: .82rem/1.45 ui-monospace, SFMono-Regular, Menlo, Consolas,
    monospace;
  overflow-wrap: normal; tab-size: 4; }
code { font-family: ui-monospace, SFMono-Regular, Menlo, Consolas, monospace; font-size: .9em; }
pre code { font-size: 1em; }
blockquote { margin: .5rem 0; padding-left: .8rem; border-left: 3px solid var(--line); color:
  var(--dim); }
table { border-collapse: collapse; display: block; overflow-x: auto; }
th, td { border: 1px solid var(--line); padding: .25rem .6rem; text-align: left; }
.to-right { text-align: right; } .to-center { text-align: center; }
.diff { padding: .3rem 0; } .diff span { display: block; padding: 0 .7rem; white-space: pre;
  min-height: 1.2em; }
.diff .plus { background: var(--plus); } .diff .minus { background: var(--minus); }
.diff .hunk { color: var(--dim); }
.notice { color: var(--dim); font-size: .9rem; margin: .6rem 0; white-space: pre-wrap; }
.notice.error, .notice.warning { color: var(--bad); }
.mark { text-align: center; color: var(--dim); font-size: .85rem; margin: 1.5rem 0; }
footer { margin: 2.5rem 0 1rem; padding-top: .8rem; border-top: 1px solid var(--line); color:
  var(--dim);
  font-size: .85rem; }
.hljs-keyword, .hljs-selector-tag, .hljs-built_in, .hljs-type { color: var(--key); }
.hljs-string, .hljs-attr, .hljs-regexp, .hljs-addition { color: var(--text); }
.hljs-comment, .hljs-quote, .hljs-meta { color: var(--note); font-style: italic; }
.hljs-title, .hljs-name, .hljs-section, .hljs-number, .hljs-literal { color: var(--name); }
.hljs-deletion { color: var(--bad); }
@media print { details { break-inside: avoid; } nav { display: none; } }
`;
