/** Whatever the service lets anybody do, the verifier lets it stand: its rules, held against random lives. */
import fc from "fast-check"
import { assert, describe, it } from "vitest"
import { canonicalText } from "../../src/canonical/jcs.ts"
import type { Json } from "../../src/canonical/json.ts"
import type { ProjectEvent } from "../../src/projects/event.ts"
import type { Project } from "../../src/projects/project.ts"
import { checkAgreementReference, type History } from "../../src/verifier/history.ts"
import { fit } from "../../src/verifier/forms.ts"
import type { Finding } from "../../src/verifier/ledger.ts"
import { checkMoves } from "../../src/verifier/moves.ts"
import { checkParties } from "../../src/verifier/parties.ts"
import { agreement as agreementForm, projectEvent } from "../../src/verifier/shapes.ts"
import { checkSignatures } from "../../src/verifier/signatures.ts"
import type { World } from "../support/pipeline.ts"
import { anyWalk } from "../support/random-walk.ts"
import { uuid } from "./signing.ts"

/** Walks whose terms were asked for before anything happened, and in which the representative accepts a revision. */
const projects = (): ReadonlyArray<Project> =>
  fc
    .sample(anyWalk, { numRuns: 240, seed: 20260102 })
    .filter(({ world, trail }) => {
      const start = trail[0]?.before ?? world
      return start.project.agreement.terms.signing === undefined || start.project.events.length <= 2
    })
    .filter(({ trail }) => trail.every(({ name, before, after }) => name !== "SUPERSEDE" || isAccepted(before, after)))
    .map(({ world }) => world.project)

const isAccepted = (before: World, after: World): boolean =>
  after.project.events.at(-1)!.actor.id === before.project.supplier.actorId

/** The event as it is signed; the agents of the walks have names of their own. */
const signed = (happened: ProjectEvent): Json => {
  const { hash: _, ...event } = happened
  const { execution } = event.actor
  const named = execution && { ...execution, grantId: `grant_${uuid(1)}`, agentId: `agent_${uuid(2)}` }
  return asJson({ ...event, actor: { ...event.actor, execution: named } })
}

const asJson = (value: object): Json => JSON.parse(canonicalText(value)) as Json

/** The value of a finding that is to pass. */
const proven = <T>(finding: Finding<T>, { events }: Project): T => {
  const happened = events.map(({ kind }) => kind).join()
  return finding.ok ? finding.value : assert.fail(`${JSON.stringify(finding)} in ${happened}`)
}

const read = (project: Project) => {
  const content = proven(fit(agreementForm, asJson(project.agreement)), project)
  const events = project.events.map((event) => ({ content: proven(fit(projectEvent, signed(event)), project) }))
  return {
    agreement: { content, digest: project.agreementDigest, bytes: 0 },
    // Signatures and hashes are not what these checks look at.
    history: events as unknown as History
  }
}

describe("after any commands of anybody", () => {
  const lives = projects()

  it("every event has its form, every move its state, every signature its place, every party its part", () => {
    for (const project of lives) {
      const { agreement, history } = read(project)
      for (const event of history) proven(checkAgreementReference(event, { agreement }), project)
      assert.strictEqual(checkMoves({ history }).actual, project.state)
      proven(checkMoves({ history }), project)
      proven(checkSignatures({ history, agreement }), project)
      const found = checkParties({ history, agreement })
      const isAgreed = project.events.some(({ kind, payload }) => kind === "RESPOND" && payload.action === "ACCEPT")
      // A history without an agreement is no result; nothing else may be missing.
      if (isAgreed) proven(found, project)
      else assert.deepInclude(found, { ok: false, expected: "RESPOND" })
    }
  })

  it("which are of every kind", () => {
    const kinds = new Set(lives.flatMap(({ events }) => events.map(({ kind }) => kind)))
    kinds.delete("INVITATION_ACCEPTED")
    assert.strictEqual(kinds.size, 13, [...kinds].join())
  })
})
