import { assert, describe, it } from "@effect/vitest"
import { Schema } from "effect"
import fc from "fast-check"
import { textOf } from "../../src/projects/answer.ts"
import { ProjectView } from "../../src/projects/output.ts"
import { viewProject } from "../../src/projects/view.ts"
import { withMemberText } from "../../src/http/json-text.ts"
import { noRelatedFacts } from "../../src/projects/guard-context.ts"
import { mayAct } from "../support/command-pipeline.ts"
import { rowFor } from "../support/project-row.ts"
import { dana } from "../support/project-people.ts"
import { dayOne } from "../support/project.ts"
import { allCallers, anyWalk } from "../support/random-walk.ts"

const pause = { side: "BUYER", by: dana.personId, at: dayOne, reason: "A second look." } as const

const views = fc.sample(anyWalk, { numRuns: 60, seed: 20261123 }).flatMap(({ world: { project }, now }) =>
  allCallers.map((caller) =>
    viewProject({
      stored: { row: rowFor(project, { automationRevision: 1, pauses: caller.by.isPerson ? [] : [pause] }), project },
      issuance: undefined,
      isCovered: caller.by.side === "BUYER",
      relatedFacts: noRelatedFacts,
      viewer: { by: caller.by, mayAct: (act) => mayAct(caller, act, project) },
      now,
      siteUrl: "https://countersign.test"
    })
  )
)

describe("the answer with a project", () => {
  it("Every view has exactly the members of its schema, so that it is answered as it is.", () => {
    const decode = Schema.decodeUnknownSync(ProjectView, { onExcessProperty: "error" })
    for (const view of views) assert.deepStrictEqual(decode(JSON.parse(JSON.stringify(view))), view)
  })

  it("The answer is the JSON text of the view.", () => {
    for (const view of views) assert.strictEqual(textOf(view, 0), JSON.stringify(view))
  })

  it("With eventsAfter the answer has the later events alone, and all else unchanged.", () => {
    for (const view of views) {
      const after = Math.floor(view.project.events.length / 2)
      const events = view.project.events.filter(({ sequence }) => sequence > after)
      assert.strictEqual(textOf(view, after), JSON.stringify({ ...view, project: { ...view.project, events } }))
    }
  })

  it("A member's text is written in the member's place, whatever the others are.", () => {
    const anyObject = fc.dictionary(fc.string(), fc.jsonValue(), { minKeys: 1 })
    fc.assert(
      fc.property(anyObject, fc.nat(), (value, pick) => {
        const names = Object.keys(value)
        const name = names[pick % names.length]!
        assert.strictEqual(withMemberText(value, name, JSON.stringify(value[name])), JSON.stringify(value))
      }),
      { numRuns: 500, seed: 20261123 }
    )
  })
})
