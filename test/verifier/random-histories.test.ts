/** The verifier accepts every history that the service allows, on random sequences of commands. */
import fc from "fast-check"
import { assert, describe, it } from "vitest"
import { canonicalText } from "../../src/canonical/jcs.ts"
import type { Json } from "../../src/canonical/json.ts"
import type { ProjectEvent } from "../../src/projects/event.ts"
import type { Project } from "../../src/projects/project.ts"
import { checkAgreementReference } from "../../src/verifier/history.ts"
import type { History } from "../../src/verifier/check-inputs.ts"
import { validate } from "../../src/verifier/schema-kit.ts"
import type { Finding } from "../../src/verifier/ledger.ts"
import { checkMoves } from "../../src/verifier/moves.ts"
import { checkParties } from "../../src/verifier/parties.ts"
import { agreement as agreementForm, projectEvent } from "../../src/verifier/schemas.ts"
import { checkSignatures } from "../../src/verifier/party-signatures.ts"
import type { ProjectWithFacts } from "../support/command-pipeline.ts"
import { anyWalk } from "../support/random-walk.ts"
import { uuid } from "./signing.ts"

/** Walks that set the signing terms before any event, and in which only the representative accepts a revision. */
const projects = (): ReadonlyArray<Project> =>
  fc
    .sample(anyWalk, { numRuns: 240, seed: 20260102 })
    .filter(({ world, trail }) => {
      const start = trail[0]?.before ?? world
      return start.project.agreement.terms.signing === undefined || start.project.events.length <= 2
    })
    .filter(({ trail }) => trail.every(({ name, before, after }) => name !== "SUPERSEDE" || isAccepted(before, after)))
    .map(({ world }) => world.project)

const isAccepted = (before: ProjectWithFacts, after: ProjectWithFacts): boolean =>
  after.project.events.at(-1)!.actor.id === before.project.supplier.actorId

/** The event in its signed format; the ids of the walks' agents are replaced by valid ones. */
const signed = (walkEvent: ProjectEvent): Json => {
  const { hash: _, ...event } = walkEvent
  const { execution } = event.actor
  const named = execution && { ...execution, grantId: `grant_${uuid(1)}`, agentId: `agent_${uuid(2)}` }
  return asJson({ ...event, actor: { ...event.actor, execution: named } })
}

const asJson = (value: object): Json => JSON.parse(canonicalText(value)) as Json

/** The value of a finding that must pass. */
const proven = <T>(finding: Finding<T>, { events }: Project): T => {
  const kinds = events.map(({ kind }) => kind).join()
  return finding.ok ? finding.value : assert.fail(`${JSON.stringify(finding)} in ${kinds}`)
}

const read = (project: Project) => {
  const content = proven(validate(agreementForm, asJson(project.agreement)), project)
  const events = project.events.map((event) => ({ content: proven(validate(projectEvent, signed(event)), project) }))
  return {
    agreement: { content, digest: project.agreementDigest, bytes: 0 },
    // These checks do not read signatures or hashes.
    history: events as unknown as History
  }
}

describe("histories of random commands", () => {
  const samples = projects()

  it("every history of random commands passes the checks of schemas, moves, signatures and parties", () => {
    for (const project of samples) {
      const { agreement, history } = read(project)
      for (const event of history) proven(checkAgreementReference(event, { agreement }), project)
      assert.strictEqual(checkMoves({ history }).actual, project.state)
      proven(checkMoves({ history }), project)
      proven(checkSignatures({ history, agreement }), project)
      const found = checkParties({ history, agreement })
      const isAgreed = project.events.some(({ kind, payload }) => kind === "RESPOND" && payload.action === "ACCEPT")
      // A history without an agreement fails with this one finding.
      if (isAgreed) proven(found, project)
      else assert.deepInclude(found, { ok: false, expected: "RESPOND" })
    }
  })

  it("random commands produce every kind of event", () => {
    const kinds = new Set(samples.flatMap(({ events }) => events.map(({ kind }) => kind)))
    kinds.delete("INVITATION_ACCEPTED")
    assert.strictEqual(kinds.size, 13, [...kinds].join())
  })
})
