/** Result Orders as the pages of people show them: one order with its names and observations, and those of a project. */
import { Effect } from "effect"
import { parseCanonical } from "../canonical/jcs.ts"
import type { ActingPerson } from "../people/acting-person.ts"
import { confers, holds } from "../people/membership.ts"
import { readPerson } from "../people/operations.ts"
import { Payments } from "../ports/payments.ts"
import { inView, readTogether } from "../ports/storage/run.ts"
import type { Reader } from "../ports/storage.ts"
import type { ProjectForPages } from "../projects/project-for-pages.ts"
import { readProjectRow } from "../projects/project-row.ts"
import { passesRecordGate } from "../records/record-gate.ts"
import { now as currentTime, type Instant } from "../vocabulary/instant.ts"
import type { CommerceBinding } from "../vocabulary/payments.ts"
import { refuse } from "../vocabulary/refusals.ts"
import { traced } from "../vocabulary/traced.ts"
import { attentionOf, type LatestObservation } from "./attempt.ts"
import type { OrderFacts } from "./conditions.ts"
import { findOrderAsParty, managingSide, needsReading } from "./financial-side.ts"
import { availableOrderActions, moveGuard } from "./guards.ts"
import { labelsOfLatest, type Label } from "./labels.ts"
import { offerRefusal } from "./offer.ts"
import { CommerceEntries, type CommerceComponentRow, type CommerceOrderRow } from "./store.ts"
import { readRecipientAccountId } from "./stored-account.ts"
import {
  readAttempts,
  readComponents,
  readLatestObservations,
  readOrdersOfProject,
  readStoredOrder
} from "./stored-order.ts"

/** The latest facts of one entity, their label, and when the provider was asked for them first. */
export type ShownObservation = LatestObservation & { readonly label: Label | null; readonly observedAt: Instant }

/** What is known of one attempt. */
export interface ObservedAttempt {
  readonly row: CommerceOrderRow
  readonly binding: CommerceBinding
  readonly components: ReadonlyArray<CommerceComponentRow>
  /** In the order in which they became known. */
  readonly observations: ReadonlyArray<ShownObservation>
}

/**
 * One order with every attempt, the names of the persons who decided on it, and the observations of one attempt: the
 * named one, or else the last. Nothing is read that the page does not show.
 */
export const readOrderForPage = traced("commerce.readOrderForPage")(function* (
  by: ActingPerson,
  resultOrderId: string,
  commerceOrderId?: string
) {
  const now = yield* currentTime
  const payments = yield* Payments
  return yield* inView(function* (reader) {
    // Its refusal is a value, so that it interrupts no other read of the view.
    const [found, read, { attempts, observed }] = yield* readTogether([
      Effect.result(findOrderAsParty(reader, by, resultOrderId, now)),
      readOrderWithNames(reader, resultOrderId),
      readObserved(reader, resultOrderId, commerceOrderId)
    ])
    const { membership } = yield* Effect.fromResult(found)
    if (!holds(membership, "FINANCIAL_READ", now)) return yield* refuse("FORBIDDEN", { detail: needsReading })
    if (read === undefined || (observed === undefined && commerceOrderId !== undefined))
      return yield* refuse("NOT_FOUND")
    const { stored, project, names } = read
    const { order } = stored
    const { side } = membership
    const facts: OrderFacts = { projectState: project.state, attempts, isRecipientPayable: true, payments }
    const mayManage = managingSide(project, membership, now) !== undefined
    return {
      stored,
      attempts,
      observed,
      projectState: project.state,
      side,
      mayManage,
      passesRecordGate: passesRecordGate(project, membership),
      title: parseCanonical(project.agreement).terms.title,
      nameOf: (personId: string) => names.get(personId) ?? personId,
      attention: attentionOf(order, attempts),
      availableActions: mayManage ? availableOrderActions(order, side, facts) : [],
      /** Why the buyer cannot pay an approved order now. */
      paymentRefusal: order.state === "APPROVED" ? moveGuard(order, "ATTEMPT_OPENED", facts) : undefined
    }
  })
})
export type OrderForPage = Effect.Success<ReturnType<typeof readOrderForPage>>

const readOrderWithNames = Effect.fnUntraced(function* (reader: Reader, resultOrderId: string) {
  const stored = yield* readStoredOrder(reader, resultOrderId)
  if (stored === undefined) return undefined
  const personIds = [...new Set(stored.order.events.flatMap(({ actor }) => actor?.personId ?? []))]
  const [project, persons] = yield* readTogether([
    readProjectRow(reader, stored.row.projectId),
    readTogether(personIds.map((personId) => readPerson(reader, personId)))
  ])
  const names = new Map(persons.flatMap((person, index) => (person ? [[personIds[index]!, person.name] as const] : [])))
  return { stored, project: project!, names }
})

const readObserved = Effect.fnUntraced(function* (
  reader: Reader,
  resultOrderId: string,
  commerceOrderId: string | undefined
) {
  const attempts = yield* readAttempts(reader, resultOrderId)
  const row =
    commerceOrderId === undefined
      ? attempts.at(-1)
      : attempts.find((attempt) => attempt.commerceOrderId === commerceOrderId)
  return { attempts, observed: row === undefined ? undefined : yield* readObservations(reader, row) }
})

/** A provider states at most 200 entities of a component. */
const readObservations = Effect.fnUntraced(function* (reader: Reader, row: CommerceOrderRow) {
  const { commerceOrderId } = row
  const [components, unordered] = yield* readTogether([
    readComponents(reader, commerceOrderId),
    readLatestObservations(reader, commerceOrderId)
  ])
  const latest = unordered.toSorted((one, other) => one.sequence - other.sequence)
  const entries = yield* readTogether(
    latest.map(({ sequence }) => reader.get(CommerceEntries, [commerceOrderId, sequence]))
  )
  const binding = parseCanonical(row.binding)
  const labels = labelsOfLatest(binding, latest)
  const observations = latest.map((one, index): ShownObservation => ({
    ...one,
    label: labels[index] ?? null,
    observedAt: parseCanonical(entries[index]!.entry).observedAt
  }))
  return { row, binding, components, observations } satisfies ObservedAttempt
})

/** The party of a project as whose member a person reads its page, with the authorities of the membership. */
type ReadingParty = Pick<ProjectForPages, "projectId" | "project" | "side" | "authorities" | "personId">

/**
 * The orders of a project, the newest first, and why this person cannot offer one now: for a person whom the page has
 * found to be a party. Undefined without FINANCIAL_READ. Reads no events, attempts or journals.
 */
export const readOrdersOfParty = traced("commerce.readOrdersOfParty")(function* (party: ReadingParty) {
  const { projectId, project, side, authorities, personId } = party
  if (!confers([...authorities], "FINANCIAL_READ")) return undefined
  const payments = yield* Payments
  const { organizationId } = project.supplier
  const [rows, recipientAccount] = yield* inView((reader) =>
    readTogether([readOrdersOfProject(reader, projectId), readRecipientAccountId(reader, payments, organizationId)])
  )
  const isOfferer =
    side === "SUPPLIER" && project.supplier.actorId === personId && confers([...authorities], "FINANCIAL_MANAGE")
  return {
    orders: rows.toReversed().map(({ resultOrderId, state, offeredAt, terms }) => {
      const { currency, amountMinor } = parseCanonical(terms)
      return { resultOrderId, state, offeredAt, currency, amountMinor }
    }),
    isOfferer,
    supplierOrganizationId: organizationId,
    recipientAccount,
    payments,
    offerRefusal: offerRefusal(project, { payments, recipientAccount, orders: rows })
  }
})
export type OrdersOfParty = NonNullable<Effect.Success<ReturnType<typeof readOrdersOfParty>>>
