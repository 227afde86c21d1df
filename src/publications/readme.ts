/** The instructions in the ZIP file of a passport: one constant, which is not signed. */

export const passportReadme = `RESULT PASSPORT

passport.json holds signed summaries of results, a signed manifest of them, and for each a signed
statement on whether it was public. This text is not signed and proves nothing.

Verify passport.json offline, with the issuer's public keys from a source other than this file and
with the time at which you verify:

  verify-result.mjs passport.json trusted-keys.json 2026-01-01T00:00:00.000Z

- The requester of the file selected its results. It is not the complete history of the supplier,
  and neither the supplier nor a buyer endorsed the selection.
- Supplier and buyer of each result both consented to its summary. The original results, agreements,
  files and payments are not enclosed.
- A statement holds for five minutes. For new ones, send the same selections to the address of the
  passport with /status after /passport and without a query, save the answer as statuses.json, and
  verify with --status=statuses.json
`
