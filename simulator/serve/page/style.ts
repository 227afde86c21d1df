/** The style of the page. Colours are defined for light and dark; no information is conveyed by colour alone. */
export const style = `:root {
  color-scheme: light dark;
  --ground: #ffffff; --raised: #f4f5f7; --text: #1b1f24; --faint: #57606a; --line: #d0d5db; --accent: #0b57d0;
  --bad: #a5151f; --waits: #7a4a00;
}
@media (prefers-color-scheme: dark) {
  :root {
    --ground: #14171b; --raised: #1e2329; --text: #e8eaed; --faint: #a9b1ba; --line: #3a424b; --accent: #8ab4f8;
    --bad: #ff9a94; --waits: #f0c267;
  }
}
*, *::before, *::after { box-sizing: border-box; }
body {
  margin: 0; background: var(--ground); color: var(--text); overflow-wrap: anywhere;
  font: .9rem/1.5 system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", sans-serif;
}
a { color: var(--accent); }
:focus-visible { outline: 3px solid var(--accent); outline-offset: 1px; }
h1, h2, p { margin: 0 0 .5rem; } h1 { font-size: 1.3rem; } h2 { font-size: 1.05rem; }
header { padding: .75rem 1rem 0; border-bottom: 1px solid var(--line); background: var(--raised); }
header h1, header form, header nav { display: inline-flex; margin-right: 1.5rem; }
#said { min-height: 1.5em; font-weight: 600; }
#said.refused, #answer .refused { color: var(--bad); }
main { display: grid; grid-template-columns: minmax(20rem, 26rem) minmax(0, 1fr); gap: 1rem; padding: 1rem; }
section { margin-bottom: 1rem; padding: .75rem; border: 1px solid var(--line); border-radius: 8px; }
button, input, select, textarea {
  font: inherit; color: inherit; background: var(--ground); border: 1px solid var(--faint); border-radius: 5px; padding: .2rem .6rem;
}
button { cursor: pointer; background: var(--raised); }
textarea, pre, code, #events, #on, #until { font-family: ui-monospace, "Cascadia Mono", Menlo, Consolas, monospace; font-size: .85em; }
.row { display: flex; flex-wrap: wrap; gap: .5rem; align-items: center; margin-bottom: .5rem; }
form p { display: grid; grid-template-columns: 5.5rem minmax(0, 1fr); gap: .5rem; align-items: start; }
form p.about { display: block; }
.about, .none { color: var(--faint); }
dl { margin: 0 0 .5rem; } dl > div { display: grid; grid-template-columns: 8rem 1fr; gap: .5rem; }
dt { color: var(--faint); } dd { margin: 0; font-variant-numeric: tabular-nums; }
#standing.waits { color: var(--waits); font-weight: 600; }
#standing ul { margin: 0; padding-left: 1.2rem; }
pre { white-space: pre-wrap; background: var(--raised); padding: .5rem; margin: 0 0 .5rem; max-height: 24rem; overflow: auto; unicode-bidi: plaintext; }
#events { margin: 0; padding: 0; max-height: 40rem; overflow: auto; list-style: none; }
#events li { padding: .1rem .25rem; border-bottom: 1px solid var(--line); unicode-bidi: isolate; }
#events time, #events b { color: var(--faint); font-weight: 400; margin-right: .75rem; }
#events .of-step { font-weight: 600; } #events .quiet { color: var(--faint); }
#events .refused { color: var(--waits); } #events .fault, #events .failed { color: var(--bad); } #events em { margin-left: .5rem; }
#events .of-time { color: var(--faint); border-top: 1px dashed var(--faint); }
#snapshots { padding: 0; list-style: none; } #snapshots li { display: flex; flex-wrap: wrap; gap: .5rem; align-items: center; margin-bottom: .25rem; }
@media (max-width: 52rem) { main { grid-template-columns: minmax(0, 1fr); } }
`
