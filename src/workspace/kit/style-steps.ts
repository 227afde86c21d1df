/** The rules for the list of a draft's steps. */
export const stepsStyle = `
.draft-steps ol { display: flex; flex-wrap: wrap; gap: .25rem 1.75rem; margin: 0 0 1.5rem; padding: .6rem 0 .6rem 1.25rem; border-top: 1px solid var(--line); border-bottom: 1px solid var(--line); }
.draft-steps li { padding: .15rem 0; }
.draft-steps [aria-current] { font-weight: 600; }
.draft-steps .badge { font-weight: 400; }

@media (max-width: 34rem) {
  .draft-steps ol { flex-direction: column; }
}

@media print {
  .draft-steps { display: none; }
}
`
