/** The style of a scorecard, beside that of timelines. On a narrow screen each lesson is a block. */
export const scorecardStyle = `
.scorecard { max-width: 90rem; }
.scorecard .verdict, .scorecard thead th { white-space: nowrap; }
.scorecard li { margin-bottom: .25rem; }
.unknown { color: var(--refused); }
.totals { display: flex; flex-wrap: wrap; gap: .5rem 1rem; margin: 0 0 1rem; }
.totals > div { border: 1px solid var(--line); border-radius: 5px; padding: .25rem .75rem; max-width: 100%; }
.totals dt { font-weight: 600; } .totals dd { margin: 0; } .totals dd strong { font-size: 1.2rem; }
.scorecard a { display: inline-block; padding: .15rem 0; }
.scorecard a:focus-visible { outline-offset: 2px; }
.scorecard table { border-collapse: collapse; width: 100%; }
.scorecard caption { text-align: left; font-weight: 600; font-size: 1.1rem; padding: .25rem 0; }
.scorecard th, .scorecard td { text-align: left; vertical-align: top; padding: .4rem .6rem; border: 1px solid var(--line); font-weight: 400; }
.scorecard thead th { font-weight: 600; background: var(--raised); }
.scorecard tbody th { min-width: 14rem; }
.scorecard ul { margin: 0 0 .5rem; padding-left: 1.2rem; }
.scorecard td > :last-child { margin-bottom: 0; }
@media (max-width: 48rem) {
  .scorecard thead { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); }
  .scorecard table, .scorecard tbody, .scorecard tr, .scorecard tbody th, .scorecard td { display: block; min-width: 0; }
  .scorecard caption { display: block; }
  .scorecard tbody tr { border: 1px solid var(--line); margin-bottom: .75rem; }
  .scorecard tbody th, .scorecard td { border: 0; }
}
`
