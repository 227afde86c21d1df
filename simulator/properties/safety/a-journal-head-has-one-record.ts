/** The Commerce Record of a journal's head is signed once: every export of that head has the same bytes. */
import { parseSigned } from "../../../src/canonical/jws.ts"
import { CommerceExports, CommerceOrders, type CommerceOrderRow } from "../../../src/commerce/store.ts"
import { type Json, valueAt } from "../../vocabulary/json.ts"
import { type Moment, monitoredProperty, type RequestObservation, rowIn, type Rows, violation } from "../property.ts"
import { bindingOf, digestOf, entriesOf, parsed } from "../support/commerce.ts"
import { expectedLabels } from "../support/commerce-labels.ts"
import { changesTo } from "../support/commits.ts"

export const aJournalHeadHasOneRecord = monitoredProperty<null>({
  name: "a journal head has one record",
  kind: "always",
  says: "A Commerce Record has the entries of its attempt's journal up to a head, with the labels that follow from them, and every export of that head has the same bytes for ever.",
  judges: { kinds: ["response"], commitsTo: [CommerceExports] },
  initial: null,
  next: (_, moment) => {
    for (const { was, is } of changesTo(moment, CommerceExports)) {
      if (is === undefined || was !== undefined)
        return violation(`an exported record of ${was?.commerceOrderId} changed`)
      const wrong = contentProblem(is.record, is.recordDigest, moment.rows)
      if (wrong !== undefined) return violation(`the record of ${is.commerceOrderId} ${wrong}`)
    }
    const exported = exportIn(moment)
    if (exported === undefined) return null
    const { record, recordDigest } = exported
    const { binding, journal } = parseSigned<Payload>(record)
    const stored = rowIn(moment.rows, CommerceExports, [binding.commerceOrderId, journal.count])
    return stored !== undefined && stored.record === record && stored.recordDigest === recordDigest
      ? null
      : violation(`${moment.request?.path} was answered with another record than the stored one of this head`)
  }
})

interface Payload {
  readonly binding: { readonly commerceOrderId: string }
  readonly journal: { readonly count: number; readonly head: string; readonly entries: ReadonlyArray<Json> }
  readonly labels: ReadonlyArray<string | null>
  readonly firstCapturedAt: string | null
  readonly issuedAt: string
}

const exportIn = ({ observed, request }: Moment) => {
  if (observed.kind !== "response" || observed.status !== 200 || !isExport(request)) return undefined
  const body = observed.body ?? null
  return { record: String(valueAt(body, "record")), recordDigest: String(valueAt(body, "recordDigest")) }
}

const isExport = (request: RequestObservation | undefined): boolean =>
  request?.method === "GET" && /^\/api\/commerce\/orders\/[^/]+\/record$/.test(request.path)

/** Compares a signed record with the stored journal, of which it may be a beginning. */
const contentProblem = (record: string, recordDigest: string, rows: Rows): string | undefined => {
  const payload = parseSigned<Payload>(record)
  const { binding, journal, labels, firstCapturedAt, issuedAt } = payload
  const attempt = rowIn(rows, CommerceOrders, [binding.commerceOrderId]) as CommerceOrderRow | undefined
  if (attempt === undefined || digestOf(binding) !== digestOf(parsed(attempt.binding))) return "has another binding"
  if (digestOf(payload) !== recordDigest) return "has the digest of another record"
  const entries = entriesOf(rows, binding.commerceOrderId).slice(0, journal.count)
  const head = entries.at(-1)?.hash ?? digestOf(binding)
  if (journal.head !== head || digestOf(journal.entries) !== digestOf(entries)) return "has another journal"
  if (firstCapturedAt !== (entries[0]?.observedAt ?? null)) return "has another time of the first capture"
  if (issuedAt < (entries.at(-1)?.observedAt ?? "")) return "was signed before its last observation"
  return digestOf(labels) === digestOf(expectedLabels(bindingOf(attempt), entries))
    ? undefined
    : "has labels that do not follow from its entries"
}
