/** The lists of a person's projects: pages in two orders, a bounded number of statements, and no history. */
import { assert, layer } from "@effect/vitest"
import { PgConnection } from "@effect/sql-pg"
import { Effect } from "effect"
import fc from "fast-check"
import { type ActingPerson, onBehalfOf } from "../../src/people/acting-person.ts"
import { readMembershipsInForce } from "../../src/people/profile.ts"
import { createMembership } from "../../src/people/memberships.ts"
import { createOrganization } from "../../src/people/operations.ts"
import { exclusive, Storage } from "../../src/ports/storage.ts"
import { listProjectPage, type ProjectFilter } from "../../src/projects/newest-projects.ts"
import { listPartyProjects } from "../../src/projects/party-projects.ts"
import type { ListPosition, NewestPageRequest } from "../../src/ports/storage/newest-page.ts"
import { Projects, ProjectSides } from "../../src/projects/store.ts"
import { addMilliseconds, now } from "../../src/vocabulary/instant.ts"
import { limits } from "../../src/vocabulary/limits.ts"
import { Counted, countingService, statementsOf } from "../support/counting-service.ts"
import { planTextOf, recordSent } from "../support/sent-statements.ts"
import { memoryTestService } from "../support/memory-service.ts"
import { readPage } from "../support/page-forms.ts"
import { uuid } from "../support/parties.ts"
import { createAgreementAsPerson } from "../support/person-commands.ts"
import { copyProject } from "../support/project-copies.ts"
import { projectIn } from "../support/project.ts"
import { rowFor } from "../support/project-row.ts"
import { signInNewPerson } from "../support/sessions.ts"
import { createdBody, read } from "../support/workspace.ts"

interface Copy {
  /** Whether each of the three parties lists it: the person, and two organizations of the person. */
  readonly listedBy: readonly [boolean, boolean, boolean]
  /** Several projects can be created in one millisecond. */
  readonly age: number
}

const anyCopies = fc.record({
  limit: fc.integer({ min: 1, max: 7 }),
  copies: fc.array(
    fc.record({
      listedBy: fc.tuple(fc.boolean(), fc.boolean(), fc.boolean()),
      age: fc.integer({ min: 0, max: 9 })
    }),
    { maxLength: 24 }
  )
})

/** A person with two organizations, and with projects that some of the three list. */
const personWith = Effect.fnUntraced(function* (copies: ReadonlyArray<Copy>) {
  const dana = yield* signInNewPerson("Dana")
  const { organizationId } = yield* createOrganization({ name: "Harbor" })
  const start = yield* now
  const validUntil = addMilliseconds(start, 86_400_000)
  yield* createMembership({ personId: dana.personId, organizationId, authorities: ["DELEGATE"], validUntil })
  const parties = [dana.personId, dana.organizationId, organizationId]
  const storage = yield* Storage
  const ids = copies.map(() => `delivery_${uuid()}`)
  const locks = ids.map((id) => exclusive("project", id))
  yield* storage.transaction({ locks }, (transaction) =>
    Effect.forEach(copies, ({ listedBy, age }, index) =>
      Effect.gen(function* () {
        const [byPerson, byFirst, bySecond] = listedBy
        const createdAt = addMilliseconds(start, -age)
        const row = rowFor(projectIn("LOCKED"), {
          projectId: ids[index]!,
          supplierActorId: byPerson ? dana.personId : null,
          buyerOrganizationId: byFirst ? dana.organizationId : `organization_${uuid()}`,
          supplierOrganizationId: bySecond ? organizationId : null,
          createdAt
        })
        yield* transaction.insert(Projects, row)
        for (const [at, party] of parties.entries()) {
          const role = at === 1 ? ("BUYER" as const) : ("SUPPLIER" as const)
          if (listedBy[at] === true)
            yield* transaction.insert(ProjectSides, { party, projectId: row.projectId, role, createdAt })
        }
      })
    )
  )
  const listed = copies.flatMap(({ listedBy, age }, index) =>
    listedBy.includes(true) ? [{ projectId: ids[index]!, createdAt: addMilliseconds(start, -age) }] : []
  )
  return { dana, listed }
})

type ProjectPage = Effect.Success<ReturnType<typeof listProjectPage>>

const listOwnPage = (by: ActingPerson, filter: ProjectFilter, request: NewestPageRequest) =>
  Effect.flatMap(readMembershipsInForce(by), (memberships) => listProjectPage(by, memberships, filter, request))

const order = (one: string, other: string) => (one < other ? -1 : 1)

const readAllPages = ({ copies, limit }: { readonly copies: ReadonlyArray<Copy>; readonly limit: number }) =>
  Effect.gen(function* () {
    const { dana, listed } = yield* personWith(copies)
    const by = onBehalfOf(dana.personId)
    const sizes: Array<number> = []
    const byId: Array<string> = []
    for (let after: string | null | undefined; after !== null;) {
      const page: Effect.Success<ReturnType<typeof listPartyProjects>> = yield* listPartyProjects(by, { after, limit })
      byId.push(...page.projects.map(({ projectId }) => projectId))
      sizes.push(page.projects.length)
      after = page.next
    }
    assert.deepStrictEqual(byId, listed.map(({ projectId }) => projectId).toSorted(order))
    const newest: Array<string> = []
    const starts: Array<string> = []
    let last: ListPosition | null = null
    for (let after: ListPosition | null | undefined; after !== null;) {
      const page: ProjectPage = yield* listOwnPage(by, {}, { after, limit })
      newest.push(...page.items.map(({ projectId }) => projectId))
      sizes.push(page.items.length)
      starts.push(page.items[0]?.projectId ?? "none")
      assert.strictEqual(page.newer === null, after === undefined)
      if (page.older === null) last = page.newer
      after = page.older
    }
    const byAge = listed.toSorted((one, other) =>
      order(`${other.createdAt}${other.projectId}`, `${one.createdAt}${one.projectId}`)
    )
    assert.deepStrictEqual(
      newest,
      byAge.map(({ projectId }) => projectId)
    )
    // Turned back from the last page, the same pages begin with the same projects.
    const turnedBack = [starts.at(-1)]
    for (let before: ListPosition | null = last; before !== null;) {
      const page: ProjectPage = yield* listOwnPage(by, {}, { before, limit })
      turnedBack.unshift(page.items[0]?.projectId)
      before = page.newer
    }
    assert.deepStrictEqual(turnedBack, starts)
    for (const size of sizes) assert.isAtMost(size, limit)
  })

layer(memoryTestService, { excludeTestServices: true })("pages of a person's projects", (it) => {
  it.effect("The pages of a person's projects list each project of each party once, by id and newest first.", () =>
    Effect.gen(function* () {
      const context = yield* Effect.context<Effect.Services<ReturnType<typeof readAllPages>>>()
      const property = fc.asyncProperty(anyCopies, (copies) => Effect.runPromiseWith(context)(readAllPages(copies)))
      yield* Effect.promise(() => fc.assert(property, { numRuns: 80, seed: 22 }))
    })
  )

  it.effect.each(["?limit=0", "?limit=1001", "?limit=1e1", "?limit=", "?after=", "?after=1", "?after=proposal_1"])(
    "The query %s of a list of projects is refused with 400 and its path.",
    (query) =>
      Effect.gen(function* () {
        const dana = yield* signInNewPerson("Dana")
        const { status, body } = yield* read(dana, `/projects${query}`)
        assert.deepStrictEqual([status, body.error], [400, "INVALID_REQUEST"])
        assert.include(body.issues[0].path, query.startsWith("?limit") ? "limit" : "after")
      })
  )
})

/** 10,000 projects without their events, which no foreign key requires. */
const insertCopies = Effect.fnUntraced(function* (projectId: string) {
  const { connection } = yield* Counted
  yield* copyProject(connection, projectId, 10_000)
  const session = yield* PgConnection.make(connection)
  yield* session.query("delete from project_events")
  yield* session.query("analyze")
})

const personWithManyProjects = Effect.gen(function* () {
  const buyer = yield* signInNewPerson("Dana")
  const supplier = yield* signInNewPerson("Sam")
  yield* insertCopies(yield* createAgreementAsPerson(buyer, supplier))
  return { buyer, supplier }
}).pipe(Effect.scoped)

layer(countingService, { excludeTestServices: true })("a list among 10,000 projects", (it) => {
  it.effect(
    "A page of 50 among 10,000 projects takes at most 5 statements, one more for one side, and reads no history.",
    () =>
      Effect.gen(function* () {
        const { observed } = yield* Counted
        const { buyer, supplier } = yield* personWithManyProjects
        for (const person of [buyer, supplier]) {
          const by = onBehalfOf(person.personId)
          const memberships = yield* readMembershipsInForce(by)
          const side = person === buyer ? ("BUYER" as const) : ("SUPPLIER" as const)
          const filters: ReadonlyArray<ProjectFilter> = [
            {},
            { text: "logo" },
            { states: ["SUBMITTED", "LOCKED"] },
            { side }
          ]
          for (const filter of filters) {
            let after: ListPosition | undefined
            for (const _ of [1, 2, 3]) {
              observed.length = 0
              const request = { after, limit: limits.itemsOnPage }
              const page: ProjectPage = yield* listProjectPage(by, memberships, filter, request)
              assert.deepStrictEqual([observed.length, page.items.length], [1, limits.itemsOnPage])
              assert.isAtMost(statementsOf(observed)[0]!, filter.side === undefined ? 5 : 6)
              const actions = new Set(page.items.map(({ nextAction }) => nextAction.action))
              for (const action of ["SUBMIT", "REVIEW", "REVISE_OR_LIFT_HOLD"] as const)
                assert.include([...actions], action)
              after = page.older ?? undefined
            }
          }
        }
      })
  )

  it.effect("The list is searched and filtered by state, side, organization and id, page by page.", () =>
    Effect.gen(function* () {
      const { buyer, supplier } = yield* personWithManyProjects
      const by = onBehalfOf(buyer.personId)
      const read = (filter: ProjectFilter, limit = 3) =>
        Effect.map(listOwnPage(by, filter, { limit }), ({ items }) => items)
      const [newest] = yield* read({})
      assert.lengthOf(yield* read({ text: " LOGO " }), 3)
      assert.lengthOf(yield* read({ text: "dana ltd" }), 3)
      assert.deepStrictEqual(yield* read({ text: "%" }), [])
      assert.deepStrictEqual(
        (yield* read({ text: newest!.projectId })).map(({ projectId }) => projectId),
        [newest!.projectId]
      )
      const locked = yield* read({ states: ["LOCKED"], side: "BUYER", organizationId: buyer.organizationId })
      assert.deepStrictEqual(new Set(locked.map(({ state }) => state)), new Set(["LOCKED"]))
      assert.deepStrictEqual(yield* read({ side: "SUPPLIER" }), [])
      assert.deepStrictEqual(yield* read({ organizationId: supplier.organizationId }), [])
    })
  )

  it.effect(
    "The statements on the sides of projects read by an index and sort no more than a page of each party.",
    () =>
      Effect.gen(function* () {
        const { connection } = yield* Counted
        const { buyer } = yield* personWithManyProjects
        const by = onBehalfOf(buyer.personId)
        const sent = yield* recordSent("project_sides")
        for (const filter of [
          {},
          { text: "logo" },
          { states: ["LOCKED"], side: "BUYER" }
        ] satisfies Array<ProjectFilter>) {
          const { older } = yield* listOwnPage(by, filter, { limit: limits.itemsOnPage })
          yield* listOwnPage(by, filter, { after: older!, limit: limits.itemsOnPage })
          yield* listOwnPage(by, filter, { before: older!, limit: limits.itemsOnPage })
        }
        assert.isAbove(sent.size, 5)
        for (const statement of sent.values()) {
          const plan = yield* planTextOf(connection, statement)
          assert.notMatch(plan, /Seq Scan on (projects|project_sides)/, `${statement.sql}\n${plan}`)
          assert.match(plan, /project_sides_(by_creation|pkey)/, plan)
          for (const [, rows] of plan.matchAll(/Sort\s+\(cost=\S+ rows=(\d+)/g)) {
            assert.isAtMost(Number(rows), 2 * (limits.itemsOnPage + 1), plan)
          }
        }
      })
  )

  it.effect("A request for 100 of 10,000 projects takes at most 5 statements with its session.", () =>
    Effect.gen(function* () {
      const { observed } = yield* Counted
      const { buyer, supplier } = yield* personWithManyProjects
      for (const person of [buyer, supplier]) {
        let after = ""
        for (const _ of [1, 2, 3]) {
          observed.length = 0
          const { projects, next } = createdBody(yield* read(person, `/projects?limit=100${after}`))
          assert.isAtMost(
            statementsOf(observed).reduce((sum, count) => sum + count),
            5
          )
          assert.lengthOf(projects, 100)
          after = `&after=${next}`
        }
        const { projects, next } = createdBody(yield* read(person, "/projects"))
        assert.deepStrictEqual([projects.length, next], [limits.projectsListed, projects.at(-1).projectId])
      }
    })
  )

  it.effect("The pages of people show 50 projects each, lead in both directions, and keep their filters.", () =>
    Effect.gen(function* () {
      const { observed } = yield* Counted
      const { buyer } = yield* personWithManyProjects
      const idsOn = (text: string) => text.match(/delivery_[-0-9a-f]{36}(?=")/g) ?? []
      const linkOn = (text: string, name: string) =>
        new RegExp(`href="([^"]+)">${name}</a>`).exec(text)?.[1]?.replaceAll("&amp;", "&") ?? assert.fail(name)
      observed.length = 0
      const first = (yield* readPage(buyer, "/workspace/projects?state=LOCKED")).text
      assert.isAtMost(
        statementsOf(observed).reduce((sum, count) => sum + count),
        9
      )
      const second = (yield* readPage(buyer, linkOn(first, "Older"))).text
      assert.lengthOf(idsOn(first), limits.itemsOnPage)
      assert.lengthOf(new Set([...idsOn(first), ...idsOn(second)]), 2 * limits.itemsOnPage)
      assert.deepStrictEqual(idsOn((yield* readPage(buyer, linkOn(second, "Newer"))).text), idsOn(first))
      assert.deepStrictEqual(idsOn((yield* readPage(buyer, linkOn(second, "Newest"))).text), idsOn(first))
      assert.include(first, '<option value="LOCKED" selected>')
      const forged = yield* readPage(buyer, "/workspace/projects?after=yesterday")
      assert.strictEqual(forged.status, 400)
      assert.include(forged.text, "the address names no page of it")
      const unknown = yield* readPage(buyer, "/workspace/projects?state=LOST")
      assert.strictEqual(unknown.status, 400)
      assert.include(unknown.text, "Choose again: state.")
      const home = (yield* readPage(buyer, "/workspace/")).text
      assert.include(home, "Older projects than your newest 1,000 that have not ended are not among them.")
      // In every four open ones of the newest, a submission, an acceptance and half of the holds need the buyer.
      assert.match(home, /Waiting for you: [4-9]\d\d projects/)
      assert.lengthOf(idsOn(home), limits.itemsOnPage)
    })
  )
})
