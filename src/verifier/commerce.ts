/** The checks of a Commerce Record: the captured journal of one payment attempt with its labels. */
import { openForm, verifyIssuer } from "./issued-objects.ts"
import { checkChange, checkEntry, checkJournalHead, readJournal } from "./journal.ts"
import { labelsOf } from "./labels.ts"
import { type CheckResult, derive, type Ledger, same, sameDigest } from "./ledger.ts"
import { commerceRecord, type CommerceRecord, portableNames } from "./portable-shapes.ts"
import type { TrustContext } from "./verified-jws.ts"
import type { VerifiedJws } from "./verified-objects.ts"

/** `recordDigest`: as the file of a record states it; a closure has a reference instead. */
export const verifyCommerceRecord = (
  ledger: Ledger,
  jws: CheckResult<string>,
  recordDigest: string | undefined,
  context: TrustContext
): CheckResult<VerifiedJws<CommerceRecord>> => {
  const record = openForm(ledger, id, jws, kind, context)
  if (recordDigest !== undefined) {
    ledger.check(`${id}-digest`, id, { record }, ({ record }) =>
      sameDigest("recordDigest", record.signed.digest, recordDigest)
    )
  }
  verifyIssuer(ledger, id, record, context)
  const journal = derive(record, readJournal)
  const entries = derive(journal, (one) => one.entries)
  ledger.each("entry-chain", "entry", entries, { journal }, checkEntry)
  ledger.check("journal-head", "journal", { record, journal }, ({ record, journal }) =>
    checkJournalHead(record, journal)
  )
  ledger.each("entry-change", "entry", entries, {}, checkChange)
  const labels = derive(record, ({ content }) => ({
    permitted: labelsOf(content.binding, content.journal.entries),
    stated: content.labels
  }))
  ledger.each("entry-label", "entry", entries, { labels }, (_, { labels: { permitted, stated } }, index) =>
    same("LABEL_MISMATCH", `labels[${index}]`, permitted[index], stated[index])
  )
  return record
}

const id = "commerce"
const kind = { schema: portableNames.commerceRecord, purpose: "COMMERCE", form: commerceRecord } as const
