/** The link to the signed package on a project's page: shown exactly to the persons who may download it. */
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { agreementWithRecord, joinOrganization } from "../support/issued-records.ts"
import { memoryTestService } from "../support/memory-service.ts"
import { readPage } from "../support/page-forms.ts"
import { accessibilityFaults } from "../support/accessibility-rules.ts"
import { runToAccepted } from "../support/person-commands.ts"
import { projectPage, textOn } from "../support/project-pages.ts"
import { signInNewPerson, type SignedInPerson } from "../support/sessions.ts"

const linkOn = Effect.fnUntraced(function* (by: SignedInPerson, projectId: string) {
  const page = yield* readPage(by, projectPage(projectId))
  assert.deepStrictEqual(accessibilityFaults(page.text), [])
  const [, address] = /<a href="([^"]*)">Download the signed package<\/a>/.exec(page.text) ?? []
  assert.strictEqual(textOn(page).includes("verify-result"), address !== undefined)
  return address
})

layer(memoryTestService, { excludeTestServices: true })("projects with an issued record", (it) => {
  it.effect("The link to the package is shown to the buyer and the supplier's representative only.", () =>
    Effect.gen(function* () {
      const pair = { buyer: yield* signInNewPerson("Dana"), supplier: yield* signInNewPerson("Sam") }
      const waiting = yield* runToAccepted(pair)
      assert.isUndefined(yield* linkOn(pair.buyer, waiting))
      const projectId = yield* agreementWithRecord(pair)
      const links = [
        [pair.buyer, "/api/acceptance/tasks"],
        [yield* joinOrganization(pair.buyer, "Mia"), "/api/acceptance/tasks"],
        [pair.supplier, "/api/acceptance/provider-tasks"]
      ] as const
      for (const [person, path] of links) {
        const address = yield* linkOn(person, projectId)
        assert.strictEqual(address, `${path}/${projectId}/result/package`)
        const { status, headers } = yield* readPage(person, address!)
        assert.deepStrictEqual([status, headers["content-type"]], [200, "application/jose"])
      }
      assert.isUndefined(yield* linkOn(yield* joinOrganization(pair.supplier, "Max"), projectId))
    })
  )
})
