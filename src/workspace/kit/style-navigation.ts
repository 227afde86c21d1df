/** The style of the navigation: one row at any width; an open group lies above the page, or without script above a gap. */
export const navigationStyle = `
header nav { position: relative; }
header nav > ul { display: flex; flex-wrap: nowrap; gap: 0 .75rem; list-style: none; margin-top: 0; margin-bottom: 0; }
header nav li { margin: 0; }
header nav summary, header nav a { display: block; padding: .45rem .25rem; font-weight: 400; color: var(--text); text-decoration: none; border-bottom: 3px solid transparent; }
header nav summary { list-style: none; white-space: nowrap; }
header nav summary::-webkit-details-marker { display: none; }
header nav summary::after { content: " \\25be"; color: var(--faint); }
header nav a:hover, header nav summary:hover { border-bottom-color: var(--line); }
header nav [aria-current] { border-bottom-color: var(--accent); font-weight: 600; }
header nav li li a { padding: .55rem .9rem; border-bottom: 0; border-left: 3px solid transparent; }
header nav li li a:hover { border-left-color: var(--line); }
header nav li li [aria-current] { border-left-color: var(--accent); }
header nav details { position: relative; }
header nav details > ul {
  position: absolute; left: -.5rem; top: 100%; z-index: 2; min-width: 14rem; margin: 0; padding: .35rem 0; list-style: none;
  background: var(--ground); border: 1px solid var(--edge); border-radius: 0 0 6px 6px;
}

@media (max-width: 34rem) {
  header nav > ul { gap: 0; justify-content: space-between; }
  header nav .home { display: none; }
  header nav summary { font-size: .95rem; }
  header nav details { position: static; }
  header nav details > ul { left: 0; right: 0; border-left: 0; border-right: 0; border-radius: 0; }
}

@media (max-width: 24rem) {
  header nav summary { font-size: .875rem; padding-left: 0; padding-right: 0; }
  header nav summary::after { content: ""; }
}

/* Only a script closes an open group that a person has left. */
@media (scripting: none) {
  header nav:has(details[open]) { margin-bottom: 12rem; }
}

@media (forced-colors: active) {
  header nav [aria-current] { text-decoration: underline; }
}
`
