/** Cases of a lineage whose parts are each signed by the issuer, and differ in one value that ties them together. */
import { ids } from "../sample-ids.ts"
import { lineageIds, makeSelection, manifestOf } from "../sample-lineage.ts"
import { passportIds } from "../sample-passport.ts"
import { at, digest, type Members, uuid } from "../signing.ts"
import type { Case } from "./case.ts"
import { firstAttempt, other, thirdParty } from "./closure-samples.ts"
import { agreement, closureAt, lineageFail, type LineageInputs, link, reference, snapshot } from "./lineage-inputs.ts"
import { payloadOf } from "./samples.ts"

const record = payloadOf(firstAttempt.parts.resultPackage["record"])
/** The record of another transaction of the same supplier. */
const otherRecord = payloadOf(other.parts.resultPackage["record"])
const anotherDigest = digest("another object")

const cooperateFail = lineageFail("lineage-cooperate", "COOPERATE_MISMATCH")

/** The reference names this entry of the passport. */
const naming =
  (index: number): NonNullable<LineageInputs["reference"]> =>
  (one, passport) => {
    const { resultId, publicationId, publicationDigest, summaryDigest } = manifestOf(passport)["entries"][index]
    one["references"] = [{ relation: "COOPERATE", resultId, publicationId, publicationDigest, summaryDigest }]
  }

const named = (edit: (named: Members) => unknown): LineageInputs => reference((one) => edit(one["references"][0]))

const cooperations: ReadonlyArray<Case> = [
  cooperateFail(
    "no-reference",
    "The reference names no result.",
    reference((one) => (one["references"] = []))
  ),
  cooperateFail("two-references", "The reference names two results of the passport.", {
    reference: (one, passport) => {
      const [first] = one["references"]
      naming(1)(one, passport)
      one["references"].unshift(first)
    }
  }),
  cooperateFail(
    "reference-twice",
    "The reference names the same result twice.",
    reference((one) => one["references"].push(one["references"][0]))
  ),
  cooperateFail("another-result", "The reference names another result of the same supplier in the passport.", {
    reference: naming(1)
  }),
  cooperateFail(
    "not-in-manifest",
    "The reference names a result that the passport does not list.",
    named((one) => (one["resultId"] = `record_${uuid(88)}`))
  ),
  cooperateFail(
    "another-publication",
    "The reference names the result by another publication.",
    named((one) => (one["publicationId"] = passportIds.publication(1)))
  ),
  cooperateFail(
    "publication-digest",
    "The reference names another content of the publication.",
    named((one) => (one["publicationDigest"] = anotherDigest))
  ),
  cooperateFail(
    "summary-digest",
    "The reference names another text of the summary's JWS.",
    named((one) => (one["summaryDigest"] = anotherDigest))
  ),
  cooperateFail("foreign-result", "Passport and reference are of a result of another transaction.", {
    passport: {
      summary: (summary, index) =>
        index === 0
          ? void Object.assign(summary, { resultId: otherRecord["recordId"], resultDigest: digest(otherRecord) })
          : undefined
    }
  }),
  cooperateFail("summary-of-another-record", "The summary has the id of the record, and the digest of another.", {
    passport: { summary: (summary, index) => void (index === 0 && (summary["resultDigest"] = anotherDigest)) }
  }),
  cooperateFail(
    "record-under-another-id",
    "Another result of the passport has the digest of the record in its summary.",
    {
      passport: {
        summary: (summary, index) =>
          index === 1
            ? void Object.assign(summary, { resultDigest: digest(record), completionTime: record["acceptedAt"] })
            : undefined
      },
      reference: naming(1)
    }
  ),
  cooperateFail("another-completion", "The summary was completed at another time than the record says.", {
    passport: { summary: (summary, index) => void (index === 0 && (summary["completionTime"] = at(15, 1))) }
  })
]

const passportFail = lineageFail("lineage-passport", "PASSPORT_MISMATCH")

const selections: ReadonlyArray<Case> = [
  passportFail("another-passport", "The enclosed passport is another selection with the same result.", {
    closure: {
      body: (body) => {
        const record = payloadOf(payloadOf(body["data"].artifacts.resultPackage)["record"])
        body["lineage"].passport = makeSelection(record, { count: 1 })
      }
    }
  }),
  passportFail("passport-signed-again", "The enclosed passport was exported again a millisecond earlier.", {
    closure: {
      body: (body) => {
        const record = payloadOf(payloadOf(body["data"].artifacts.resultPackage)["record"])
        body["lineage"].passport = makeSelection(record, { manifest: (one) => void (one["issuedAt"] = at(19, 59_999)) })
      }
    }
  }),
  passportFail(
    "another-subject",
    "The reference names another subject than the passport.",
    reference((one) => (one["passport"].subjectId = `provider_${uuid(61)}`))
  )
]

const linkFail = lineageFail("lineage-original", "LINK_MISMATCH")
const original = (edit: (original: Members) => unknown): LineageInputs => link((one) => edit(one["original"]))

const links: ReadonlyArray<Case> = [
  linkFail(
    "link-of-another-reference",
    "The link is that of another history reference.",
    link((one) => (one["reference"].id = `reference_${uuid(505)}`))
  ),
  linkFail(
    "link-of-changed-reference",
    "The link names the reference by its id, with the digest of another content.",
    link((one) => (one["reference"].digest = anotherDigest))
  ),
  linkFail(
    "another-original",
    "The link leads to another transaction of the same supplier.",
    link((one) => {
      const { projectId, version } = other.parts.resultPackage["agreement"]
      one["original"] = {
        projectId,
        version,
        agreementDigest: digest(other.parts.resultPackage["agreement"]),
        recordId: otherRecord["recordId"],
        recordDigest: digest(otherRecord)
      }
    })
  ),
  linkFail("original-version", "The link names the next version of the first agreement.", {
    ...original((one) => one["version"]++)
  }),
  linkFail("original-agreement", "The link names the first agreement with another digest.", {
    ...original((one) => (one["agreementDigest"] = anotherDigest))
  }),
  linkFail("original-record", "The link names another record of the first project.", {
    ...original((one) => (one["recordId"] = `record_${uuid(88)}`))
  }),
  linkFail("original-record-digest", "The link names the record with the digest of another content.", {
    ...original((one) => (one["recordDigest"] = anotherDigest))
  })
]

const nextFail = lineageFail("lineage-next", "NEXT_MISMATCH")
const next = (edit: (next: Members) => unknown): LineageInputs => link((one) => edit(one["next"]))
const project = (edit: (project: Members) => unknown): LineageInputs => reference((one) => edit(one["project"]))

const nexts: ReadonlyArray<Case> = [
  nextFail("link-to-another-next", "The link leads to another next agreement than the reference.", {
    ...next((one) => (one["projectId"] = `delivery_${uuid(506)}`))
  }),
  nextFail("reference-of-another-next", "The reference was made for another next agreement.", {
    ...project((one) => (one["id"] = `delivery_${uuid(506)}`))
  }),
  nextFail("reference-of-another-version", "The reference was made for another version.", {
    ...project((one) => one["version"]++)
  }),
  nextFail("reference-agreement-digest", "The reference names the next agreement with another digest.", {
    ...project((one) => (one["agreementDigest"] = anotherDigest))
  }),
  nextFail(
    "terms-edited",
    "The terms in the snapshot were edited after reference and link were signed.",
    snapshot((one) => (one["agreement"] = { ...one["agreement"], terms: { ...one["agreement"].terms, title: "Free" } }))
  ),
  nextFail(
    "snapshot-of-revision",
    "The snapshot is of the revised agreement, and reference and link of the first version.",
    snapshot(
      (one) =>
        (one["agreement"] = {
          ...one["agreement"],
          projectId: `delivery_${uuid(507)}`,
          version: 2,
          previous: { projectId: lineageIds.project, digest: digest(one["agreement"]) }
        })
    )
  ),
  nextFail(
    "self",
    "The next agreement is the first one.",
    agreement((one) => (one["projectId"] = ids.project))
  ),
  nextFail(
    "another-confirmation",
    "Link and snapshot name two confirmations.",
    snapshot((one) => (one["confirmedEvent"].hash = anotherDigest))
  ),
  nextFail(
    "confirmed-by-creation",
    "The confirmation is the first event, with which the buyer created the project.",
    snapshot((one) => (one["confirmedEvent"].sequence = 1))
  ),
  nextFail(
    "confirmed-after-head",
    "The confirmation is a later event than the last one of the snapshot.",
    snapshot((one) => (one["head"].count = 1))
  ),
  nextFail(
    "head-beside-confirmation",
    "The confirmation is the last event, and the head is the hash of another.",
    snapshot((one) => (one["head"].count = 2))
  ),
  ...["AWAITING_SUPPLIER", "AGREEMENT_CHANGES_REQUESTED", "SUPPLIER_DECLINED", "CONFIRMED"].map((state) =>
    nextFail(
      state === "CONFIRMED" ? "unknown-state" : `unconfirmed-${state.toLowerCase().replaceAll("_", "-")}`,
      "The snapshot states a state that no confirmed agreement has.",
      snapshot((one) => (one["state"] = state))
    )
  ),
  lineageFail("lineage-next", "PARTY_MISMATCH")(
    "made-by-supplier",
    "The supplier's organization made the reference in the place of the buyer.",
    reference((one) => (one["madeBy"].organizationId = ids.supplierOrganization))
  )
]

const supplierFail = lineageFail("lineage-supplier", "PARTY_MISMATCH")

const suppliers: ReadonlyArray<Case> = [
  supplierFail("another-supplier", "A third organization supplies the next agreement.", {
    link: (one) => void (one["supplierOrganizationId"] = thirdParty),
    snapshot: (one) => void (one["supplierOrganizationId"] = thirdParty)
  }),
  supplierFail("link-of-another-supplier", "The link names a third organization as the supplier.", {
    ...link((one) => (one["supplierOrganizationId"] = thirdParty))
  }),
  supplierFail("snapshot-of-another-supplier", "The snapshot names a third organization as the supplier.", {
    ...snapshot((one) => (one["supplierOrganizationId"] = thirdParty))
  })
]

const timeFail = lineageFail("lineage-times", "JOURNAL_TIME")

const times: ReadonlyArray<Case> = [
  timeFail("summary-before-record", "The summary was signed one millisecond before the record that it is of.", {
    passport: { summary: (one, index) => void (index === 0 && (one["issuedAt"] = at(17, 59_999))) }
  }),
  timeFail(
    "reference-before-passport",
    "The reference was signed one millisecond before the passport on which it was made.",
    reference((one) => (one["issuedAt"] = at(19, 59_999)))
  ),
  timeFail(
    "link-before-reference",
    "The link was signed one millisecond before the reference.",
    link((one) => (one["issuedAt"] = at(20, 999)))
  ),
  timeFail(
    "snapshot-before-link",
    "The snapshot was signed one millisecond before the link.",
    snapshot((one) => (one["issuedAt"] = at(20, 1_999)))
  ),
  timeFail(
    "closure-before-snapshot",
    "The closure was signed one millisecond before the snapshot in it.",
    closureAt(at(20, 2_999))
  )
]

export const lineageBindingCases: ReadonlyArray<Case> = [
  cooperations,
  selections,
  links,
  nexts,
  suppliers,
  times
].flat()
