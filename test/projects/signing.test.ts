import { assert, describe, it } from "@effect/vitest"
import { Result } from "effect"
import { decide, type Command } from "../../src/projects/decide.ts"
import { type PartyActor, noRelatedFacts } from "../../src/projects/guard-context.ts"
import { partyGuard } from "../../src/projects/guards.ts"
import type { Project } from "../../src/projects/project.ts"
import { hasSigned, signerFor, statementOf } from "../../src/projects/signing.ts"
import { addMilliseconds } from "../../src/vocabulary/instant.ts"
import {
  afterCommand,
  dayOne,
  decisionInputAt,
  outcomeOf,
  projectIn,
  withSignatures,
  withTerms
} from "../support/project.ts"
import {
  acceptance,
  acceptanceDigest,
  commandFor,
  evidence,
  review,
  sign,
  submit
} from "../support/project-commands.ts"
import { agent, dana, digestOfCharacter, lee, member, sam, uuidOf } from "../support/project-people.ts"

const outcome = (project: Project, command: Command, by: PartyActor) =>
  outcomeOf(decide(project, command, decisionInputAt(dayOne, by)))

const locked = (method: "NATIVE" | "EXTERNAL") => withSignatures(projectIn("LOCKED"), method)
const submitted = (method: "NATIVE" | "EXTERNAL") => withSignatures(projectIn("SUBMITTED"), method)

describe("signers", () => {
  it("The principal signs for the buyer, the counterparty or else the representative for the supplier.", () => {
    const project = locked("NATIVE")
    assert.deepStrictEqual([signerFor(project, "BUYER"), signerFor(project, "SUPPLIER")], [dana.personId, sam.personId])
    const signing = { ...project.agreement.terms.signing!, counterparty: member.personId }
    const other = withTerms(project, { signing })
    assert.deepStrictEqual([signerFor(other, "BUYER"), signerFor(other, "SUPPLIER")], [dana.personId, member.personId])
    assert.isNull(signerFor(projectIn("LOCKED"), "BUYER"))
    assert.isNull(signerFor({ ...project, supplier: { actorId: null, organizationId: null } }, "SUPPLIER"))
  })

  const may = (project: Project, by: PartyActor) => partyGuard(project, "SIGN_AGREEMENT", by)?.code ?? "ACCEPTED"

  it("Only the named persons can sign at the service.", () => {
    const project = locked("NATIVE")
    for (const by of [dana, sam]) assert.strictEqual(may(project, by), "ACCEPTED")
    for (const by of [lee, member]) assert.strictEqual(may(project, by), "FORBIDDEN")
    assert.strictEqual(may(project, agent(dana)), "FORBIDDEN_AGENT_ACTION")
    const signing = { ...project.agreement.terms.signing!, counterparty: member.personId }
    const other = withTerms(project, { signing })
    assert.deepStrictEqual([may(other, member), may(other, sam)], ["ACCEPTED", "FORBIDDEN"])
  })

  it("Any member of the buyer and the representative can record an external signature.", () => {
    const project = locked("EXTERNAL")
    for (const by of [dana, lee, sam]) assert.strictEqual(may(project, by), "ACCEPTED")
    assert.strictEqual(may(project, member), "FORBIDDEN")
  })
})

describe("agreement signatures", () => {
  it("A native signature records the person, the digest and the statement.", () => {
    const project = afterCommand(locked("NATIVE"), sign(locked("NATIVE")), dayOne, sam)
    assert.deepStrictEqual(project.events.at(-1)?.payload, {
      agreementDigest: project.agreementDigest,
      party: "SUPPLIER",
      signature: {
        method: "NATIVE",
        personId: sam.personId,
        digest: project.agreementDigest,
        statement: "I sign the agreement with this digest for my side."
      }
    })
    assert.strictEqual(statementOf("AGREEMENT"), "I sign the agreement with this digest for my side.")
    assert.deepStrictEqual(
      project.signatures.map(({ subject, party, occurredAt }) => [subject, party, occurredAt]),
      [["AGREEMENT", "SUPPLIER", dayOne]]
    )
  })

  it("An external signature records its evidence, labelled as not verified.", () => {
    const project = afterCommand(locked("EXTERNAL"), sign(locked("EXTERNAL")), dayOne, dana)
    assert.deepStrictEqual(project.signatures[0]?.signature, {
      method: "EXTERNAL",
      digest: project.agreementDigest,
      evidence,
      label: "RECORDED_NOT_VERIFIED"
    })
  })

  it("Each party signs the agreement once, in either order.", () => {
    for (const [first, second] of [
      [dana, sam],
      [sam, dana]
    ] as const) {
      const once = afterCommand(locked("NATIVE"), sign(locked("NATIVE")), dayOne, first)
      assert.isTrue(hasSigned(once, first.side))
      assert.isFalse(hasSigned(once, second.side))
      assert.strictEqual(outcome(once, sign(once), first), "STATE_CONFLICT")
      assert.strictEqual(outcome(once, submit(once), agent(sam)), "WAIT_FOR_HUMAN")
      const both = afterCommand(once, sign(once), dayOne, second)
      assert.strictEqual(outcome(both, submit(both), agent(sam)), "ACCEPTED")
    }
  })

  it("A signature of the acceptance does not count as one of the agreement.", () => {
    const accepted = afterCommand(submitted("NATIVE"), acceptance(submitted("NATIVE")), dayOne, dana)
    assert.deepStrictEqual(
      accepted.signatures.map(({ subject, party }) => [subject, party]),
      [["ACCEPTANCE", "BUYER"]]
    )
    assert.isFalse(hasSigned(accepted, "BUYER"))
  })

  it("A signature that is not required, or has another method or digest, is refused.", () => {
    const project = locked("NATIVE")
    const plain = projectIn("LOCKED")
    assert.strictEqual(outcome(plain, sign(plain), dana), "STATE_CONFLICT")
    const native = (digest: string) => sign(project, { signature: { method: "NATIVE", digest } })
    assert.strictEqual(outcome(project, native(digestOfCharacter("0")), dana), "CONFIRMATION_DIGEST_STALE")
    const external = sign(project, { signature: { method: "EXTERNAL", evidence } })
    assert.strictEqual(outcome(project, external, dana), "STATE_CONFLICT")
    const other = locked("EXTERNAL")
    const wrong = sign(other, { signature: { method: "NATIVE", digest: other.agreementDigest } })
    assert.strictEqual(outcome(other, wrong, dana), "STATE_CONFLICT")
  })

  it("An external signature dated one millisecond in the future is refused.", () => {
    const project = locked("EXTERNAL")
    const signedAt = (at: typeof dayOne) =>
      sign(project, { signature: { method: "EXTERNAL", evidence: { ...evidence, signedAt: at } } })
    assert.strictEqual(outcome(project, signedAt(dayOne), dana), "ACCEPTED")
    assert.strictEqual(outcome(project, signedAt(addMilliseconds(dayOne, 1)), dana), "INVALID_REQUEST")
  })

  it("Terms cannot be accepted for an organization of which the named signer is not a member.", () => {
    const relatedFacts = { ...noRelatedFacts, isSignerMissing: true }
    const answer = (project: Project, name: "RESPOND_ACCEPT" | "RESPOND_DECLINE", by: PartyActor) =>
      outcomeOf(decide(project, commandFor[name](project), decisionInputAt(dayOne, by, { relatedFacts })))
    const waiting = withSignatures(projectIn("AWAITING_SUPPLIER"), "NATIVE")
    for (const by of [sam, agent(sam)]) {
      assert.strictEqual(answer(waiting, "RESPOND_ACCEPT", by), "UNKNOWN_SIGNER")
      assert.strictEqual(answer(waiting, "RESPOND_DECLINE", by), "ACCEPTED")
      assert.strictEqual(answer(projectIn("AWAITING_SUPPLIER"), "RESPOND_ACCEPT", by), "ACCEPTED")
    }
  })

  it("A missing signature blocks only submissions.", () => {
    const waiting = withSignatures(projectIn("AWAITING_SUPPLIER"), "NATIVE")
    assert.strictEqual(outcome(waiting, commandFor.RESPOND_ACCEPT(waiting), agent(sam)), "ACCEPTED")
    const project = locked("NATIVE")
    assert.strictEqual(outcome(project, commandFor.HOLD_DELIVERY(project), agent(sam)), "ACCEPTED")
    const decided = decide(project, submit(project), decisionInputAt(dayOne, sam))
    assert.deepInclude(Result.isFailure(decided) ? decided.failure : undefined, { code: "WAIT_FOR_HUMAN" })
    assert.strictEqual(Result.isFailure(decided) && decided.failure.facts.requiredHumanAction, "SIGN_AGREEMENT")
  })
})

describe("acceptance signatures", () => {
  it("A native acceptance signature requires the principal; an external one can be recorded by any person of the buyer.", () => {
    const here = submitted("NATIVE")
    assert.strictEqual(outcome(here, acceptance(here), dana), "ACCEPTED")
    assert.strictEqual(outcome(here, acceptance(here), lee), "WAIT_FOR_HUMAN")
    assert.strictEqual(outcome(here, acceptance(here), agent(dana)), "WAIT_FOR_HUMAN")
    const elsewhere = submitted("EXTERNAL")
    assert.strictEqual(outcome(elsewhere, acceptance(elsewhere), lee), "ACCEPTED")
    assert.strictEqual(outcome(elsewhere, acceptance(elsewhere), agent(dana)), "WAIT_FOR_HUMAN")
  })

  it("An acceptance without its signature waits for a person and names the required human action.", () => {
    const project = submitted("NATIVE")
    for (const by of [dana, agent(dana)]) {
      const decided = decide(project, review(project, "ACCEPT"), decisionInputAt(dayOne, by))
      assert.strictEqual(outcomeOf(decided), "WAIT_FOR_HUMAN")
      assert.strictEqual(Result.isFailure(decided) && decided.failure.facts.requiredHumanAction, "SIGN_ACCEPTANCE")
    }
  })

  it("An acceptance signature covers exactly this submission.", () => {
    const project = submitted("NATIVE")
    const accepted = afterCommand(project, acceptance(project), dayOne, dana)
    assert.deepStrictEqual(accepted.signatures[0]?.signature, {
      method: "NATIVE",
      personId: dana.personId,
      digest: acceptanceDigest(project),
      statement: "I sign the acceptance of exactly this submission for the buyer."
    })
    const stale = acceptance(project, { signature: { method: "NATIVE", digest: project.agreementDigest } })
    assert.strictEqual(outcome(project, stale, dana), "CONFIRMATION_DIGEST_STALE")
  })

  it("An acceptance signature is refused if the agreement requires none, and other reviews record none.", () => {
    const plain = projectIn("SUBMITTED")
    const signature = { method: "NATIVE", digest: acceptanceDigest(plain) } as const
    assert.strictEqual(outcome(plain, review(plain, "ACCEPT", { signature }), dana), "STATE_CONFLICT")
    const project = submitted("NATIVE")
    const asked = afterCommand(project, review(project, "REQUEST_CHANGES", { signature }), dayOne, dana)
    assert.deepStrictEqual([...asked.signatures], [])
    assert.notProperty(asked.events.at(-1)?.payload, "signature")
  })

  it("The missing signature of an agent's acceptance is reported before a reserved decision.", () => {
    const project = withTerms(submitted("NATIVE"), {
      subjectRequirements: [{ id: "people", statement: "Look.", humanDecisions: ["ACCEPT"] }]
    })
    assert.strictEqual(outcome(project, acceptance(project), agent(dana)), "WAIT_FOR_HUMAN")
    const criteria = acceptance(project, { submissionId: `submission_${uuidOf(9)}` })
    assert.strictEqual(outcome(project, criteria, agent(dana)), "SUBMISSION_MISMATCH")
  })
})
