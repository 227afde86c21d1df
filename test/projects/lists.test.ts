/** The lists of a person's projects: pages in two orders, a bounded number of statements, and no history. */
import { assert, layer } from "@effect/vitest"
import { PgConnection } from "@effect/sql-pg"
import { Effect } from "effect"
import fc from "fast-check"
import { onBehalfOf } from "../../src/people/acting-person.ts"
import { createMembership } from "../../src/people/memberships.ts"
import { createOrganization } from "../../src/people/operations.ts"
import { exclusive, Storage } from "../../src/ports/storage.ts"
import { listNextActions, listPartyProjects, type CreationCursor } from "../../src/projects/party-projects.ts"
import { Projects, ProjectSides } from "../../src/projects/store.ts"
import { addMilliseconds, now } from "../../src/vocabulary/instant.ts"
import { limits } from "../../src/vocabulary/limits.ts"
import { Counted, countingService, statementsOf } from "../support/counting-service.ts"
import { memoryTestService } from "../support/memory-service.ts"
import { readPage } from "../support/page-forms.ts"
import { uuid } from "../support/parties.ts"
import { createAgreementAsPerson } from "../support/person-commands.ts"
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
    for (let after: CreationCursor | null | undefined; after !== null;) {
      const page: Effect.Success<ReturnType<typeof listNextActions>> = yield* listNextActions(by, { after, limit })
      newest.push(...page.projects.map(({ projectId }) => projectId))
      sizes.push(page.projects.length)
      after = page.next
    }
    const byAge = listed.toSorted((one, other) =>
      order(`${other.createdAt}${other.projectId}`, `${one.createdAt}${one.projectId}`)
    )
    assert.deepStrictEqual(
      newest,
      byAge.map(({ projectId }) => projectId)
    )
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

/** 10,000 copies of a project in every state, without their events, which no foreign key requires. */
const insertCopies = Effect.fnUntraced(function* (projectId: string) {
  const { connection } = yield* Counted
  const session = yield* PgConnection.make(connection)
  yield* session.query(
    `with copies as (
      insert into projects
      select copy.* from (select projects as model from projects where project_id = '${projectId}') as one,
        generate_series(1, 10000) as number,
        lateral jsonb_populate_record(model, jsonb_build_object(
          'project_id', 'delivery_' || gen_random_uuid(),
          'state', (array['AWAITING_SUPPLIER', 'LOCKED', 'SUBMITTED', 'BUYER_CONFIRMED', 'BUYER_REJECTED'])[1 + number % 5],
          'hold_purpose', case when number % 5 = 1 and number % 2 = 0 then 'DELIVERY' end,
          'supersedes_project_id', case when number % 5 = 0 then '${projectId}' end,
          'created_at', (model).created_at - number * interval '1 second'
        )) as copy
      returning project_id, buyer_organization_id, supplier_actor_id, created_at
    )
    insert into project_sides (party, project_id, role, created_at)
    select buyer_organization_id, project_id, 'BUYER', created_at from copies
    union all select supplier_actor_id, project_id, 'SUPPLIER', created_at from copies`
  )
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
  it.effect("A page of 100 among 10,000 projects takes at most 5 statements and reads no history.", () =>
    Effect.gen(function* () {
      const { observed } = yield* Counted
      const { buyer, supplier } = yield* personWithManyProjects
      for (const person of [buyer, supplier]) {
        const by = onBehalfOf(person.personId)
        let after: CreationCursor | undefined
        for (const _ of [1, 2, 3]) {
          observed.length = 0
          const page = yield* listNextActions(by, { after, limit: 100 })
          assert.deepStrictEqual([observed.length, page.projects.length], [1, 100])
          assert.isAtMost(statementsOf(observed)[0]!, 5)
          const actions = new Set(page.projects.map(({ nextAction }) => nextAction.action))
          for (const action of ["RESPOND", "SUBMIT", "REVIEW", "ISSUE_RECORD", "REVISE_OR_LIFT_HOLD", "NONE"] as const)
            assert.include([...actions], action)
          after = page.next ?? undefined
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

  it.effect("The pages of people show the newest 100 projects, lead to older ones, and look at the newest 1,000.", () =>
    Effect.gen(function* () {
      const { buyer } = yield* personWithManyProjects
      const idsOn = (text: string) => new Set(text.match(/delivery_[-0-9a-f]{36}(?="|\/)/g))
      const first = (yield* readPage(buyer, "/workspace/projects")).text
      const older = /href="(\/workspace\/projects\?after=[^"]+)"/.exec(first)?.[1] ?? assert.fail("no older page")
      const second = (yield* readPage(buyer, older)).text
      assert.lengthOf(first.match(/<tr>/g)!, limits.projectsOnPage + 1)
      assert.lengthOf(second.match(/<tr>/g)!, limits.projectsOnPage + 1)
      for (const id of idsOn(first)) if (!older.includes(id)) assert.notInclude(second, id)
      assert.include(second, ">Newest projects</a>")
      const unreadable = yield* readPage(buyer, "/workspace/projects?after=yesterday")
      assert.deepStrictEqual(idsOn(unreadable.text), idsOn(first))
      const home = (yield* readPage(buyer, "/workspace/")).text
      assert.include(home, "Older projects than your newest 1,000 are not among them.")
      // In every five of the newest 1,000, a submission, an acceptance and half of the holds need the buyer.
      assert.isAbove(home.match(/href="\/workspace\/projects\/delivery_/g)!.length, 400)
    })
  )
})
