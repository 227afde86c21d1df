/** One object of every kind in a record, in each of its variants. */

import { payloadOf } from "../support/published-schemas.ts"
import {
  acceptanceSigned,
  before,
  buyer,
  concern,
  hold,
  lift,
  mia,
  rename,
  signing,
  signs,
  supersede,
  supplier,
  afterIssuance,
  composeForgeries,
  uphold,
  withdraw
} from "./sample-steps.ts"
import { statements } from "./corpus/gap-cases.ts"
import { policyFor } from "./policy.ts"
import { ids, salt } from "./sample-ids.ts"
import { type Forgery, makeSample } from "./sample.ts"
import { makeClosure } from "./sample-closure.ts"
import { makeClosureV1 } from "./sample-closure-v1.ts"
import { allObservations, makeCommerceRecord } from "./sample-commerce.ts"
import { makeCommerceStatus } from "./sample-commerce-status.ts"
import { makePassport } from "./sample-passport.ts"
import { at, type Members } from "./signing.ts"
import { extractObjects, type CaseObject } from "./case-objects.ts"

/** Each event is valid by itself; no valid history has all of them. */
const everything: Forgery = {
  ...composeForgeries(
    signing("NATIVE", { counterparty: ids.supplier }),
    acceptanceSigned("NATIVE"),
    signs(buyer, "NATIVE"),
    signs(supplier, "EXTERNAL"),
    before("RESPOND", [
      mia,
      "INVITATION_ACCEPTED",
      { invitationId: `invitation_${ids.project.slice(9)}`, supplierActorId: mia.id }
    ]),
    before("SUBMIT_AGAIN", hold("buyer", "DELIVERY"), lift(supplier, "DELIVERY")),
    afterIssuance(concern(supplier), uphold(buyer), withdraw(buyer), rename(mia, mia.id), supersede("successor")),
    {
      agreement: (agreement) => {
        agreement["previous"] = { projectId: ids.successor, digest: salt(40) }
        agreement["terms"].subjectRequirements = [{ id: "r1", statement: "By people", humanDecisions: ["ISSUE"] }]
      },
      history: (events) =>
        void Object.assign(events[0]!["payload"], {
          proposalDigest: salt(41),
          supplierOrganizationId: ids.supplierOrganization
        })
    }
  ),
  authority: (event, grant, index) => {
    if (grant === "buyer" && index === 1)
      Object.assign(event, { kind: "LINK_PROPOSAL", change: { proposalDigest: salt(42) } })
    if (grant === "supplier" && index === 3) Object.assign(event, { kind: "REVOKE", change: {} })
  },
  trust: (file) => void (file["keys"][0].revokedAt = at(50)),
  ...statements([{ after: 1 }])
}

/** Each kind of event once, and one object of every other kind. */
export const everyObject = (): ReadonlyArray<CaseObject> => {
  const sample = makeSample(everything)
  const policy = policyFor(sample.package)
  policy["authorityRevocations"] = [{ grantDigest: salt(43), revokedAt: at(30) }]
  policy["authorityAnchors"][0].revokedAt = at(40)
  const inputs = { trust: sample.bytes(sample.trust), checkedAt: at(21) }
  const passport = makePassport()
  const payment = makeCommerceRecord()
  const paymentStatus = makeCommerceStatus({ later: allObservations() })
  const closure = makeClosure({ attempt: 2, events: withEveryKind, lineage: {} })
  const closureV1 = makeClosureV1()
  const all = [
    // First, since of two objects of a kind the later one stays, and its package is a brief one.
    ...extractObjects({ ...inputs, artifact: closure.bytes(closure.file) }).parts,
    ...extractObjects({ ...inputs, artifact: closure.bytes(closureV1.file) }).parts,
    ...extractObjects({ ...inputs, artifact: sample.bytes(sample.review), policy: sample.bytes(policy) }).parts,
    ...extractObjects({ ...inputs, artifact: sample.bytes(standardRecord(sample.record)) }).parts,
    ...extractObjects({ ...inputs, artifact: passport.bytes(passport.file) }).parts,
    ...extractObjects({ ...inputs, artifact: payment.bytes(payment.file) }).parts,
    ...extractObjects({ ...inputs, artifact: paymentStatus.bytes(paymentStatus.statusFile) }).parts
  ]
  return [...new Map(all.map((part) => [kindOf(part), part])).values()]
}

/** Each financial event is valid by itself; no order has all of them. */
const withEveryKind = (events: Array<Members>): void => {
  const { commerceOrderId, journal } = events[3]!["payload"]
  const payloads = {
    DECLINED: { reason: "Too late" },
    WITHDRAWN: { reason: "" },
    ATTEMPT_PAID: { commerceOrderId, journal }
  }
  for (const [kind, payload] of Object.entries(payloads)) events.push({ ...events[3]!, kind, payload })
}

const kindOf = ({ format, value }: CaseObject): string => {
  const { kind, payload, actor } = value as Members
  return [format, kind, payload?.action, payload?.signature?.method, actor?.execution === null].join()
}

const standardRecord = (record: string): Members => {
  const { recordId, projectId, agreement, confirmation, issuedAt } = payloadOf(record)
  return {
    schema: "service.standard-record/v1",
    record,
    metadata: {
      label: "UNSIGNED_AGENT_METADATA_NOT_VERIFIED",
      projectId,
      agreementDigest: agreement.digest,
      agreementVersion: agreement.version,
      confirmationId: confirmation.id,
      recordId,
      recordDigest: salt(44),
      issuedAt,
      state: "BUYER_CONFIRMED",
      reliance: "CURRENT"
    }
  }
}
