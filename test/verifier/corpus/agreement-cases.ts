/** Cases on the terms: the agreement that the history names, its requirements and its signatures. */
import { editAgreement, editContent, editEvent, editRecord, hex } from "../forgeries.ts"
import {
  acceptanceSigned,
  afterIssuance,
  buyer,
  dan,
  mia,
  signing,
  signs,
  supersede,
  supplier
} from "../sample-steps.ts"
import { ids } from "../sample-ids.ts"
import type { Forgery } from "../sample.ts"
import { at, digest, type Members, sha256 } from "../signing.ts"
import { refusal } from "./samples.ts"
import { chainForgeries, reviewAgain } from "./brief-sample.ts"
import type { Case } from "./case.ts"
import { okCase } from "./case-builders.ts"

const mismatch = ["event-agreement", "AGREEMENT_MISMATCH"] as const
const misnumbered = ["agreement-version", "AGREEMENT_MISMATCH"] as const
const missigned = ["history-signatures", "SIGNING_MISMATCH"] as const

const composed = "caf\u00e9"
const decomposed = "cafe\u0301"

/** Two criteria whose ids look the same, both delivered and met. */
const twoSpellings = chainForgeries(
  editAgreement(({ terms }) => (terms.criteria = [composed, decomposed].map((id) => ({ id })))),
  {
    history: (events) => {
      const { payload } = events[2]!
      payload.items = [composed, decomposed].map((criterionId) => ({ ...payload.items[0], criterionId }))
      reviewAgain(events)
    }
  }
)

/** Sets version and predecessor of the agreement, and the version in the record. */
const version = (number: number, previous: Members | null): Forgery =>
  chainForgeries(
    editAgreement((agreement) => Object.assign(agreement, { version: number, previous })),
    editRecord((record) => (record["agreement"].version = number))
  )

const agreements: ReadonlyArray<Case> = [
  refusal(
    "agreement/exchanged_fail",
    "The enclosed agreement is not the one that was created: its version differs, and so its digest.",
    "event-chain",
    "JOURNAL_PREV",
    { forgery: editContent((content) => (content["agreement"] = { ...content["agreement"], version: 2 })) }
  ),
  refusal(
    "agreement/of-the-response_fail",
    "The supplier answered other terms than those that were created, and so did not agree to these.",
    ...mismatch,
    {
      forgery: editEvent("RESPOND", (event) => (event["payload"].agreementDigest = hex("1")))
    }
  ),
  refusal(
    "agreement/digest-of-indented-text_fail",
    "The creation names the digest of the agreement as indented text; a digest is over the canonical form.",
    ...mismatch,
    {
      forgery: ((): Forgery => {
        let agreement: Members = {}
        return {
          agreement: (one) => void (agreement = one),
          history: ([create]) => void (create!["payload"].agreementDigest = sha256(JSON.stringify(agreement, null, 2)))
        }
      })()
    }
  ),
  refusal(
    "agreement/succeeds-itself_fail",
    "The agreement was superseded by itself; what takes its place is another one.",
    ...mismatch,
    {
      forgery: afterIssuance(supersede(supplier, ids.project))
    }
  ),
  okCase("agreement/is-a-revision_ok", "The agreement is the second version, and names the one that it replaced.", {
    forgery: version(2, { projectId: ids.successor, digest: digest("the first version") })
  }),
  refusal(
    "agreement/second-version-of-nothing_fail",
    "The agreement is the second version and names none that it replaced; a first version must be somewhere.",
    ...misnumbered,
    { forgery: version(2, null) }
  ),
  refusal(
    "agreement/first-version-of-another_fail",
    "The agreement is the first version and names one that it replaced; only a later version has one.",
    ...misnumbered,
    { forgery: version(1, { projectId: ids.successor, digest: digest("the first version") }) }
  ),
  refusal(
    "agreement/replaces-itself_fail",
    "The agreement names its own project as the one that it replaced; what was replaced is another one.",
    ...misnumbered,
    { forgery: version(2, { projectId: ids.project, digest: digest("the first version") }) }
  ),
  refusal(
    "agreement/without-criteria_fail",
    "The terms have no criteria; an acceptance of nothing is met by anything.",
    "agreement-criteria",
    "CRITERIA_NOT_UNIQUE",
    { forgery: editAgreement(({ terms }) => (terms.criteria = [])) }
  ),
  refusal(
    "agreement/criterion-twice_fail",
    "The terms name a criterion twice; nobody could tell which of the two was met.",
    "agreement-criteria",
    "CRITERIA_NOT_UNIQUE",
    { forgery: editAgreement(({ terms }) => terms.criteria.push({ id: "c1", requirement: "Another text" })) }
  ),
  okCase(
    "agreement/criteria-in-two-spellings_ok",
    "Two criteria look the same in two Unicode spellings; they are two, as nothing is normalized.",
    { forgery: twoSpellings }
  )
]

interface Signing {
  readonly terms?: Members
  readonly accepted?: Forgery
  readonly bought?: Forgery
  readonly supplied?: Forgery
}

/** Signed at the service by both sides, except for the signature that a case replaces. */
const native = ({
  terms = {},
  accepted = acceptanceSigned("NATIVE"),
  bought = signs(buyer, "NATIVE"),
  supplied = signs(supplier, "NATIVE")
}: Signing = {}): Forgery => chainForgeries(signing("NATIVE", terms), accepted, bought, supplied)

/** Signed elsewhere, with these changes to the recorded signature of the buyer. */
const elsewhere = (bought: Members = {}): Forgery =>
  chainForgeries(
    signing("EXTERNAL"),
    acceptanceSigned("EXTERNAL"),
    signs(buyer, "EXTERNAL", bought),
    signs(supplier, "EXTERNAL")
  )

const evidence = { provider: "Sign & Co", reference: "S-1", fileName: "signed.pdf", sha256: hex("1") }

const signatures: ReadonlyArray<Case> = [
  okCase(
    "agreement/signed-here_ok",
    "Both sides signed the agreement, and the buyer the acceptance, as the terms ask.",
    {
      forgery: native()
    }
  ),
  okCase("agreement/signed-by-counterparty_ok", "The terms name who signs for the supplier, and that person signed.", {
    forgery: native({ terms: { counterparty: mia.id }, supplied: signs(mia, "NATIVE") })
  }),
  okCase(
    "agreement/signed-elsewhere_ok",
    "The signatures were given elsewhere and recorded, which proves no more than that.",
    {
      forgery: elsewhere()
    }
  ),
  okCase("agreement/signed-on-its-last-day_ok", "Everybody signed in the last millisecond that the terms allow.", {
    forgery: native({ terms: { agreementSignBy: at(11), acceptanceSignBy: at(15) } })
  }),
  refusal(
    "agreement/signed-after-its-date_fail",
    "The agreement was signed one millisecond after the date that its terms set.",
    ...missigned,
    {
      forgery: native({ terms: { agreementSignBy: at(10, 59_999) } })
    }
  ),
  refusal(
    "agreement/acceptance-signed-after-its-date_fail",
    "The acceptance was signed one millisecond after the date that the terms set for it.",
    ...missigned,
    {
      forgery: native({ terms: { acceptanceSignBy: at(14, 59_999) } })
    }
  ),
  refusal(
    "agreement/not-signed-by-buyer_fail",
    "The terms ask both sides to sign before a delivery; the buyer never did.",
    ...missigned,
    {
      forgery: native({ bought: {} })
    }
  ),
  refusal(
    "agreement/signed-twice_fail",
    "The supplier signed the agreement twice; each side signs once.",
    ...missigned,
    {
      forgery: chainForgeries(native(), signs(supplier, "NATIVE"))
    }
  ),
  refusal(
    "agreement/signed-in-another-name_fail",
    "The signature names another person than the one who gave it.",
    ...missigned,
    {
      forgery: native({ bought: signs(buyer, "NATIVE", { personId: dan.id }) })
    }
  ),
  refusal(
    "agreement/signed-unasked_fail",
    "The buyer signed an agreement whose terms ask for no signature.",
    ...missigned,
    {
      forgery: signs(buyer, "NATIVE")
    }
  ),
  refusal(
    "agreement/signed-by-other-method_fail",
    "The terms ask for a signature made here; one given elsewhere was recorded in its place.",
    ...missigned,
    {
      forgery: native({ bought: signs(buyer, "EXTERNAL") })
    }
  ),
  refusal(
    "agreement/signed-over-another-text_fail",
    "The buyer's signature is over another digest than the agreement's.",
    ...missigned,
    {
      forgery: native({ bought: signs(buyer, "NATIVE", { digest: hex("1") }) })
    }
  ),
  refusal(
    "agreement/acceptance-unsigned_fail",
    "The terms ask for a signed acceptance; this one has no signature.",
    ...missigned,
    {
      forgery: native({ accepted: {} })
    }
  ),
  refusal(
    "agreement/recorded-before-it-was-signed_fail",
    "A signature was recorded a millisecond before it is said to have been given.",
    ...missigned,
    {
      forgery: elsewhere({ evidence: { ...evidence, signedAt: at(11, 1) } })
    }
  )
]

export const agreementCases: ReadonlyArray<Case> = [...agreements, ...signatures]
