/** Other transactions between the same parties, whose parts the cases put into a closure, and edits of many values at once. */
import { closureIds, type ClosureForgery, type ClosureSample, makeClosure } from "../sample-closure.ts"
import { ids } from "../sample-ids.ts"
import type { Forgery } from "../sample.ts"
import { at, digest, type Members, uuid } from "../signing.ts"
import { reviewAgain } from "./brief-sample.ts"
import { payloadOf } from "./samples.ts"

export type ArtifactName = "resultPackage" | "resultOrder" | "commerceRecord"

/** Another project of the same parties, accepted on the same day. */
const otherResult: Forgery = {
  agreement: (agreement) => {
    agreement["projectId"] = `delivery_${uuid(400)}`
    agreement["terms"].title = "Another report"
  },
  history: (events) => {
    const [submit, review] = events.slice(2) as [Members, Members]
    submit["payload"].submissionId = `submission_${uuid(401)}`
    review["payload"].reviewId = `review_${uuid(402)}`
    reviewAgain([submit, review])
  },
  event: (event) => void (event["projectId"] = `delivery_${uuid(400)}`),
  record: (record) => Object.assign(record, { projectId: `delivery_${uuid(400)}`, recordId: `record_${uuid(403)}` })
}

export const otherOrder = `order_${uuid(404)}`
export const otherAttempt = `commerce_${uuid(405)}`

const otherTransaction: ClosureForgery = {
  result: otherResult,
  event: (event) => void (event["resultOrderId"] = otherOrder),
  order: (order) => void Object.assign(order, { resultOrderId: otherOrder, commerceOrderId: otherAttempt })
}

export const other: ClosureSample = makeClosure(otherTransaction)

export const artifactsOf = ({ body }: ClosureSample): Members => body["data"].artifacts

/** These artifacts are those of another closure, and references and assurance follow them. */
export const exchanged = (from: ClosureSample, ...names: ReadonlyArray<ArtifactName>): ClosureForgery => ({
  artifacts: (artifacts) => {
    for (const name of names) artifacts[name] = artifactsOf(from)[name]
  }
})

/** The same, while every reference stays as it was. */
export const exchangedAlone = (from: ClosureSample, name: ArtifactName): ClosureForgery => ({
  body: ({ data }) => void (data.artifacts[name] = artifactsOf(from)[name])
})

/** Replaces a value wherever it stands in an object. */
export const replaceValue = (value: any, from: unknown, to: unknown): any => {
  if (value === from) return to
  if (Array.isArray(value)) return value.map((one) => replaceValue(one, from, to))
  if (value === null || typeof value !== "object") return value
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, replaceValue(member, from, to)]))
}

/** The payment is bound to another value than the order states, and the provider's answers have it throughout. */
export const paidWith = (member: string, from: unknown, to: unknown): ClosureForgery => ({
  payment: {
    binding: (binding) => void (binding[member] = to),
    observations: (all) => all.map((one) => ({ ...one, facts: replaceValue(one["facts"], from, to) }))
  }
})

const [revised, before] = [2, digest("the first version of the agreement")]

/** The agreement is the second version; its record names this version. */
export const ofRevision: Forgery = {
  agreement: (agreement) =>
    void Object.assign(agreement, { version: revised, previous: { projectId: ids.successor, digest: before } }),
  record: (record) => void (record["agreement"].version = revised)
}

/** The submission and the review of the first round, from a result of two. */
export const firstRound = (content: Members): { readonly submission: Members; readonly review: Members } => {
  const payloads = content["events"].map((jws: string) => payloadOf(jws))
  const first = (kind: string) => payloads.find((event: Members) => event["kind"] === kind)["payload"]
  return { submission: first("SUBMIT"), review: first("REVIEW") }
}

/** The package of the same record, signed again a second later. */
export const signedAgain: ClosureSample = makeClosure({
  result: { content: (content) => void (content["issuedAt"] = at(18, 1_500)) }
})

/** A record over the same history with the same id, issued a moment earlier. */
export const reissued: ClosureSample = makeClosure({
  result: { record: (record) => void (record["issuedAt"] = at(17)) }
})

export const [firstAttempt, secondAttempt] = [makeClosure(), makeClosure({ attempt: 2 })]

/** An opening of the first attempt, whose hash is the head after it. */
export const openingEvent = (): Members => secondAttempt.parts.resultOrder["financialEvents"][2]

export const thirdParty = `organization_${uuid(406)}`
export const anotherAttempt = closureIds.attempt(9)
