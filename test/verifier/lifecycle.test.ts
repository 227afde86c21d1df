/** A result verifies with every allowed event before and after its issuance. */
import { assert, describe, expect, it } from "vitest"
import { failures, verify } from "./forgeries.ts"
import {
  acceptanceSigned,
  afterIssuance,
  before,
  recordNaming,
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
  composeForgeries,
  uphold,
  withdraw
} from "./sample-steps.ts"
import { policyFor } from "./policy.ts"
import { ids, salt } from "./sample-ids.ts"
import { at } from "./signing.ts"
import { checkedAt, makeSample, type Forgery } from "./sample.ts"
import { verifyResultArtifact } from "../../src/verifier/verify.ts"

const moreActions: Forgery = {
  authority: (event, grant, index) => {
    if (index !== 0 || grant === "successor") return
    event["change"].actions.push("REQUEST_DATE_CHANGE", "RAISE_CONCERN")
  }
}

/** Changes the representative before the second submission; the record names the new one. */
const changedRepresentative = composeForgeries(
  suppliedBy(mia, "SUBMIT_AGAIN"),
  recordNaming(mia.id),
  before("SUBMIT_AGAIN", rename(supplier, mia.id))
)

const histories: ReadonlyArray<readonly [history: string, forgery: Forgery]> = [
  ["was held for delivery", before("SUBMIT", hold(supplier, "DELIVERY"), lift(dan, "DELIVERY"))],
  ["was held after a request for changes", before("SUBMIT_AGAIN", hold(buyer, "DELIVERY"), lift(supplier, "DELIVERY"))],
  [
    "was held for review, twice",
    composeForgeries(
      before("ACCEPT", hold(dan, "REVIEW"), lift(buyer, "REVIEW"), hold(supplier, "REVIEW"), lift(supplier, "REVIEW"))
    )
  ],
  [
    "was held by an agent",
    composeForgeries(moreActions, before("SUBMIT", hold("supplier", "DELIVERY"), lift(supplier, "DELIVERY")))
  ],
  ["was contested and cleared before the issuance", before("ISSUE", concern(supplier), dismiss(supplier))],
  ["is contested", afterIssuance(concern(dan))],
  ["is contested by an agent", composeForgeries(moreActions, afterIssuance(concern("supplier")))],
  ["was contested and cleared", afterIssuance(concern(dan), dismiss(buyer))],
  ["was contested and withdrawn", afterIssuance(concern(supplier), uphold(dan))],
  ["was contested twice", afterIssuance(concern(supplier), dismiss(supplier), concern(buyer), uphold(buyer))],
  ["was withdrawn", afterIssuance(withdraw(dan))],
  ["was superseded by a person", afterIssuance(supersede(supplier))],
  ["was superseded while contested", afterIssuance(concern(buyer), supersede(supplier))],
  ["was superseded by an agent of the successor", afterIssuance(supersede("successor"))],
  ["had another representative before the issuance", changedRepresentative],
  [
    "had another representative before it was accepted",
    composeForgeries(suppliedBy(mia, "SUBMIT"), recordNaming(mia.id), before("SUBMIT", rename(mia, mia.id)))
  ],
  [
    "got another representative later",
    afterIssuance(rename(supplier, mia.id), concern(mia), dismiss(mia), supersede(mia))
  ],
  [
    "got its first representative back",
    afterIssuance(rename(mia, mia.id), rename(mia, ids.supplier, mia.id), supersede("successor"))
  ]
]

describe("a result with further events", () => {
  it.each(histories)("a result that %s verifies", (_, forgery) => {
    const report = verify(forgery)
    expect(failures(report)).toEqual([])
    assert.strictEqual(report.verdict, "VERIFIED_WITH_LIMITATIONS")
  })

  it.each([
    ["NATIVE, by the representative", "NATIVE", {}, supplier],
    ["NATIVE, by a separate counterparty", "NATIVE", { counterparty: mia.id }, mia],
    ["NATIVE, with a contact", "NATIVE", { contact: "The office" }, supplier],
    ["EXTERNAL", "EXTERNAL", {}, supplier],
    ["EXTERNAL, recorded by the representative for the counterparty", "EXTERNAL", { counterparty: mia.id }, supplier]
  ] as const)("a result with signatures, %s, verifies", (_, method, changes, signer) => {
    const report = verify(
      composeForgeries(
        signing(method, changes),
        acceptanceSigned(method),
        signs(buyer, method),
        signs(signer, method),
        afterIssuance(concern(supplier))
      )
    )
    expect(failures(report)).toEqual([])
  })

  it("a result that was signed exactly at its dates verifies", () => {
    const onTime = signing("EXTERNAL", { agreementSignBy: at(11), acceptanceSignBy: at(15) })
    const evidence = {
      provider: "Sign & Co",
      reference: "S-1",
      fileName: "signed.pdf",
      sha256: salt(9),
      signedAt: at(11)
    }
    const signed = [signs(supplier, "EXTERNAL", { evidence }), signs(buyer, "EXTERNAL"), acceptanceSigned("EXTERNAL")]
    expect(failures(verify(composeForgeries(onTime, ...signed)))).toEqual([])
  })

  it("any member of the buyer's organization may record its EXTERNAL signatures", () => {
    const byDan: Forgery = { history: (events) => void (events[5]!["actor"] = dan) }
    const signed = [byDan, acceptanceSigned("EXTERNAL"), signs(supplier, "EXTERNAL"), signs(dan, "EXTERNAL")]
    expect(failures(verify(composeForgeries(signing("EXTERNAL"), ...signed)))).toEqual([])
  })

  it("a policy must have an anchor for the grant that accepted the successor", () => {
    const { review, trust, package: content } = makeSample(afterIssuance(supersede("successor")))
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
