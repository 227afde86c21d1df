/** The progress of a stored project gives the next actions that the fold of its history gives. */
import { assert, describe, it } from "@effect/vitest"
import fc from "fast-check"
import { roles } from "../../src/access/actions.ts"
import { evolve, projectFrom } from "../../src/projects/evolve.ts"
import { nextActionFor } from "../../src/projects/next-action.ts"
import { storedProgress } from "../../src/projects/progress.ts"
import type { Project } from "../../src/projects/project.ts"
import type { IssuanceRow } from "../../src/projects/store.ts"
import { addMilliseconds } from "../../src/vocabulary/instant.ts"
import { agreementSignBy, dayOne, deadline, reviewDeadline } from "../support/project.ts"
import { rowFor } from "../support/project-row.ts"
import { anyWalk } from "../support/random-walk.ts"

const walks = fc.sample(anyWalk, { numRuns: 150, seed: 20261123 })

const moments = [dayOne, agreementSignBy, deadline, reviewDeadline].flatMap((at) => [at, addMilliseconds(at, 1)])

/** The issuance that the service stores with the event of an issued record. */
const issuanceOf = ({ recordId }: Project) => ({ recordId }) as IssuanceRow

describe("the stored progress of a project", () => {
  it("For every history, the stored columns give the next actions of both sides that the fold gives.", () => {
    const reached = new Set<string>()
    for (const { world } of walks) {
      const { agreement, agreementDigest, events } = world.project
      let project = projectFrom(agreement, agreementDigest, [])
      for (const event of events) {
        project = evolve(project, event)
        const stored = storedProgress(rowFor(project), issuanceOf(project))
        for (const now of moments) {
          for (const isRepresentedByAnother of [false, true]) {
            for (const side of roles) {
              const context = {
                isIssuanceRequested: world.isIssuanceRequested,
                now,
                relatedFacts: { isRepresentedByAnother }
              }
              const folded = nextActionFor({ ...context, project }, side)
              assert.deepStrictEqual(nextActionFor({ ...context, project: stored }, side), folded)
              reached.add(folded.action)
            }
          }
        }
      }
    }
    for (const action of [
      "REVISE_OR_LIFT_HOLD",
      "SIGN_AGREEMENT",
      "SUBMIT",
      "REVIEW",
      "RESOLVE_CONCERN",
      "WAIT_FOR_RECORD"
    ])
      assert.include([...reached], action)
  })
})
