/** Pages of agents and tasks: each item once, in both directions, and the address that names no page. */
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { listGrantPage } from "../../src/access/grants.ts"
import { acceptParticipation, inviteParticipant } from "../../src/participation/invitations.ts"
import { finishItem, listItemPage } from "../../src/participation/items.ts"
import { inviteMember } from "../../src/people/invitations.ts"
import { Invitations, Memberships } from "../../src/people/store.ts"
import { sha256Hex } from "../../src/canonical/digest.ts"
import { inTransaction, inView } from "../../src/ports/storage/run.ts"
import { exclusive } from "../../src/ports/storage.ts"
import type { NewestPage, NewestPageRequest } from "../../src/ports/storage/newest-page.ts"
import { nonIdempotentRequest } from "../../src/replay/idempotency.ts"
import { Secrets } from "../../src/ports/secrets.ts"
import { addMilliseconds } from "../../src/vocabulary/instant.ts"
import { limits } from "../../src/vocabulary/limits.ts"
import { joinOrganization } from "../support/issued-records.ts"
import { readPage } from "../support/page-forms.ts"
import { makeAgent, uuid } from "../support/parties.ts"
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

/** The address of the next page. */
const olderOn = ({ text }: { readonly text: string }) => /href="([^"]*after=[^"]*)"/.exec(text)?.[1] ?? ""

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
      assert.notInclude((yield* readPage(dana, path)).text, `${path}/tasks-of-party`)
      ids.push(yield* accept("One more"))
      const tasksOn = ({ text }: { readonly text: string }) => ids.filter((id) => text.includes(`${path}/tasks/${id}`))
      const project = yield* readPage(dana, path)
      assert.deepStrictEqual(tasksOn(project), ids.slice(1))
      assert.include(project.text, `${path}/tasks-of-party`)
      const newest = yield* readPage(dana, `${path}/tasks-of-party`)
      assert.deepStrictEqual(tasksOn(newest), ids.slice(1))
      assert.deepStrictEqual(tasksOn(yield* readPage(dana, olderOn(newest))), ids.slice(0, 1))
      assert.strictEqual((yield* readPage(kim, `${path}/tasks-of-party`)).status, 403)
    })
  )

  it.effect("The page of members shows 50 of them, those in force first, and leads to a list of all of them.", () =>
    Effect.gen(function* () {
      const dana = yield* signInNewPerson("Dana")
      const path = `/workspace/organizations/${dana.organizationId}`
      const row = (yield* inView((reader) => reader.get(Memberships, [dana.membershipId])))!
      const ended = { endedAt: row.validFrom, effectiveUntil: row.validFrom }
      const copies = Array.from({ length: limits.itemsOnPage }, (_, at) => ({
        ...row,
        ...(at === 0 ? ended : {}),
        membershipId: `membership_${uuid()}`
      }))
      yield* inTransaction({ locks: copies.map((one) => exclusive("membership", one.membershipId)) }, (transaction) =>
        Effect.forEach(copies, (copy) => transaction.insert(Memberships, copy))
      )
      const ids = [...copies.map(({ membershipId }) => membershipId), dana.membershipId]
      const on = ({ text }: { readonly text: string }) => ids.filter((id) => text.includes(`members/${id}`))
      const members = yield* readPage(dana, `${path}/members`)
      assert.deepStrictEqual(on(members), ids.slice(1))
      assert.include(members.text, `${path}/all-members`)
      const newest = yield* readPage(dana, `${path}/all-members`)
      assert.deepStrictEqual(on(newest), ids.slice(1))
      assert.deepStrictEqual(on(yield* readPage(dana, olderOn(newest))), ids.slice(0, 1))
      assert.strictEqual((yield* readPage(yield* signInNewPerson("Sam"), `${path}/all-members`)).status, 403)
    })
  )

  it.effect("Open invitations are listed in pages, and expired ones are not.", () =>
    Effect.gen(function* () {
      const dana = yield* signInNewPerson("Dana")
      const path = `/workspace/organizations/${dana.organizationId}`
      const request = yield* nonIdempotentRequest(dana.personId)
      yield* inviteMember(dana, request, { organizationId: dana.organizationId, authorities: [] })
      const [row] = yield* inView((reader) =>
        reader.range(Invitations, "byOrganization", { prefix: [dana.organizationId], limit: 1 })
      )
      const copies = Array.from({ length: limits.itemsOnPage + 10 }, (_, at) => ({
        ...row!,
        invitationId: `invitation_${uuid()}`,
        codeHash: sha256Hex(uuid()),
        expiresAt: addMilliseconds(at < 10 ? row!.createdAt : row!.expiresAt, -at)
      }))
      const locks = copies.map(({ invitationId }) => exclusive("invitation", invitationId))
      yield* inTransaction({ locks }, (transaction) =>
        Effect.forEach(copies, (copy) => transaction.insert(Invitations, copy))
      )
      const ids = [row!, ...copies].map(({ invitationId }) => invitationId)
      const on = ({ text }: { readonly text: string }) => ids.filter((id) => text.includes(`${id}/revoke`))
      const shown = [ids[0]!, ...ids.slice(11, -1)]
      const members = yield* readPage(dana, `${path}/members`)
      assert.deepStrictEqual(on(members), shown)
      assert.include(members.text, `${path}/open-invitations`)
      const newest = yield* readPage(dana, `${path}/open-invitations`)
      assert.deepStrictEqual(on(newest), shown)
      const last = yield* readPage(dana, olderOn(newest))
      assert.deepStrictEqual(on(last), ids.slice(-1))
      assert.notInclude(last.text, ">Older<")
      const reader = yield* joinOrganization(dana, "Kim", [])
      assert.strictEqual((yield* readPage(reader, `${path}/open-invitations`)).status, 403)
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
