/** A result stays verifiable whatever happened around it, and after it. */
import { assert, describe, expect, it } from "vitest"
import { failures, verify } from "./forging.ts"
import {
  acceptanceSigned,
  afterwards,
  before,
  certifying,
  concern,
  dan,
  dismiss,
  hold,
  lift,
  mia,
  rename,
  signing,
  signs,
  buyer,
  supersede,
  supplier,
  suppliedBy,
  together,
  uphold,
  withdraw
} from "./life.ts"
import { policyFor } from "./policy.ts"
import { ids, salt } from "./sample-ids.ts"
import { at } from "./signing.ts"
import { checkedAt, makeSample, type Forgery } from "./sample.ts"
import { verifyResultArtifact } from "../../src/verifier/verify.ts"

const grantedMore: Forgery = {
  authority: (event, grant, index) => {
    if (index !== 0 || grant === "successor") return
    event["change"].actions.push("REQUEST_DATE_CHANGE", "RAISE_CONCERN")
  }
}

/** Another representative from the second submission on, whom the record names. */
const followed = together(
  suppliedBy(mia, "SUBMIT_AGAIN"),
  certifying(mia.id),
  before("SUBMIT_AGAIN", rename(supplier, mia.id))
)

const lives: ReadonlyArray<readonly [what: string, forgery: Forgery]> = [
  ["was held for delivery", before("SUBMIT", hold(supplier, "DELIVERY"), lift(dan, "DELIVERY"))],
  [
    "was held after a correction was asked for",
    before("SUBMIT_AGAIN", hold(buyer, "DELIVERY"), lift(supplier, "DELIVERY"))
  ],
  [
    "was held for review, twice",
    together(
      before("ACCEPT", hold(dan, "REVIEW"), lift(buyer, "REVIEW"), hold(supplier, "REVIEW"), lift(supplier, "REVIEW"))
    )
  ],
  [
    "was held by an agent",
    together(grantedMore, before("SUBMIT", hold("supplier", "DELIVERY"), lift(supplier, "DELIVERY")))
  ],
  ["was contested and cleared before the issuance", before("ISSUE", concern(supplier), dismiss(supplier))],
  ["is contested", afterwards(concern(dan))],
  ["is contested by an agent", together(grantedMore, afterwards(concern("supplier")))],
  ["was contested and cleared", afterwards(concern(dan), dismiss(buyer))],
  ["was contested and withdrawn", afterwards(concern(supplier), uphold(dan))],
  ["was contested twice", afterwards(concern(supplier), dismiss(supplier), concern(buyer), uphold(buyer))],
  ["was withdrawn", afterwards(withdraw(dan))],
  ["was superseded by a person", afterwards(supersede(supplier))],
  ["was superseded while contested", afterwards(concern(buyer), supersede(supplier))],
  ["was superseded by an agent of the successor", afterwards(supersede("successor"))],
  ["had another representative before the issuance", followed],
  [
    "had another representative before it was accepted",
    together(suppliedBy(mia, "SUBMIT"), certifying(mia.id), before("SUBMIT", rename(mia, mia.id)))
  ],
  [
    "got another representative later",
    afterwards(rename(supplier, mia.id), concern(mia), dismiss(mia), supersede(mia))
  ],
  [
    "got its first representative back",
    afterwards(rename(mia, mia.id), rename(mia, ids.supplier, mia.id), supersede("successor"))
  ]
]

describe("a result", () => {
  it.each(lives)("that %s verifies", (_, forgery) => {
    const report = verify(forgery)
    expect(failures(report)).toEqual([])
    assert.strictEqual(report.verdict, "VERIFIED_WITH_LIMITATIONS")
  })

  it.each([
    ["NATIVE, by the representative", "NATIVE", {}, supplier],
    ["NATIVE, by a counterparty of its own", "NATIVE", { counterparty: mia.id }, mia],
    ["NATIVE, with a contact", "NATIVE", { contact: "The office" }, supplier],
    ["EXTERNAL", "EXTERNAL", {}, supplier],
    ["EXTERNAL, recorded by the representative for the counterparty", "EXTERNAL", { counterparty: mia.id }, supplier]
  ] as const)("with signatures, %s, verifies", (_, method, changes, signer) => {
    const report = verify(
      together(
        signing(method, changes),
        acceptanceSigned(method),
        signs(buyer, method),
        signs(signer, method),
        afterwards(concern(supplier))
      )
    )
    expect(failures(report)).toEqual([])
  })

  it("that was signed in the last millisecond, elsewhere at the same moment, verifies", () => {
    const onTime = signing("EXTERNAL", { agreementSignBy: at(11), acceptanceSignBy: at(15) })
    const evidence = {
      provider: "Sign & Co",
      reference: "S-1",
      fileName: "signed.pdf",
      sha256: salt(9),
      signedAt: at(11)
    }
    const signed = [signs(supplier, "EXTERNAL", { evidence }), signs(buyer, "EXTERNAL"), acceptanceSigned("EXTERNAL")]
    expect(failures(verify(together(onTime, ...signed)))).toEqual([])
  })

  it("with EXTERNAL signatures has them recorded by anybody of the buyer's side", () => {
    const byDan: Forgery = { history: (events) => void (events[5]!["actor"] = dan) }
    const signed = [byDan, acceptanceSigned("EXTERNAL"), signs(supplier, "EXTERNAL"), signs(dan, "EXTERNAL")]
    expect(failures(verify(together(signing("EXTERNAL"), ...signed)))).toEqual([])
  })

  it("that an agent of the successor ended names that grant too, to whoever holds a policy", () => {
    const { review, trust, package: content } = makeSample(afterwards(supersede("successor")))
    const report = verifyResultArtifact(review, trust, checkedAt, undefined, policyFor(content))
    assert.strictEqual(report.exit, 0)
    const grants = report.recordedAuthority.grants.map(({ grantId }) => grantId)
    expect(grants).toEqual([ids.buyerGrant, ids.supplierGrant, ids.successorGrant])
    const without = policyFor(content)
    without["authorityAnchors"].pop()
    const refused = verifyResultArtifact(review, trust, checkedAt, undefined, without)
    expect(failures(refused)).toEqual(["authority-anchor AUTHORITY_NOT_ANCHORED"])
  })
})
