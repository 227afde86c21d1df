/** The link to the signed package on a project's page: whoever sees it gets the file, and nobody else is offered it. */
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { issued, join } from "../support/issued.ts"
import { memoryTestService } from "../support/memory-service.ts"
import { readPage } from "../support/page-forms.ts"
import { faultsOf } from "../support/page-scan.ts"
import { accepted } from "../support/person-commands.ts"
import { projectPage, wordsOn } from "../support/project-pages.ts"
import { signInAnew, type SignedInPerson } from "../support/sessions.ts"

const linkOn = Effect.fnUntraced(function* (by: SignedInPerson, projectId: string) {
  const page = yield* readPage(by, projectPage(projectId))
  assert.deepStrictEqual(faultsOf(page.text), [])
  const [, address] = /<a href="([^"]*)">Download the signed package<\/a>/.exec(page.text) ?? []
  assert.strictEqual(wordsOn(page).includes("verify-result"), address !== undefined)
  return address
})

layer(memoryTestService, { excludeTestServices: true })("the page of a project with an issued record", (it) => {
  it.effect("leads the buyer and the supplier's representative to their file, and no colleague of theirs", () =>
    Effect.gen(function* () {
      const pair = { buyer: yield* signInAnew("Dana"), supplier: yield* signInAnew("Sam") }
      const waiting = yield* accepted(pair)
      assert.isUndefined(yield* linkOn(pair.buyer, waiting))
      const projectId = yield* issued(pair)
      const links = [
        [pair.buyer, "/api/acceptance/tasks"],
        [yield* join(pair.buyer, "Mia"), "/api/acceptance/tasks"],
        [pair.supplier, "/api/acceptance/provider-tasks"]
      ] as const
      for (const [person, path] of links) {
        const address = yield* linkOn(person, projectId)
        assert.strictEqual(address, `${path}/${projectId}/result/package`)
        const { status, headers } = yield* readPage(person, address!)
        assert.deepStrictEqual([status, headers["content-type"]], [200, "application/jose"])
      }
      assert.isUndefined(yield* linkOn(yield* join(pair.supplier, "Max"), projectId))
    })
  )
})
