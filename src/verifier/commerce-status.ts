/**
 * The checks of a Commerce status: what became of a payment after its record was exported. Each component has a time of its
 * own, so that an old answer of the provider never counts as a new one.
 */
import { checkComponents, observationsIn, type PlacedObservation } from "./commerce-status-components.ts"
import { readDocument } from "./document.ts"
import { verifyIssuer } from "./issued-objects.ts"
import { permittedLabel } from "./labels.ts"
import {
  allOf,
  andThen,
  type CheckResult,
  combineList,
  combineRecord,
  derive,
  fail,
  type Finding,
  type Ledger,
  pass,
  same
} from "./ledger.ts"
import {
  type CommerceRecord,
  type CommerceStatus,
  commerceStatus,
  commerceStatusFile,
  notReplayed,
  portableNames
} from "./portable-shapes.ts"
import { isObject, validate } from "./schema-kit.ts"
import { type TrustContext, verifyJwsAs } from "./verified-jws.ts"
import { enclosedPart, readContent, type VerifiedJws } from "./verified-objects.ts"
import { verifierLimits } from "./verifier-limits.ts"

export interface VerifiedCommerceStatus {
  /** Proven when every check but those of freshness passed. */
  readonly status: CheckResult<VerifiedJws<CommerceStatus>>
  /** True when every component was read, and is fresh too. */
  readonly isProven: boolean
}

/** Parses the service's file commerce-status.json. */
export const readCommerceStatusFile = (bytes: Uint8Array): Finding<string> =>
  andThen(readDocument(bytes, verifierLimits.portableBytesMax), (document) => {
    const isStatus =
      document.form === "json" && isObject(document.json) && document.json["schema"] === portableNames.commerceStatus
    return isStatus
      ? andThen(validate(commerceStatusFile, document.json), ({ status }) => pass(status))
      : fail("STATUS_KIND", "", "OBJECT")
  })

/** Beside the record that it names: a failure here does not change the verdict on the record. */
export const verifyCommerceStatus = (
  ledger: Ledger,
  jws: Finding<string> | undefined,
  record: CheckResult<VerifiedJws<CommerceRecord>>,
  context: TrustContext
): VerifiedCommerceStatus => {
  if (jws === undefined) {
    ledger.leaveToReader(`${id}-signature`, object, "STATUS_ABSENT")
    return { status: { known: false, because: `${id}-signature` }, isProven: false }
  }
  const { opened, issued } = openStatus(ledger, jws, context)
  const bound = ledger.check(`${id}-record`, object, { issued, record }, ({ issued, record }) =>
    checkRecord(issued, record)
  )
  const subject = derive(combineRecord({ record, bound }), ({ record }) => record)
  const proven = verifyContents(ledger, issued, subject)
  return provenStatus(proven, checkFreshness(ledger, opened, context))
}

/**
 * A status that is itself the artifact: its own checks go to the ledger of the verdict, and its freshness to that of the
 * current status. The record that it names is absent.
 */
export const verifyCommerceStatusAlone = (
  verdict: Ledger,
  current: Ledger,
  jws: string,
  context: TrustContext
): VerifiedCommerceStatus => {
  const { opened, issued } = openStatus(verdict, pass(jws), context)
  const digest = derive(opened, ({ content }) => content.record.digest)
  current.leaveToReader(`${id}-record`, object, "RECORD_NOT_ENCLOSED", digest.known ? digest.value : undefined)
  const proven = verifyContents(verdict, issued, { known: true, value: undefined })
  return provenStatus(proven, checkFreshness(current, opened, context))
}

const id = "commerce-status"
const object = "status"

/** `opened`: of the schema and signed with a trusted key; `issued`: of the issuer and environment of the trust file too. */
const openStatus = (ledger: Ledger, jws: Finding<string>, context: TrustContext) => {
  const signed = ledger.check(`${id}-signature`, object, { ...context }, (values) =>
    andThen(jws, (text) => verifyJwsAs(portableNames.commerceStatus, "COMMERCE")(text, values))
  )
  const opened = ledger.check(`${id}-form`, object, { signed }, ({ signed }) => readContent(commerceStatus, signed))
  const issuer = verifyIssuer(ledger, id, opened, context)
  return { opened, issued: derive(combineRecord({ opened, issuer }), ({ opened }) => opened) }
}

type Subject = VerifiedJws<CommerceRecord> | undefined

type Status = CheckResult<VerifiedJws<CommerceStatus>>

/** The status, proven when all of it agrees with itself and with the record. */
const verifyContents = (ledger: Ledger, issued: Status, subject: CheckResult<Subject>): Status => {
  const latest = ledger.check(`${id}-latest`, object, { issued, subject }, ({ issued, subject }) =>
    checkLatest(issued, subject)
  )
  const components = ledger.check(`${id}-components`, object, { issued, subject }, ({ issued: { content }, subject }) =>
    checkComponents(content, subject?.content.journal.entries ?? [])
  )
  const placed = derive(issued, ({ content }) => observationsIn(content))
  const observations = ledger.each(`${id}-observation`, "observation", placed, { issued, subject }, (one, values) =>
    checkObservation(one, values.issued.content, values.subject?.content)
  )
  return derive(combineRecord({ issued, latest, components, observations }), (values) => values.issued)
}

const provenStatus = (status: Status, isFresh: boolean): VerifiedCommerceStatus => ({
  status,
  isProven: status.known && isFresh
})

/** The status names this record, and both are of one payment attempt. */
const checkRecord = (status: VerifiedJws<CommerceStatus>, record: VerifiedJws<CommerceRecord>): Finding<null> => {
  const { digest, count, head } = status.content.record
  const { journal } = record.content
  return allOf(
    null,
    [
      same("STATUS_SUBJECT", "record.digest", record.signed.digest, digest),
      same("STATUS_SUBJECT", "binding", enclosedPart(record, "binding").digest, enclosedPart(status, "binding").digest),
      same("STATUS_SUBJECT", "record.count", journal.count, count),
      same("STATUS_SUBJECT", "record.head", journal.head, head)
    ],
    digest
  )
}

/** The journal has not become shorter than the record, and the status says whether it became longer. */
const checkLatest = (status: VerifiedJws<CommerceStatus>, record: Subject): Finding<null> => {
  const { record: named, latest, historyExtension, issuedAt } = status.content
  const isExtended = latest.count !== named.count
  return allOf(
    null,
    [
      same("STATUS_ROLLBACK", "latest.count", false, latest.count < named.count),
      same("STATUS_ROLLBACK", "issuedAt", false, issuedAt < (record?.content.issuedAt ?? "")),
      same("STATUS_VALUE", "latest.head", isExtended, latest.head !== named.head),
      same("STATUS_VALUE", "historyExtension", isExtended ? notReplayed : null, historyExtension),
      latest.count === 0
        ? same("STATUS_VALUE", "latest.head", enclosedPart(status, "binding").digest, latest.head)
        : pass(null)
    ],
    latest.head
  )
}

/** Within the record an observation is one of its entries; beyond it, it follows them. */
const checkObservation = (
  placed: PlacedObservation,
  status: CommerceStatus,
  record: CommerceRecord | undefined
): Finding<null> => {
  const { observation, lastObservedAt } = placed
  const { sequence, observedAt, hash, statusObservation } = observation
  const isWithin = sequence <= status.record.count
  const isReplayed = isWithin && observedAt === lastObservedAt
  return allOf(
    null,
    [
      same("STATUS_REPLAY", "statusObservation", isReplayed ? null : notReplayed, statusObservation),
      isWithin ? checkReplay(placed, record) : checkSequel(observedAt, record),
      checkLabel(placed, status, record)
    ],
    hash
  )
}

/**
 * Within the record a label is the record's. Beyond it, and without the record that of a checkout or payment, it is the one
 * that the status permits; without the record the others depend on entries that are absent.
 */
const checkLabel = (
  placed: PlacedObservation,
  status: CommerceStatus,
  record: CommerceRecord | undefined
): Finding<null> => {
  const { component, observation } = placed
  const { sequence, label } = observation
  if (sequence > status.record.count) return same("LABEL_MISMATCH", "label", permittedLabel(status, placed), label)
  if (record !== undefined) return same("LABEL_MISMATCH", "label", record.labels[sequence - 1], label)
  return component === "CHECKOUT" || component === "PAYMENT"
    ? same("LABEL_MISMATCH", "label", permittedLabel(status, placed), label)
    : pass(null)
}

/** It is the record's latest entry of its entity. */
const checkReplay = (
  { component, observation }: PlacedObservation,
  record: CommerceRecord | undefined
): Finding<null> => {
  if (record === undefined) return pass(null)
  const { sequence, entity, hash, observedAt, facts } = observation
  const { entries } = record.journal
  const latest = entries.findLast((entry) => entry.component === component && entry.entity === entity)
  return allOf(null, [
    same("STATUS_REPLAY", "sequence", latest?.sequence, sequence),
    same("STATUS_REPLAY", "hash", latest?.hash, hash),
    same("STATUS_REPLAY", "observedAt", latest?.observedAt, observedAt),
    same("STATUS_REPLAY", "facts", textOf(latest?.facts), textOf(facts))
  ])
}

const checkSequel = (observedAt: string, record: CommerceRecord | undefined): Finding<null> =>
  same("STATUS_TIME", "observedAt", false, observedAt < (record?.journal.entries.at(-1)?.observedAt ?? ""))

/** The canonical text of a value in a verified payload, whose members were read in canonical order. */
const textOf = (value: unknown): string | undefined => JSON.stringify(value)

/** True if every component is fresh; one that was never read is left to the reader. */
const checkFreshness = (ledger: Ledger, opened: Status, { checkedAt }: TrustContext): boolean => {
  if (!opened.known) {
    ledger.check(`${id}-fresh`, "component", { opened }, () => pass(null))
    return false
  }
  const fresh = opened.value.content.components.map(({ expiresAt }, index) => {
    const object = `component/${index + 1}`
    if (expiresAt !== null) {
      return ledger.check(`${id}-fresh`, object, { checkedAt }, ({ checkedAt }) =>
        expiresAt <= checkedAt ? fail("STATUS_STALE", "expiresAt", checkedAt, expiresAt) : pass(null, expiresAt)
      )
    }
    ledger.leaveToReader(`${id}-fresh`, object, "COMPONENT_NOT_READ")
    return { known: false, because: `${id}-fresh` } as const
  })
  return combineList(fresh).known
}
