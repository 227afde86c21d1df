/** The rules of a project's page: its steps, its timeline, folded acts, and signed bytes. */
export const projectStyle = `
.steps { list-style: none; margin: 0 0 1rem; padding: 0; display: grid; gap: .2rem .5rem; grid-template-columns: repeat(auto-fit, minmax(8.5rem, 1fr)); }
.steps li { position: relative; padding: .9rem .25rem 0 0; border-top: 3px solid var(--line); }
.steps li::before { content: ""; position: absolute; top: -.5rem; left: 0; width: .85rem; height: .85rem; border-radius: 50%; border: 3px solid var(--line); background: var(--ground); }
.steps strong { display: block; }
.steps span { color: var(--faint); font-size: .9rem; }
.steps .done { border-color: var(--good); }
.steps .done::before { border-color: var(--good); background: var(--good); }
.steps .current { border-color: var(--waiting); }
.steps .current::before { border-color: var(--waiting); }
.steps .current span { color: var(--waiting); font-weight: 600; }
.steps .stopped { border-color: var(--bad); }
.steps .stopped::before { border-color: var(--bad); background: var(--bad); }
.steps .stopped span { color: var(--bad); font-weight: 600; }
.steps .ahead strong { color: var(--faint); font-weight: 500; }

.timeline { list-style: none; margin: 0 0 1rem .4rem; padding: 0; border-left: 2px solid var(--line); }
.timeline li { position: relative; padding: 0 0 .9rem 1.1rem; }
.timeline li::before { content: ""; position: absolute; left: calc(-.35rem - 1px); top: .5rem; width: .7rem; height: .7rem; border-radius: 50%; background: var(--accent); }
.timeline .automation::before { background: var(--ground); border: 2px solid var(--waiting); }
.timeline p { margin: 0 0 .3rem; max-width: 42rem; }
.timeline time { color: var(--faint); }
.timeline .links { font-size: .9rem; }

details.act > summary { display: inline-block; padding: .5rem 1.1rem; border: 1px solid var(--edge); border-radius: 6px; color: var(--accent); min-height: 2.75rem; }
details.act { margin: 0 0 1rem; }
details.act[open] > summary { margin-bottom: .75rem; }

pre.bytes { max-height: 24rem; overflow: auto; margin: 0 0 1rem; padding: .6rem .75rem; border: 1px solid var(--line); border-radius: 6px; background: var(--raised); font-family: ui-monospace, "Cascadia Mono", Menlo, Consolas, monospace; font-size: .9em; white-space: pre-wrap; overflow-wrap: anywhere; }

@media (max-width: 34rem) {
  .steps { grid-template-columns: 1fr; gap: 0; }
  .steps li { display: flex; flex-wrap: wrap; gap: 0 .5rem; padding: .15rem 0 .15rem 1.4rem; border-top: 0; }
  .steps li::before { top: .55rem; }
  details.act > summary { width: 100%; text-align: center; }
}

@media (forced-colors: active) {
  .steps li, .steps li::before, .timeline, .timeline li::before { border-color: CanvasText; }
  .steps .done::before, .steps .stopped::before, .timeline li::before { background: CanvasText; }
}
`
