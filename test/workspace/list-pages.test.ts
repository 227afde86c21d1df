/** Pages of agents and tasks: each item once, in both directions, and the address that names no page. */
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { listGrantPage } from "../../src/access/grants.ts"
import { acceptParticipation, inviteParticipant } from "../../src/participation/invitations.ts"
import { finishItem, listItemPage } from "../../src/participation/items.ts"
import type { NewestPage, NewestPageRequest } from "../../src/ports/storage/newest-page.ts"
import { nonIdempotentRequest } from "../../src/replay/idempotency.ts"
import { Secrets } from "../../src/ports/secrets.ts"
import { limits } from "../../src/vocabulary/limits.ts"
import { readPage } from "../support/page-forms.ts"
import { makeAgent } from "../support/parties.ts"
import { makeUnnamedProject } from "../support/person-requests.ts"
import { freshTestService } from "../support/service.ts"
import { signInNewPerson } from "../support/sessions.ts"

/** The ids of two pages of two, and of the first one when turned back to. */
const turn = <Item, E, R>(
  read: (request: NewestPageRequest) => Effect.Effect<NewestPage<Item>, E, R>,
  idOf: (item: Item) => string
) =>
  Effect.gen(function* () {
    const first = yield* read({ limit: 2 })
    const second = yield* read({ limit: 2, after: first.older! })
    const back = yield* read({ limit: 2, before: second.newer! })
    return [first, second, back].map(({ items }) => items.map(idOf))
  })

layer(freshTestService, { excludeTestServices: true })("pages of agents and tasks", (it) => {
  it.effect("Agents are listed in pages, of one side where it is chosen.", () =>
    Effect.gen(function* () {
      const dana = yield* signInNewPerson("Dana")
      for (const role of ["BUYER", "SUPPLIER", "BUYER", "BUYER"] as const) yield* makeAgent(dana, role, [])
      const [first, second, back] = yield* turn(
        (request) => listGrantPage(dana, {}, request),
        ({ grant }) => grant.grantId
      )
      assert.lengthOf(new Set([...first!, ...second!]), 4)
      assert.deepStrictEqual(back, first)
      const sides = yield* listGrantPage(dana, { role: "SUPPLIER" }, { limit: 9 })
      assert.deepStrictEqual(
        sides.items.map(({ grant }) => grant.role),
        ["SUPPLIER"]
      )
      assert.deepStrictEqual((yield* listGrantPage(yield* signInNewPerson("Sam"), {}, { limit: 9 })).items, [])
    })
  )

  it.effect("Tasks are listed in pages, in one state where it is chosen.", () =>
    Effect.gen(function* () {
      const dana = yield* signInNewPerson("Dana")
      const kim = yield* signInNewPerson("Kim")
      const projectId = yield* makeUnnamedProject(dana)
      for (const title of ["One", "Two", "Three", "Four"]) {
        const task = { projectId, title, instructions: "Look.", dueAt: null }
        const { code } = yield* inviteParticipant(dana, yield* nonIdempotentRequest(dana.personId), task)
        yield* acceptParticipation(kim, code)
      }
      const [first, second, back] = yield* turn(
        (request) => listItemPage(kim, undefined, request),
        ({ itemId }) => itemId
      )
      assert.lengthOf(new Set([...first!, ...second!]), 4)
      assert.deepStrictEqual(back, first)
      yield* finishItem(kim, first![0]!)
      const done = yield* listItemPage(kim, "DONE", { limit: 9 })
      assert.deepStrictEqual(
        done.items.map(({ itemId }) => itemId),
        [first![0]]
      )
    })
  )

  it.effect("The page of a project shows the newest 50 tasks of the party and leads to a list of all of them.", () =>
    Effect.gen(function* () {
      const dana = yield* signInNewPerson("Dana")
      const kim = yield* signInNewPerson("Kim")
      const projectId = yield* makeUnnamedProject(dana)
      const path = `/workspace/projects/${projectId}`
      const accept = (title: string) =>
        Effect.gen(function* () {
          const task = { projectId, title, instructions: "Look.", dueAt: null }
          const { code } = yield* inviteParticipant(dana, yield* nonIdempotentRequest(dana.personId), task)
          return (yield* acceptParticipation(kim, code)).itemId
        })
      const ids = yield* Effect.forEach(
        Array.from({ length: limits.itemsOnPage }, (_, at) => `Task ${at}`),
        accept
      )
      assert.notInclude((yield* readPage(dana, path)).text, `${path}/given-tasks`)
      ids.push(yield* accept("One more"))
      const tasksOn = ({ text }: { readonly text: string }) => ids.filter((id) => text.includes(`${path}/tasks/${id}`))
      const project = yield* readPage(dana, path)
      assert.deepStrictEqual(tasksOn(project), ids.slice(1))
      assert.include(project.text, `${path}/given-tasks`)
      const newest = yield* readPage(dana, `${path}/given-tasks`)
      assert.deepStrictEqual(tasksOn(newest), ids.slice(1))
      const [, older = ""] = /href="([^"]*after=[^"]*)"/.exec(newest.text) ?? []
      assert.deepStrictEqual(tasksOn(yield* readPage(dana, older)), ids.slice(0, 1))
      assert.strictEqual((yield* readPage(kim, `${path}/given-tasks`)).status, 403)
    })
  )

  it.effect("A cursor of another list, an older form of one and a forged one are refused with 400.", () =>
    Effect.gen(function* () {
      const dana = yield* signInNewPerson("Dana")
      const secrets = yield* Secrets
      const sealed = (text: string) => secrets.seal("CURSOR", text)
      const own = yield* sealed("list:agents 2026-01-01T00:00:00.000Z grant_1")
      assert.strictEqual((yield* readPage(dana, `/workspace/agents?after=${own}`)).status, 200)
      for (const cursor of [
        yield* sealed("list:tasks 2026-01-01T00:00:00.000Z item_1"),
        yield* sealed("list:agents yesterday grant_1"),
        "forged",
        ""
      ]) {
        const refused = yield* readPage(dana, `/workspace/agents?before=${cursor}`)
        assert.strictEqual(refused.status, 400, cursor)
        assert.include(refused.text, "Open the list from its beginning")
      }
    })
  )
})
