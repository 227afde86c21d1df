/** What must hold of a payment attempt, as the database and the provider have it. */
import { PgTypes, type PgConnection } from "@effect/sql-pg"
import { Effect } from "effect"
import { digestOf } from "../../src/canonical/digest.ts"
import { canonicalText } from "../../src/canonical/jcs.ts"
import { answerAbout } from "../../simulator/payments/answers.ts"
import type { SimulatedProvider } from "../../simulator/payments/layer.ts"
import { now } from "../../src/vocabulary/instant.ts"
import { components } from "../../src/vocabulary/payments.ts"

export interface PaidAttempt {
  readonly resultOrderId: string
  readonly commerceOrderId: string
}

/** One checkout an attempt, one attempt an order, chains that hold, no entry lost and none doubled. */
export const problemsOf = Effect.fnUntraced(function* (
  session: PgConnection.PgConnection,
  provider: SimulatedProvider,
  { resultOrderId, commerceOrderId }: PaidAttempt
) {
  const texts = (sql: string, id: string) =>
    Effect.map(Effect.orDie(session.queryValues(sql, [PgTypes.text(id)])), (rows) => rows.map(([text]) => String(text)))
  const attempts = yield* texts(
    "select jsonb_build_object('id', commerce_order_id, 'binding', binding, 'checkoutId', checkout_id, 'count', journal_count, 'head', journal_head)::text from commerce_orders where result_order_id = $1",
    resultOrderId
  )
  const entries = yield* texts(
    "select entry from commerce_entries where commerce_order_id = $1 order by sequence",
    commerceOrderId
  )
  const terms = yield* texts("select terms from result_orders where result_order_id = $1", resultOrderId)
  const events = yield* texts(
    "select event from financial_events where result_order_id = $1 order by sequence",
    resultOrderId
  )
  const wrong: Array<string> = []
  if (attempts.length !== 1) wrong.push(`${attempts.length} attempts`)
  const { binding, checkoutId, count, head } = JSON.parse(attempts[0]!)
  const purchases = provider.state.purchases.filter(({ request }) => request.commerceOrderId === commerceOrderId)
  if (purchases.length !== 1) wrong.push(`${purchases.length} checkouts`)
  const journal = entries.map((text) => JSON.parse(text))
  const end = chainEnd(digestOf(JSON.parse(binding)), "previousHash", journal)
  if (end !== head || journal.length !== count) wrong.push("the journal's chain does not end at its head")
  if (
    chainEnd(
      digestOf(JSON.parse(terms[0]!)),
      "previous",
      events.map((text) => JSON.parse(text))
    ) === undefined
  ) {
    wrong.push("the chain of financial events does not hold")
  }
  const kinds = events.map((text) => JSON.parse(text).kind)
  if (new Set(kinds).size < kinds.length) wrong.push(`an event is doubled: ${kinds.join(" ")}`)
  wrong.push(
    ...entryProblems(journal, checkoutId === null ? undefined : answerAbout(provider.state, checkoutId, yield* now))
  )
  return wrong.map((problem) => `${commerceOrderId}: ${problem}`)
})

/** The hash of the last link; undefined if the chain is broken. */
const chainEnd = (
  start: string,
  previous: "previous" | "previousHash",
  links: ReadonlyArray<any>
): string | undefined => {
  let last = start
  for (const [index, { hash, ...content }] of links.entries()) {
    if (content[previous] !== last || content.sequence !== index + 1 || digestOf(content) !== hash) return undefined
    last = hash
  }
  return last
}

/** Entries without a change, and facts of the provider that no latest entry has. */
const entryProblems = (journal: ReadonlyArray<any>, answer: ReturnType<typeof answerAbout>): ReadonlyArray<string> => {
  const latest = new Map<string, string>()
  const wrong: Array<string> = []
  for (const { component, entity, facts } of journal) {
    const name = `${component} ${entity}`
    if (latest.get(name) === canonicalText(facts)) wrong.push(`${name} is captured twice without a change`)
    latest.set(name, canonicalText(facts))
  }
  if (answer === undefined) return [...wrong, "the provider's checkout is unknown"]
  for (const component of components) {
    for (const { entity, facts } of answer[component]) {
      const captured = latest.get(`${component} ${entity}`)
      if (captured !== canonicalText(facts as object)) wrong.push(`${component} ${entity} is not captured as it is`)
    }
  }
  return wrong
}
