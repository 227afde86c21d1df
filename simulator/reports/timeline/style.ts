/** The style of a timeline. Colours are defined for light and dark; every tone has a mark beside its colour. */
export const style = `:root {
  color-scheme: light dark;
  --ground: #ffffff; --raised: #f4f5f7; --text: #1b1f24; --faint: #57606a; --line: #d0d5db; --accent: #0b57d0;
  --good: #14632f; --refused: #7a4a00; --refused-ground: #fdf0d5; --bad: #a5151f; --bad-ground: #fdeceb;
  --pause: #8250df33; --chosen: #dbe8ff;
}
@media (prefers-color-scheme: dark) {
  :root {
    --ground: #14171b; --raised: #1e2329; --text: #e8eaed; --faint: #a9b1ba; --line: #3a424b; --accent: #8ab4f8;
    --good: #7fd69b; --refused: #f0c267; --refused-ground: #3a2a08; --bad: #ff9a94; --bad-ground: #3d1513;
    --pause: #a67cf044; --chosen: #203557;
  }
}
*, *::before, *::after { box-sizing: border-box; }
[hidden] { display: none !important; }
html, body { height: 100%; }
body {
  margin: 0; background: var(--ground); color: var(--text); overflow-wrap: anywhere;
  font: .9rem/1.5 system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", sans-serif;
}
a { color: var(--accent); }
:focus-visible { outline: 3px solid var(--accent); outline-offset: -3px; }
h1, h2, h3, h4, p { margin: 0 0 .5rem; }
h1 { font-size: 1.4rem; } h2 { font-size: 1.1rem; } h3 { font-size: 1rem; margin-top: 1rem; } h4 { font-size: .9rem; }
button, input { font: inherit; color: inherit; background: var(--ground); border: 1px solid var(--faint); border-radius: 5px; padding: .2rem .6rem; }
code, pre, .code { font-family: ui-monospace, "Cascadia Mono", Menlo, Consolas, monospace; font-size: .85em; }
pre { white-space: pre-wrap; background: var(--raised); padding: .5rem; margin: 0 0 .5rem; unicode-bidi: plaintext; }
.read-only { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }
.verdict { font-weight: 700; } .passed { color: var(--good); } .failed { color: var(--bad); }
.none, .about { color: var(--faint); }
.front { max-width: 60rem; margin: 0 auto; padding: 1rem; }
.front ol { padding-left: 2rem; } .front li { margin-bottom: .75rem; } .front li p { margin: 0; }

#timeline { display: grid; height: 100%; grid-template: "head head" auto "events details" minmax(0, 1fr) / minmax(0, 1fr) auto; }
#timeline > header { grid-area: head; padding: .5rem .75rem; border-bottom: 1px solid var(--line); background: var(--raised); }
#timeline h1, #timeline header p { display: inline-block; margin: 0 .75rem .25rem 0; }
#step-say { height: 3em; overflow: auto; border-left: 3px solid var(--accent); padding-left: .5rem; margin-bottom: .5rem; }
#run-say { max-height: 4.5em; overflow: auto; color: var(--faint); }
.tools { display: flex; flex-wrap: wrap; gap: .5rem; align-items: center; }
#filter { width: 14rem; }

#scroller, #table { grid-area: events; overflow: auto; }
#lanes { position: sticky; top: 0; z-index: 2; display: flex; min-width: max-content; height: 1.75rem; background: var(--raised); border-bottom: 1px solid var(--line); }
.narrow-lanes #lanes { height: 6rem; }
#lane-names { position: relative; width: var(--lanes); flex: none; margin-left: 10rem; }
.lane { position: absolute; bottom: 0; padding: .2rem; overflow: hidden; text-overflow: ellipsis; white-space: nowrap; text-align: center; font-weight: 600; border-bottom: 3px solid var(--faint); }
.narrow-lanes .lane { writing-mode: vertical-rl; height: 100%; text-align: right; }
.lane.person { border-color: #1a7f37; } .lane.agent { border-color: #8250df; } .lane.service { border-color: #0b57d0; }
.lane.worker { border-color: #0a7a8a; } .lane.receiver { border-color: #bc4c00; } .lane.operator { border-color: #6e7781; }

#rows { position: relative; min-width: calc(var(--lanes) + 34rem); }
.row { position: absolute; left: 0; right: 0; height: 28px; display: flex; align-items: center; white-space: nowrap; }
.event { cursor: pointer; }
.event:hover { background: var(--raised); }
.time { width: 7rem; flex: none; padding-left: .5rem; color: var(--faint); font-variant-numeric: tabular-nums; }
.step { width: 3rem; flex: none; color: var(--faint); }
.graph { position: relative; width: var(--lanes); height: 100%; flex: none; background: repeating-linear-gradient(to right, transparent 0 calc(var(--lane) / 2 - .5px), var(--line) calc(var(--lane) / 2 - .5px) calc(var(--lane) / 2 + .5px), transparent calc(var(--lane) / 2 + .5px) var(--lane)); }
.words { padding: 0 .75rem; overflow: hidden; text-overflow: ellipsis; unicode-bidi: isolate; }
.words b { display: inline-block; max-width: 14rem; overflow: hidden; text-overflow: ellipsis; vertical-align: bottom; background: var(--pause); border-radius: 4px; padding: 0 .35rem; font-weight: 600; }
.words em { margin-left: .75rem; font-weight: 400; color: var(--faint); }
.of-step .words, .of-verdict .words { font-weight: 600; }
.of-step { border-top: 1px solid var(--line); }
.quiet .words { color: var(--faint); }
.dot { position: absolute; top: 9px; width: 10px; height: 10px; margin-left: -5px; border-radius: 50%; background: var(--accent); }
.of-commit .dot { border-radius: 0; transform: rotate(45deg); background: var(--good); }
.of-step .dot, .quiet .dot { background: var(--ground); border: 2px solid var(--faint); }
.arrow { position: absolute; top: 13px; height: 2px; background: var(--accent); }
.arrow::after { content: ""; position: absolute; top: -4px; border: 5px solid transparent; }
.arrow.right::after { right: 0; border-left-color: var(--accent); border-right: 0; }
.arrow.left::after { left: 0; border-right-color: var(--accent); border-left: 0; }
.refused .dot { background: var(--refused); } .fault .dot, .failed .dot { background: var(--bad); border-radius: 2px; }
.row.refused .words::before { content: "⊘ "; } .row.fault .words::before { content: "⚡ "; } .row.failed .words::before { content: "✗ "; }
.row.refused .words { color: var(--refused); } .row.fault .words, .row.failed .words { color: var(--bad); }
.together { background: var(--raised); }
.event[aria-selected=true] { background: var(--chosen); box-shadow: inset 4px 0 var(--accent); }
#rows:focus-visible { outline: none; }
#rows:focus-visible .event[aria-selected=true] { outline: 3px solid var(--accent); outline-offset: -3px; }
.gap { color: var(--faint); background: repeating-linear-gradient(90deg, transparent 0 6px, var(--line) 6px 12px) center / 100% 1px no-repeat; }
.gap span { position: sticky; left: 10rem; background: var(--ground); padding: 0 .5rem; font-weight: 600; }
.pause { position: absolute; left: calc(10rem + var(--lane) * var(--from)); width: calc(var(--lane) * var(--across)); pointer-events: none; z-index: 1; background: repeating-linear-gradient(45deg, var(--pause) 0 6px, transparent 6px 12px); border-left: 3px solid var(--pause); }

#details { grid-area: details; width: min(34rem, 46vw); overflow: auto; border-left: 1px solid var(--line); padding: .75rem; }
#details table, #table table { border-collapse: collapse; width: 100%; }
#details td, #details th, #table td, #table th { text-align: left; vertical-align: top; padding: .2rem .5rem; border: 1px solid var(--line); font-weight: 400; white-space: pre-wrap; }
#details thead th, #details tbody th { overflow-wrap: normal; }
#details thead th, #table thead th { font-weight: 600; background: var(--raised); }
#close-details { float: right; }
.facts > div { display: grid; grid-template-columns: 8rem 1fr; gap: .5rem; }
.facts dt { color: var(--faint); } .facts dd { margin: 0; } .facts { margin: 0; }
#details .facts button { margin: 0 .25rem .25rem 0; text-align: left; max-width: 100%; }
#table { padding: .75rem; }
#table td { white-space: nowrap; }
#details h2:focus-visible { outline-offset: 2px; }
dialog th { text-align: left; padding-right: 1rem; white-space: nowrap; }
#table th button { border: 0; background: none; padding: 0; text-align: left; }
#table tr[aria-current] { background: var(--chosen); }
dialog { background: var(--ground); color: var(--text); border: 1px solid var(--faint); border-radius: 8px; max-width: 34rem; }
dialog td { vertical-align: middle; }
.sample { position: relative; display: inline-block; width: 9rem; height: 28px; }
.sample .dot { left: 50%; } .sample .arrow { left: 20%; width: 60%; }
.row.sample { position: relative; } .sample .words { padding: 0; }
.pause-sample { background: repeating-linear-gradient(45deg, var(--pause) 0 6px, transparent 6px 12px); border-left: 3px solid var(--pause); }
kbd { border: 1px solid var(--faint); border-radius: 4px; padding: 0 .35rem; background: var(--raised); }
@media (max-width: 48rem) {
  #timeline { grid-template: "head" auto "events" minmax(0, 1fr) "details" auto / minmax(0, 1fr); }
  #details { width: auto; max-height: 50vh; border-left: 0; border-top: 1px solid var(--line); }
}
@media (forced-colors: active) { .dot, .arrow, .pause { forced-color-adjust: none; } }
@media print {
  #timeline { display: block; height: auto; } .tools { display: none; }
  #scroller, #table-pages { display: none; }
  #table, #details { overflow: visible; width: auto; max-height: none; }
}
`
