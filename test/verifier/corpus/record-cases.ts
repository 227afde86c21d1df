/** Cases on the record: its issuer, and its statements about the history. */
import { editRecord, hex } from "../forgeries.ts"
import { ids } from "../sample-ids.ts"
import { at, jcs, keys, kid, signBytes, uuid } from "../signing.ts"
import { elsewhere, refusal, unrelatedPerson } from "./samples.ts"
import type { Case } from "./case.ts"
import { okCase, recordAlone } from "./case-builders.ts"

const misnamed = ["record-parties", "PARTY_MISMATCH"] as const

const whole: ReadonlyArray<Case> = [
  okCase(
    "record/alone_ok",
    "A record without its history: what it states is the issuer's own word, and the report says so.",
    {
      artifact: recordAlone
    }
  ),
  okCase("record/alone-with-status_ok", "A record alone with a status of its project; its history is not enclosed.", {
    artifact: recordAlone,
    status: (sample) => sample.status
  }),
  refusal(
    "record/forged-under-trusted-kid_fail",
    "A stranger signed the record under the name of the issuer's key; the package round it is properly signed.",
    "record-signature",
    "SIGNATURE_INVALID",
    {
      forgery: {
        signRecord: (record) =>
          signBytes(
            jcs({ alg: "EdDSA", kid: kid("RECORD"), typ: record["schema"] }),
            jcs(record),
            keys.stranger.privateKey
          )
      }
    }
  )
]

const stated: ReadonlyArray<Case> = [
  refusal(
    "record/of-another-project_fail",
    "The record is of another project than the history it is enclosed with.",
    "record-agreement",
    "JOURNAL_TRANSACTION",
    {
      forgery: editRecord((record) => (record["projectId"] = ids.successor))
    }
  ),
  refusal(
    "record/of-another-agreement_fail",
    "The record names the digest of other terms than those that were agreed on.",
    "record-agreement",
    "AGREEMENT_MISMATCH",
    {
      forgery: editRecord((record) => (record["agreement"].digest = hex("4")))
    }
  ),
  refusal(
    "record/of-another-version_fail",
    "The record names another version of the terms than they say themselves.",
    "record-agreement",
    "AGREEMENT_MISMATCH",
    {
      forgery: editRecord((record) => (record["agreement"].version = 2))
    }
  ),
  refusal("record/of-another-organization_fail", "The record names another organization as the buyer's.", ...misnamed, {
    forgery: editRecord((record) => (record["parties"].buyer.organizationId = elsewhere))
  }),
  refusal(
    "record/of-another-buyer_fail",
    "The record names another person as the buyer than the agreement does.",
    ...misnamed,
    {
      forgery: editRecord((record) => (record["parties"].buyer.actorId = unrelatedPerson))
    }
  ),
  refusal(
    "record/of-another-supplier-name_fail",
    "The record gives the supplier another name than the terms do, by a full stop.",
    ...misnamed,
    {
      forgery: editRecord((record) => (record["parties"].supplier.name += "."))
    }
  ),
  refusal(
    "record/parties-exchanged_fail",
    "The record gives the buyer's name to the supplier and the supplier's to the buyer.",
    ...misnamed,
    {
      forgery: editRecord(({ parties: { buyer: bought, supplier: supplied } }) => {
        ;[bought.name, supplied.name] = [supplied.name, bought.name]
      })
    }
  ),
  refusal(
    "record/of-another-submission_fail",
    "The record names another submission than the one that was accepted.",
    "record-acceptance",
    "SUBMISSION_MISMATCH",
    {
      forgery: editRecord((record) => (record["submission"].id = `submission_${uuid(88)}`))
    }
  ),
  refusal(
    "record/of-other-bytes_fail",
    "The record names another digest of the submission than that of its bytes.",
    "record-acceptance",
    "DIGEST_MISMATCH",
    {
      forgery: editRecord((record) => (record["submission"].digest = hex("5")))
    }
  ),
  refusal(
    "record/of-another-review_fail",
    "The record names another review than the one that accepted.",
    "record-acceptance",
    "REVIEW_MISMATCH",
    {
      forgery: editRecord((record) => (record["review"].id = `review_${uuid(88)}`))
    }
  ),
  refusal(
    "record/of-other-reasons_fail",
    "The record names another digest of the review than that of its bytes.",
    "record-acceptance",
    "DIGEST_MISMATCH",
    {
      forgery: editRecord((record) => (record["review"].digest = hex("5")))
    }
  ),
  refusal(
    "record/of-another-confirmation_fail",
    "The record names another confirmation than the accepting review made.",
    "record-acceptance",
    "CONFIRMATION_MISMATCH",
    { forgery: editRecord((record) => (record["confirmation"].id = `confirmation_${uuid(88)}`)) }
  ),
  refusal(
    "record/signed-before-acceptance_fail",
    "The record was signed one millisecond before the acceptance that it certifies.",
    "record-acceptance",
    "JOURNAL_TIME",
    { forgery: editRecord((record) => (record["issuedAt"] = at(14, 59_999))) }
  ),
  refusal(
    "record/accepted-at-another-time_fail",
    "The record dates the acceptance a millisecond later than the event that made it.",
    "record-acceptance",
    "RECORD_MISMATCH",
    {
      forgery: editRecord((record) => (record["acceptedAt"] = at(15, 1)))
    }
  )
]

export const recordCases: ReadonlyArray<Case> = [...whole, ...stated]
