/** The checks of a Result Order record: what was offered and approved before the attempt that it opens. */
import { digestOf } from "../canonical/digest.ts"
import { type FinancialEvent, resultOrder, type ResultOrder } from "./closure-shapes.ts"
import { openIssued } from "./issued-objects.ts"
import { digestWithoutHash } from "./journal.ts"
import { allOf, type CheckResult, fail, type Finding, inOrder, type Ledger, pass, same, sameDigest } from "./ledger.ts"
import { portableNames } from "./portable-shapes.ts"
import type { TrustContext } from "./verified-jws.ts"
import { enclosedPart, type VerifiedJws } from "./verified-objects.ts"

export const verifyResultOrder = (
  ledger: Ledger,
  jws: CheckResult<string>,
  context: TrustContext
): CheckResult<VerifiedJws<ResultOrder>> => {
  const order = openIssued(ledger, id, jws, kind, context)
  ledger.check(`${id}-terms`, id, { order }, ({ order }) =>
    sameDigest("termsDigest", enclosedPart(order, "terms").digest, order.content.termsDigest)
  )
  ledger.check(`${id}-financial`, id, { order }, ({ order }) => checkFinancialEvents(order.content))
  ledger.check(`${id}-source`, id, { order }, ({ order }) => checkSource(order.content))
  return order
}

const id = "order"
const kind = { schema: portableNames.resultOrder, purpose: "COMMERCE", form: resultOrder } as const

type State = "NONE" | "OFFERED" | "APPROVED" | "PAYING" | "PAID" | "DECLINED" | "WITHDRAWN"
type Party = "buyer" | "supplier"

/** The states from which each event starts, the state to which it leads, and its party: null for the service itself. */
const moves: Readonly<
  Record<FinancialEvent["kind"], readonly [from: ReadonlyArray<State>, to: State, by: Party | null]>
> = {
  OFFERED: [["NONE"], "OFFERED", "supplier"],
  APPROVED: [["OFFERED"], "APPROVED", "buyer"],
  DECLINED: [["OFFERED"], "DECLINED", "buyer"],
  WITHDRAWN: [["OFFERED", "APPROVED", "PAYING"], "WITHDRAWN", "supplier"],
  ATTEMPT_OPENED: [["APPROVED"], "PAYING", "buyer"],
  ATTEMPT_RELEASED: [["PAYING"], "APPROVED", null],
  ATTEMPT_PAID: [["PAYING"], "PAID", null]
}

/** One chain from the terms to the financial head, whose moves end with an approved order that has no open attempt. */
const checkFinancialEvents = (order: ResultOrder): Finding<null> => {
  const { financialEvents: events, financialHead, commerceOrderId } = order
  let state: State = "NONE"
  const attempts: Array<string> = []
  for (const [index, event] of events.entries()) {
    const at = `financialEvents[${index}]`
    const [from, to] = moves[event.kind]
    const finding = allOf(null, [
      checkLink(event, index, order, at),
      from.includes(state) ? pass(null) : fail("JOURNAL_MOVE", at, from.join(), state),
      checkActor(event, order, at),
      checkPayload(event, order, attempts, `${at}.payload`)
    ])
    if (!finding.ok) return finding
    if (event.kind === "ATTEMPT_OPENED") attempts.push(event.payload.commerceOrderId)
    state = to
  }
  return allOf(
    null,
    [
      same("JOURNAL_MOVE", "financialEvents", "APPROVED", state),
      same("JOURNAL_HEAD", "financialHead", events.at(-1)?.hash, financialHead),
      same("ATTEMPT_MISMATCH", "commerceOrderId", false, attempts.includes(commerceOrderId))
    ],
    financialHead
  )
}

const checkLink = (
  event: FinancialEvent,
  index: number,
  { resultOrderId, termsDigest, financialEvents }: ResultOrder,
  at: string
): Finding<null> => {
  const before = financialEvents[index - 1]
  return allOf(null, [
    same("JOURNAL_TRANSACTION", `${at}.resultOrderId`, resultOrderId, event.resultOrderId),
    same("JOURNAL_SEQUENCE", `${at}.sequence`, index + 1, event.sequence),
    same("JOURNAL_PREV", `${at}.previous`, before?.hash ?? termsDigest, event.previous),
    sameDigest(`${at}.hash`, digestWithoutHash(event), event.hash),
    inOrder(`${at}.occurredAt`, before?.occurredAt ?? "", event.occurredAt)
  ])
}

/** A person of the party whose move it is, with a request; the service has neither. */
const checkActor = ({ kind, actor, requestId }: FinancialEvent, { terms }: ResultOrder, at: string): Finding<null> => {
  const [, , by] = moves[kind]
  const expected = by === null ? null : terms[by].organizationId
  return allOf(null, [
    same("PARTY_MISMATCH", `${at}.actor`, expected, actor?.organizationId ?? null),
    same("PARTY_MISMATCH", `${at}.requestId`, by === null, requestId === null)
  ])
}

/** Offer and approval are of these terms; an attempt is new when it opens, and is the one that is released or paid. */
const checkPayload = (
  event: FinancialEvent,
  { termsDigest }: ResultOrder,
  attempts: ReadonlyArray<string>,
  at: string
): Finding<null> => {
  switch (event.kind) {
    case "OFFERED":
    case "APPROVED":
      return sameDigest(`${at}.termsDigest`, termsDigest, event.payload.termsDigest)
    case "ATTEMPT_OPENED":
      return allOf(null, [
        same("ATTEMPT_MISMATCH", `${at}.commerceOrderId`, false, attempts.includes(event.payload.commerceOrderId)),
        same("ATTEMPT_MISMATCH", `${at}.number`, attempts.length + 1, event.payload.number)
      ])
    case "ATTEMPT_RELEASED":
    case "ATTEMPT_PAID":
      return same("ATTEMPT_MISMATCH", `${at}.commerceOrderId`, attempts.at(-1), event.payload.commerceOrderId)
    default:
      return pass(null)
  }
}

/** What the buyer accepted: the terms, the head before the attempt, the base address twice, and the agreement. */
const checkSource = ({
  termsDigest,
  financialHead,
  baseUrl,
  terms,
  acceptedSourceDigest
}: ResultOrder): Finding<null> => {
  const source = digestOf([termsDigest, financialHead, baseUrl, baseUrl, terms.agreement.digest])
  return same("PAYMENT_SOURCE_MISMATCH", "acceptedSourceDigest", source, acceptedSourceDigest)
}
