/** The style of lists: their filters, their lines, which are cards on a narrow screen, and the links between pages. */
export const listStyle = `
.filters { margin: 0 0 1.5rem; padding: .75rem 1rem .25rem; background: var(--raised); border: 1px solid var(--line); border-radius: 6px; }
.filters form.fields { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(12rem, 100%), 1fr)); gap: .25rem 1rem; align-items: end; margin: 0; }
.filters .field { margin: 0 0 .75rem; align-self: end; }
.filters .optional { display: none; }
.filters .hint { font-size: .9rem; }
.filters .submit { margin: 0 0 .75rem; }

table.list { margin: 0 0 1.5rem; }
table.list td, table.list th { overflow-wrap: anywhere; }
.pages ul { display: flex; flex-wrap: wrap; gap: .25rem 1.5rem; list-style: none; padding: 0; }
.pages a { display: inline-block; padding: .4rem 0; }

@media (max-width: 46rem) {
  table.list thead { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); }
  table.list, table.list caption, table.list tbody, table.list tr, table.list th, table.list td { display: block; }
  table.list tr { border: 1px solid var(--line); border-radius: 6px; padding: .6rem .9rem; margin: 0 0 .75rem; }
  table.list tbody th, table.list td { border: 0; padding: .15rem 0; }
  table.list td:empty { display: none; }
  table.list td::before { content: attr(data-heading) ": "; color: var(--faint); }
}

@media print {
  .filters, .pages { display: none; }
}
`
