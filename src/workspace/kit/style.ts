/** The stylesheet. Colours are defined in pairs for light and dark; the layout works from a width of 320 pixels. */
import { fileStyle } from "./style-files.ts"
import { listStyle } from "./style-lists.ts"
import { navigationStyle } from "./style-navigation.ts"
import { projectStyle } from "./style-project.ts"
import { stepsStyle } from "./style-steps.ts"

const baseStyle = `:root {
  color-scheme: light dark;
  --ground: #ffffff;
  --raised: #f4f5f7;
  --text: #1b1f24;
  --faint: #57606a;
  --line: #d0d5db;
  --edge: #6e7781;
  --accent: #0b57d0;
  --on-accent: #ffffff;
  --good: #14632f;
  --good-ground: #e3f4e8;
  --waiting: #7a4a00;
  --waiting-ground: #fdf0d5;
  --bad: #a5151f;
  --bad-ground: #fdeceb;
  --on-bad: #ffffff;
}

@media (prefers-color-scheme: dark) {
  :root {
    --ground: #14171b;
    --raised: #1e2329;
    --text: #e8eaed;
    --faint: #a9b1ba;
    --line: #3a424b;
    --edge: #8b949e;
    --accent: #8ab4f8;
    --on-accent: #0b1a33;
    --good: #7fd69b;
    --good-ground: #12301d;
    --waiting: #f0c267;
    --waiting-ground: #3a2a08;
    --bad: #ff9a94;
    --bad-ground: #3d1513;
    --on-bad: #2b0503;
  }
}

*, *::before, *::after { box-sizing: border-box; }

/* Takes precedence over the display rules below. */
[hidden] { display: none !important; }

html { -webkit-text-size-adjust: 100%; text-size-adjust: 100%; }

body {
  margin: 0;
  background: var(--ground);
  color: var(--text);
  font: 1rem/1.55 system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", sans-serif;
  overflow-wrap: anywhere;
}

a { color: var(--accent); text-underline-offset: .15em; }
a:hover { text-decoration-thickness: .15em; }

:focus-visible { outline: 3px solid var(--accent); outline-offset: 2px; border-radius: 2px; }
main:focus { outline: none; }

.skip { position: absolute; left: -100vw; top: 0; padding: .5rem 1rem; background: var(--ground); z-index: 1; }
.skip:focus { left: 0; }

.read-only { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }

header { border-bottom: 1px solid var(--line); background: var(--raised); }
.bar, header nav > ul, main { max-width: 60rem; margin: 0 auto; padding-left: 1rem; padding-right: 1rem; }
.bar { display: flex; flex-wrap: wrap; gap: .25rem 1rem; align-items: center; justify-content: space-between; padding-top: .6rem; padding-bottom: .6rem; }
.brand { font-weight: 700; font-size: 1.1rem; color: var(--text); text-decoration: none; letter-spacing: -.01em; }
.viewer { display: flex; flex-wrap: wrap; gap: .25rem .75rem; align-items: center; color: var(--faint); }
.viewer p { margin: 0; }
main { padding-top: 1.5rem; padding-bottom: 4rem; }
main > p, main > ul, main > section > p, .hint, .field { max-width: 42rem; }

h1 { font-size: 1.8rem; line-height: 1.2; letter-spacing: -.015em; margin: 0 0 1rem; }
h2 { font-size: 1.25rem; line-height: 1.3; margin: 2.25rem 0 .75rem; }
h3 { font-size: 1.05rem; margin: 1.5rem 0 .5rem; }
p, ul, dl { margin: 0 0 1rem; }
ul { padding-left: 1.25rem; }

/* Untrusted text stays in its own box: stacked diacritics cannot overlap other lines. */
.untrusted { display: inline-block; max-width: 100%; overflow: clip; overflow-wrap: anywhere; }
.untrusted-lines { border-left: 3px solid var(--line); padding-left: .75rem; margin: 0 0 1rem; }
.untrusted-lines .untrusted { white-space: pre-wrap; }

.facts { border-top: 1px solid var(--line); }
.facts > div { display: grid; grid-template-columns: minmax(9rem, 14rem) 1fr; gap: .1rem 1rem; padding: .5rem 0; border-bottom: 1px solid var(--line); }
.facts dt { color: var(--faint); }
.facts dd { margin: 0; }
.facts dd > :last-child { margin-bottom: 0; }

summary { cursor: pointer; padding: .4rem 0; font-weight: 600; }

.table { overflow-x: auto; margin: 0 0 1.5rem; }
table { border-collapse: collapse; width: 100%; }
caption { text-align: left; color: var(--faint); padding-bottom: .4rem; }
th, td { text-align: left; vertical-align: top; padding: .55rem .75rem .55rem 0; border-bottom: 1px solid var(--line); overflow-wrap: normal; }
tbody th { font-weight: 600; min-width: 9rem; }
thead th { color: var(--faint); font-weight: 500; font-size: .9rem; white-space: nowrap; }
.empty { color: var(--faint); }

form.fields { margin: 0 0 2rem; }
.field { margin: 0 0 1.4rem; padding: 0; border: 0; min-width: 0; }
.field > label, legend { display: block; font-weight: 600; padding: 0; margin-bottom: .2rem; }
.optional { font-weight: 400; color: var(--faint); }
.hint { color: var(--faint); margin-bottom: .4rem; }
.with-problem { border-left: 4px solid var(--bad); padding-left: .9rem; }
.problem { color: var(--bad); font-weight: 600; margin: 0 0 .4rem; }

input, textarea, select, button { font: inherit; color: inherit; }
input:not([type=checkbox]):not([type=radio]), textarea, select {
  width: 100%; padding: .5rem .6rem; min-height: 2.75rem; background: var(--ground); border: 1px solid var(--edge); border-radius: 6px;
}
input.short { max-width: 14rem; }
input.code { max-width: 16rem; font-family: ui-monospace, "Cascadia Mono", Menlo, Consolas, monospace; font-size: 1.4rem; letter-spacing: .08em; }
[aria-invalid] { border-color: var(--bad) !important; border-width: 2px !important; }

.choice { display: grid; grid-template-columns: 1.5rem 1fr; gap: 0 .6rem; padding: .45rem 0; }
.choice input { width: 1.25rem; height: 1.25rem; margin: .15rem 0 0; accent-color: var(--accent); }
.choice .hint { grid-column: 2; margin: 0; }

.submit { margin: 1.5rem 0 0; }
button, .button {
  display: inline-block; padding: .55rem 1.1rem; min-height: 2.75rem; border: 1px solid transparent; border-radius: 6px;
  background: var(--accent); color: var(--on-accent); font-weight: 600; text-decoration: none; cursor: pointer;
}
button:hover, .button:hover { filter: brightness(1.08); }
button.danger { background: var(--bad); color: var(--on-bad); }
button.quiet { background: transparent; color: var(--accent); border-color: var(--edge); padding: .2rem .7rem; min-height: 2.2rem; font-weight: 500; }

.problems, .notice { border: 1px solid var(--line); border-left-width: 5px; border-radius: 6px; padding: .9rem 1.1rem; margin: 0 0 1.5rem; }
.problems { border-color: var(--bad); background: var(--bad-ground); }
.problems h2 { margin: 0 0 .4rem; font-size: 1.1rem; }
.problems ul, .problems p, .notice > :last-child { margin-bottom: 0; }
.problems a { color: var(--bad); font-weight: 600; }
.notice.done { border-color: var(--good); background: var(--good-ground); }
.notice.warning { border-color: var(--waiting); background: var(--waiting-ground); }

.badge { display: inline-block; padding: 0 .5rem; border: 1px solid; border-radius: 1rem; font-size: .9rem; white-space: nowrap; }
.badge.good { color: var(--good); background: var(--good-ground); }
.badge.waiting { color: var(--waiting); background: var(--waiting-ground); }
.badge.ended { color: var(--faint); background: var(--raised); }

code { font-family: ui-monospace, "Cascadia Mono", Menlo, Consolas, monospace; font-size: .95em; }
code.secret { display: inline-block; padding: .4rem .6rem; background: var(--raised); border: 1px solid var(--line); border-radius: 6px; user-select: all; }

@media (max-width: 34rem) {
  h1 { font-size: 1.5rem; }
  .facts > div { grid-template-columns: 1fr; }
  button:not(.quiet), .button { width: 100%; text-align: center; }
}

@media (forced-colors: active) {
  .with-problem, .problems, .notice { border-color: CanvasText; }
}

@media print {
  header nav, .skip, form { display: none; }
}
`

export const style = [baseStyle, navigationStyle, listStyle, projectStyle, stepsStyle, fileStyle].join("")

/** The site icon: a seal with a check mark. */
export const icon = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" rx="7" fill="#0b57d0"/><path d="M8 17l5.5 5.5L24 11" fill="none" stroke="#fff" stroke-width="3.5" stroke-linecap="round" stroke-linejoin="round"/></svg>
`
