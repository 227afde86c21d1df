/** Cases of a closure's lineage: the enclosed passport, the history reference, the agreement link and the snapshot. */
import { ids } from "../sample-ids.ts"
import { manifestOf } from "../sample-lineage.ts"
import { summaryOf } from "../sample-passport.ts"
import { at, digest, signPayload, type Members, detach } from "../signing.ts"
import type { Case } from "./case.ts"
import {
  agreement,
  closureAt,
  file,
  lineageFail,
  type LineageInputs,
  lineageOk,
  link,
  manifest,
  reference,
  snapshot
} from "./lineage-inputs.ts"
import { signedBy } from "./passport-inputs.ts"

const anotherDigest = digest("another object")

const complete: ReadonlyArray<Case> = [
  lineageOk("complete", "Another buyer chose the supplier again, on the ground of the result in this closure."),
  lineageOk("one-result", "The passport holds the result of this closure alone.", { passport: { count: 1 } }),
  lineageOk(
    "result-second-in-passport",
    "The passport lists the result of this closure after another result of the same supplier.",
    manifestInOtherOrder()
  ),
  lineageOk("without-statuses", "The passport holds no statement; those in a lineage count for nothing.", {
    passport: { file: (one) => void (one["statuses"] = []) }
  }),
  lineageOk("unavailable", "The publication was withdrawn later; the choice had been made before.", {
    passport: { statement: (one) => void (one["status"] = "UNAVAILABLE") }
  }),
  lineageOk("statuses-forged", "A stranger signed the statements in the passport; none of them is read.", {
    passport: { signStatement: signedBy("stranger", "STATUS") }
  }),
  lineageOk("same-buyer", "The buyer of the first agreement chose the same supplier again.", {
    agreement: (one) => void (one["buyer"] = { organizationId: ids.buyerOrganization, actorId: ids.buyer }),
    reference: (one) => void (one["madeBy"] = { organizationId: ids.buyerOrganization, personId: ids.buyer })
  }),
  lineageOk("next-just-confirmed", "The confirmation is the last event of the next agreement.", {
    snapshot: (one) => {
      const { sequence, hash } = one["confirmedEvent"]
      Object.assign(one, { state: "LOCKED", head: { eventHash: hash, count: sequence } })
    }
  }),
  lineageOk("next-superseded", "The next agreement was superseded after the reference was made.", {
    ...snapshot((one) => (one["state"] = "SUPERSEDED"))
  }),
  lineageOk("next-of-revision", "The next agreement is the second version of another project, and was confirmed.", {
    ...agreement((one) =>
      Object.assign(one, { version: 2, previous: { projectId: ids.successor, digest: anotherDigest } })
    )
  }),
  lineageOk("same-moment", "Passport, reference, link, snapshot and closure were signed in one millisecond.", {
    reference: (one) => void (one["issuedAt"] = at(20)),
    link: (one) => void (one["issuedAt"] = at(20)),
    snapshot: (one) => void (one["issuedAt"] = at(20)),
    ...closureAt(at(20))
  }),
  lineageOk("with-status", "Both halves of the status of the first transaction hold beside a lineage.", {
    closure: { status: ({ statusFile }) => statusFile }
  })
]

/** The two entries and their summaries are exchanged, and the reference still names the same publication. */
function manifestInOtherOrder(): LineageInputs {
  return {
    passport: {
      manifest: (one) => void one["entries"].reverse(),
      file: (one) => void one["summaries"].reverse()
    },
    reference: (one, passport) => {
      const { resultId, publicationId, publicationDigest, summaryDigest } = manifestOf(passport)["entries"][1]
      one["references"] = [{ relation: "COOPERATE", resultId, publicationId, publicationDigest, summaryDigest }]
    }
  }
}

const plainBodyOf = (body: Members): Members =>
  Object.fromEntries(Object.entries(body).filter(([member]) => member !== "lineage"))

const formFail = lineageFail("closure-form", "MISSING_MEMBER")

const envelope: ReadonlyArray<Case> = [
  formFail("empty", "The lineage is an empty object.", { file: () => ({}) }),
  ...(["passport", "historyReference", "agreementLink", "nextAgreement"] as const).map((member) =>
    formFail(
      `without-${member.replace(/[A-Z]/, (letter) => `-${letter.toLowerCase()}`)}`,
      "One of the four members of the lineage is missing.",
      file((one) => delete one[member])
    )
  ),
  lineageFail("closure-form", "UNKNOWN_MEMBER")(
    "second-link",
    "The lineage encloses a second link beside the first.",
    file((one) => (one["agreementLinks"] = [one["agreementLink"]]))
  ),
  lineageFail("closure-form", "FIELD_TYPE")(
    "list-of-references",
    "The history reference is a list with one JWS.",
    file((one) => (one["historyReference"] = [one["historyReference"]]))
  ),
  lineageFail("closure-signature", "SIGNATURE_INVALID")(
    "added-later",
    "The lineage was added to a closure that the issuer had signed without one.",
    {
      closure: {
        sign: (one) => detach(signPayload("CLOSURE", plainBodyOf(one)))
      }
    }
  )
]

const passports: ReadonlyArray<Case> = [
  lineageFail("passport-signature", "KEY_ROLE")("passport-by-closure-key", "The key of closures signed the passport.", {
    passport: { signManifest: signedBy("CLOSURE") }
  }),
  lineageFail("passport-issuer", "ISSUER_MISMATCH")(
    "passport-of-another-issuer",
    "The passport names another issuer.",
    manifest((one) => (one["issuer"] = "Another Issuer"))
  ),
  lineageFail("passport-set", "PASSPORT_SET")(
    "summary-removed",
    "The summary of the result was removed from the passport.",
    { passport: { file: (one) => void one["summaries"].shift() } }
  ),
  lineageFail("passport-entry", "DIGEST_MISMATCH")(
    "summary-exchanged",
    "Another summary that the issuer signed stands in the place of the result's.",
    {
      passport: {
        file: (one) => void (one["summaries"][0] = signPayload("PUBLICATION", summaryOf(0)))
      }
    }
  ),
  lineageFail("summary-signature", "SIGNATURE_INVALID")(
    "summary-forged",
    "A stranger signed the summary of the result.",
    {
      passport: {
        signSummary: (one, index) => (index === 0 ? signedBy("stranger", "PUBLICATION") : signedBy("PUBLICATION"))(one)
      }
    }
  )
]

const formOf = (part: string, code: string) => lineageFail(`${part}-form`, code)
const signatureOf = (part: string, code: string) => lineageFail(`${part}-signature`, code)

const parts: ReadonlyArray<Case> = [
  ...(["reference", "link", "snapshot"] as const).flatMap((part) => {
    const hooks = { reference: "signReference", link: "signLink", snapshot: "signSnapshot" } as const
    const edits = { reference, link, snapshot }
    return [
      signatureOf(part, "KEY_ROLE")(`${part}-by-record-key`, "The key of records signed it, which it may not.", {
        [hooks[part]]: signedBy("RECORD")
      }),
      signatureOf(part, "SIGNATURE_INVALID")(`${part}-forged`, "A stranger signed it under the name of the key.", {
        [hooks[part]]: signedBy("stranger", "CLOSURE")
      }),
      formOf(part, "UNKNOWN_MEMBER")(
        `${part}-unknown-member`,
        "The signed payload has one member more.",
        edits[part]((one) => (one["recommended"] = true))
      ),
      lineageFail(`${part}-issuer`, "ENVIRONMENT_MISMATCH")(
        `${part}-of-another-environment`,
        "The payload is of the live environment, and the key file of the test environment.",
        edits[part]((one) => (one["environment"] = "LIVE"))
      )
    ]
  }),
  signatureOf("reference", "JWS_TYPE")(
    "link-as-reference",
    "The agreement link stands in the place of the history reference.",
    file((one) => (one["historyReference"] = one["agreementLink"]))
  ),
  signatureOf("snapshot", "JWS_TYPE")(
    "reference-as-snapshot",
    "The history reference stands in the place of the snapshot.",
    file((one) => (one["nextAgreement"] = one["historyReference"]))
  ),
  formOf("reference", "FIELD_TYPE")(
    "unknown-relation",
    "The reference names a relation that the format does not have.",
    reference((one) => (one["references"][0].relation = "RECOMMEND"))
  ),
  formOf("reference", "MISSING_MEMBER")(
    "reference-without-reason",
    "The reference gives no reason.",
    reference((one) => delete one["reason"])
  ),
  formOf("link", "MISSING_MEMBER")(
    "link-without-supplier",
    "The link does not name the supplier that both agreements share.",
    link((one) => delete one["supplierOrganizationId"])
  ),
  formOf("snapshot", "MISSING_MEMBER")(
    "snapshot-without-confirmation",
    "The snapshot does not say by which event the agreement was confirmed.",
    snapshot((one) => delete one["confirmedEvent"])
  )
]

export const lineageCases: ReadonlyArray<Case> = [complete, envelope, passports, parts].flat()
