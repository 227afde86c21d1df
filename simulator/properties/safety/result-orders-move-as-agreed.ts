/** A Result Order moves only by the acts of the side that may make them, and every attempt is bound to its approved terms. */
import { parseSigned } from "../../../src/canonical/jws.ts"
import { CommerceOrders, type CommerceOrderRow, FinancialEvents, ResultOrders } from "../../../src/commerce/store.ts"
import { Memberships } from "../../../src/people/store.ts"
import { Projects } from "../../../src/projects/store.ts"
import { type Json, valueAt } from "../../vocabulary/json.ts"
import {
  type Moment,
  monitoredProperty,
  type PropertyViolation,
  rowIn,
  rowsWithPrefix,
  violation
} from "../property.ts"
import { bodyOf, callerOf } from "../support/caller.ts"
import { bindingOf, digestOf, entriesOf, eventsOf, type FinancialEvent, termsOf } from "../support/commerce.ts"
import { isPaidAsBound } from "../support/commerce-labels.ts"
import { changesTo, rowsWritten } from "../support/commits.ts"

export const resultOrdersMoveAsAgreed = monitoredProperty<null>({
  name: "result orders move as agreed",
  kind: "always",
  says: "The supplier's representative offers and withdraws a Result Order, the buyer approves, declines and pays its exact terms, and the service alone reports the end of an attempt; an attempt opens only on approved terms, to which its binding, its signed record and its source digest belong.",
  judges: { kinds: ["request"], commitsTo: [FinancialEvents, ResultOrders, CommerceOrders] },
  initial: null,
  next: (_, moment) => {
    const { observed, rows } = moment
    // Stores the caller of the request, since its session may end before its commit.
    if (observed.kind === "request") callerOf(moment)
    if (observed.kind !== "commit") return null
    for (const { resultOrderId, sequence } of rowsWritten(observed, rows, FinancialEvents, "insert")) {
      const wrong = moveViolation(resultOrderId, sequence, moment)
      if (wrong !== undefined) return wrong
    }
    for (const { was, is } of changesTo(moment, ResultOrders)) {
      if (is === undefined || (was !== undefined && was.terms !== is.terms)) {
        return violation(`the terms of ${was?.resultOrderId} were changed or removed`)
      }
      const last = eventsOf(rows, is.resultOrderId).at(-1)
      if (last === undefined || is.state !== moves[last.kind]?.to) {
        return violation(`${is.resultOrderId} is ${is.state} after ${last?.kind ?? "no event"}`)
      }
    }
    for (const attempt of rowsWritten(observed, rows, CommerceOrders, "insert")) {
      const wrong = openingViolation(attempt, moment)
      if (wrong !== undefined) return violation(`${attempt.commerceOrderId} ${wrong}`)
    }
    return null
  }
})

/** By the kind of the event: who causes it, and between which states. */
const moves: {
  readonly [kind: string]: {
    readonly by: "BUYER" | "SUPPLIER" | "SERVICE"
    readonly from: ReadonlyArray<string>
    readonly to: string
  }
} = {
  OFFERED: { by: "SUPPLIER", from: ["NONE"], to: "OFFERED" },
  APPROVED: { by: "BUYER", from: ["OFFERED"], to: "APPROVED" },
  DECLINED: { by: "BUYER", from: ["OFFERED"], to: "DECLINED" },
  WITHDRAWN: { by: "SUPPLIER", from: ["OFFERED", "APPROVED", "PAYING"], to: "WITHDRAWN" },
  ATTEMPT_OPENED: { by: "BUYER", from: ["APPROVED"], to: "PAYING" },
  ATTEMPT_RELEASED: { by: "SERVICE", from: ["PAYING"], to: "APPROVED" },
  ATTEMPT_PAID: { by: "SERVICE", from: ["PAYING"], to: "PAID" }
}

const moveViolation = (resultOrderId: string, sequence: number, moment: Moment): PropertyViolation | undefined => {
  const { rows } = moment
  const events = eventsOf(rows, resultOrderId)
  const event = events[sequence - 1]
  const move = moves[event?.kind ?? ""]
  if (event === undefined || move === undefined) return violation(`event ${sequence} of ${resultOrderId} has no move`)
  const before = events[sequence - 2]
  const state = before === undefined ? "NONE" : (moves[before.kind]?.to ?? "NONE")
  const what = `${event.kind} of ${resultOrderId}`
  if (!move.from.includes(state)) return violation(`${what} was made in ${state}`)
  const wrong =
    move.by === "SERVICE"
      ? outcomeProblem(event, moment)
      : (actorProblem(event, move.by, resultOrderId, moment) ?? contentProblem(event, resultOrderId, moment))
  return wrong === undefined ? undefined : violation(`${what} ${wrong}`)
}

/** The caller, who has FINANCIAL_MANAGE in the organization of the side, for the supplier its representative. */
const actorProblem = (
  { actor }: FinancialEvent,
  side: "BUYER" | "SUPPLIER",
  resultOrderId: string,
  moment: Moment
): string | undefined => {
  const { rows } = moment
  const order = rowIn(rows, ResultOrders, [resultOrderId])
  const project = rowIn(rows, Projects, [order?.projectId ?? ""])
  if (order === undefined || project === undefined || actor === null) return "has no actor"
  const { personId, organizationId } = actor
  const isOfSide =
    organizationId === (side === "BUYER" ? order.buyerOrganizationId : order.supplierOrganizationId) &&
    (personId === project.supplierActorId) === (side === "SUPPLIER")
  if (!isOfSide) return `was made by ${personId}, who is not the ${side}`
  const caller = callerOf(moment)?.owner
  if (caller !== personId) return `names ${personId}, but the request was sent by ${caller ?? "no person"}`
  const holds = rows
    .of(Memberships)
    .some(
      (one) =>
        one.personId === personId &&
        one.organizationId === organizationId &&
        one.endedAt === null &&
        one.authorities.includes("FINANCIAL_MANAGE")
    )
  return holds ? undefined : `was made by ${personId} without FINANCIAL_MANAGE`
}

/** A command names the terms; an approval repeats them. */
const contentProblem = (
  { kind, payload }: FinancialEvent,
  id: string,
  { rows, request }: Moment
): string | undefined => {
  const order = rowIn(rows, ResultOrders, [id])
  const digest = order === undefined ? undefined : digestOf(termsOf(order))
  if ("termsDigest" in payload && payload["termsDigest"] !== digest) return "has the digest of other terms"
  const named = request === undefined ? undefined : valueAt(bodyOf(request) ?? null, "termsDigest")
  return kind === "OFFERED" || named === digest ? undefined : `was made for the terms ${String(named)}`
}

/** The end of an attempt follows from its journal as it is at the commit. */
const outcomeProblem = ({ kind, actor, payload }: FinancialEvent, { rows }: Moment): string | undefined => {
  if (actor !== null) return "was made by a person"
  const attempt = rowIn(rows, CommerceOrders, [String(payload["commerceOrderId"])])
  if (attempt === undefined) return "names no attempt"
  const { count, head } = payload["journal"] as { readonly count: Json; readonly head: Json }
  if (count !== attempt.journalCount || head !== attempt.journalHead) return "names another end of the journal"
  const payment = entriesOf(rows, attempt.commerceOrderId).findLast(({ component }) => component === "PAYMENT")
  const isPaid = payment !== undefined && isPaidAsBound(bindingOf(attempt), payment.facts)
  if (kind === "ATTEMPT_PAID" && !isPaid) return "was made without a payment as it was agreed"
  return kind === "ATTEMPT_PAID" || attempt.state === "RELEASED" ? undefined : `left the attempt ${attempt.state}`
}

/** The attempt repeats the terms, and its record encloses exactly the events before its opening. */
const openingProblemOf = (attempt: CommerceOrderRow, { rows }: Moment): string | undefined => {
  const order = rowIn(rows, ResultOrders, [attempt.resultOrderId])
  if (order === undefined) return "belongs to no order"
  const terms = termsOf(order)
  const events = eventsOf(rows, attempt.resultOrderId)
  const opened = events.findLast(
    ({ kind, payload }) => kind === "ATTEMPT_OPENED" && payload["commerceOrderId"] === attempt.commerceOrderId
  )
  const before = events.filter(({ sequence }) => sequence < (opened?.sequence ?? 0))
  const head = before.at(-1)?.hash
  const record = parseSigned<{ readonly [member: string]: Json }>(attempt.orderRecord)
  const base = record["baseUrl"] ?? null
  const source = digestOf([digestOf(terms), head ?? null, base, base, terms.agreement.digest])
  const { checkoutRequest: asked } = attempt
  const binding = bindingOf(attempt)
  if (opened === undefined || opened.payload["acceptedSourceDigest"] !== source) {
    return "has a source digest that is not over the head before its opening"
  }
  if (binding.acceptedSourceDigest !== source || record["acceptedSourceDigest"] !== source) {
    return "has two source digests"
  }
  if (record["financialHead"] !== head || digestOf(record["financialEvents"] ?? null) !== digestOf(before)) {
    return "has a record of other events than those before its opening"
  }
  const price = ({ currency, amountMinor, recipientAccount }: typeof asked | typeof terms | typeof binding) =>
    digestOf([currency, amountMinor, recipientAccount])
  if (price(binding) !== price(terms) || price(asked) !== price(terms)) return "has another price than its terms"
  return asked.acceptedSourceDigest === source && asked.commerceOrderId === attempt.commerceOrderId
    ? undefined
    : "asks the provider for another reference"
}

const openingViolation = (attempt: CommerceOrderRow, moment: Moment): string | undefined => {
  const project = rowIn(moment.rows, Projects, [attempt.projectId])
  if (project?.state !== "BUYER_CONFIRMED") return "opened while the buyer's acceptance did not hold"
  const numbers = rowsWithPrefix(moment.rows, CommerceOrders, [attempt.resultOrderId], "byOrder").map(
    ({ number }) => number
  )
  if (numbers.some((number, index) => number !== index + 1)) return "has a number out of order"
  return openingProblemOf(attempt, moment)
}
