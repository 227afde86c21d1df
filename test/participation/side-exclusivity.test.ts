/** Side exclusivity of tasks: a person acts for at most one party of a project. */
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { acceptParticipation } from "../../src/participation/invitations.ts"
import { finishItem, listItems, listProjectItems } from "../../src/participation/items.ts"
import { authorities } from "../../src/people/membership.ts"
import { createMembership, endMembership } from "../../src/people/memberships.ts"
import { acceptRepresentation, inviteRepresentative } from "../../src/projects/representative.ts"
import { listNewestProjects } from "../../src/projects/newest-projects.ts"
import { readPartyProject } from "../../src/projects/party-projects.ts"
import { nonIdempotentRequest } from "../../src/replay/idempotency.ts"
import { grantAgent, pauseAs } from "../support/people.ts"
import { freshTestService } from "../support/service.ts"
import { signInNewPerson } from "../support/sessions.ts"
import { at } from "../support/time.ts"
import {
  millisecondsAfterNoon,
  respondedProject,
  refusalCodeOf,
  hour,
  invite,
  makeProject,
  minute,
  noon
} from "./fixtures.ts"

/** Makes the person a member of the second person's organization for one hour. */
const join = (person: { readonly personId: string }, { organizationId }: { readonly organizationId: string }) =>
  createMembership({
    personId: person.personId,
    organizationId,
    authorities: [],
    validUntil: millisecondsAfterNoon(hour)
  })

layer(freshTestService, { excludeTestServices: true })("persons who accepted a task", (it) => {
  it.effect(
    "A person who accepted a task can accept more tasks of that party and none of the other, also after finishing.",
    () =>
      Effect.gen(function* () {
        const { dana, sam, projectId } = yield* respondedProject
        const kim = yield* signInNewPerson("Kim")
        const first = yield* acceptParticipation(kim, (yield* invite(dana, projectId)).code)
        const second = yield* acceptParticipation(kim, (yield* invite(dana, projectId)).code)
        const { code } = yield* invite(sam, projectId)
        assert.strictEqual(yield* refusalCodeOf(acceptParticipation(kim, code)), "SAME_PARTY")
        yield* finishItem(kim, first.itemId)
        yield* finishItem(kim, second.itemId)
        assert.strictEqual(yield* refusalCodeOf(acceptParticipation(kim, code)), "SAME_PARTY")
        assert.lengthOf((yield* listItems(kim)).items, 2)
        assert.deepStrictEqual((yield* listProjectItems(sam, projectId)).items, [])
        const lee = yield* signInNewPerson("Lee")
        assert.strictEqual(yield* refusalCodeOf(acceptParticipation(lee, code)), "DONE")
      }).pipe(at(noon))
  )

  it.effect("An accepted task gives no access to the project.", () =>
    Effect.gen(function* () {
      const { dana, projectId } = yield* respondedProject
      const kim = yield* signInNewPerson("Kim")
      yield* acceptParticipation(kim, (yield* invite(dana, projectId)).code)
      assert.deepStrictEqual(yield* listNewestProjects(kim), [])
      assert.strictEqual(yield* refusalCodeOf(readPartyProject(kim, projectId)), "FORBIDDEN")
      assert.strictEqual(yield* refusalCodeOf(invite(kim, projectId)), "FORBIDDEN")
    }).pipe(at(noon))
  )

  it.effect("A person who accepted a task of one party cannot act for the other, even as its member.", () =>
    Effect.gen(function* () {
      const { dana, sam, projectId } = yield* respondedProject
      const kim = yield* signInNewPerson("Kim")
      yield* acceptParticipation(kim, (yield* invite(sam, projectId)).code)
      const { organizationId } = dana
      yield* createMembership({
        personId: kim.personId,
        organizationId,
        authorities,
        validUntil: millisecondsAfterNoon(hour)
      })
      const { personId } = kim
      const grant = grantAgent({
        personId,
        organizationId,
        role: "BUYER",
        agentName: "Agent",
        actions: [],
        projectIds: [projectId],
        subjectRequirements: []
      })
      assert.strictEqual(yield* refusalCodeOf(grant), "FORBIDDEN")
      assert.strictEqual(yield* refusalCodeOf(pauseAs({ personId, projectId, reason: "Stop." })), "FORBIDDEN")
      assert.strictEqual(yield* refusalCodeOf(invite(kim, projectId)), "FORBIDDEN")
    }).pipe(at(noon))
  )

  it.effect("A person can accept tasks of different parties on different projects.", () =>
    Effect.gen(function* () {
      const [one, another] = [yield* respondedProject, yield* respondedProject]
      const kim = yield* signInNewPerson("Kim")
      yield* acceptParticipation(kim, (yield* invite(one.dana, one.projectId)).code)
      const { code } = yield* invite(another.sam, another.projectId)
      assert.strictEqual(yield* refusalCodeOf(acceptParticipation(kim, code)), "DONE")
    }).pipe(at(noon))
  )

  it.effect("Concurrent acceptances of tasks of both parties record exactly one side.", () =>
    Effect.gen(function* () {
      const { dana, sam, projectId } = yield* respondedProject
      const kim = yield* signInNewPerson("Kim")
      const codes = yield* Effect.forEach([dana, sam, dana, sam, dana, sam], (by) => invite(by, projectId))
      const outcomes = yield* Effect.forEach(codes, ({ code }) => refusalCodeOf(acceptParticipation(kim, code)), {
        concurrency: "unbounded"
      })
      const sides = new Set((yield* listItems(kim)).items.map(({ side }) => side))
      assert.strictEqual(sides.size, 1)
      assert.deepStrictEqual(outcomes.toSorted(), ["DONE", "DONE", "DONE", "SAME_PARTY", "SAME_PARTY", "SAME_PARTY"])
    }).pipe(at(noon))
  )

  it.effect("A person who accepted a task of the buyer cannot become the supplier.", () =>
    Effect.gen(function* () {
      const { dana, projectId } = yield* makeProject(true)
      const kim = yield* signInNewPerson("Kim")
      yield* acceptParticipation(kim, (yield* invite(dana, projectId)).code)
      const { code } = yield* inviteRepresentative(dana, yield* nonIdempotentRequest(dana.personId), { projectId })
      const { organizationId } = kim
      const accept = acceptRepresentation(kim, yield* nonIdempotentRequest(kim.personId), { code, organizationId })
      assert.strictEqual(yield* refusalCodeOf(accept), "SAME_PARTY")
    }).pipe(at(noon))
  )
})

layer(freshTestService, { excludeTestServices: true })("parties and tasks", (it) => {
  it.effect(
    "The supplier, the buyer and members of their organizations can accept only tasks of their own party.",
    () =>
      Effect.gen(function* () {
        const { dana, sam, projectId } = yield* respondedProject
        const dora = yield* signInNewPerson("Dora")
        const saul = yield* signInNewPerson("Saul")
        yield* join(dora, dana)
        yield* join(saul, sam)
        for (const [person, own, other] of [
          [sam, sam, dana],
          [dana, dana, sam],
          [dora, dana, sam],
          [saul, sam, dana]
        ] as const) {
          const refused = acceptParticipation(person, (yield* invite(other, projectId)).code)
          assert.strictEqual(yield* refusalCodeOf(refused), "SAME_PARTY", `${person.name} for the other side`)
          const accepted = acceptParticipation(person, (yield* invite(own, projectId)).code)
          assert.strictEqual(yield* refusalCodeOf(accepted), "DONE", `${person.name} for the own side`)
        }
      }).pipe(at(noon))
  )

  it.effect("A member of both organizations cannot accept a task of either; a former member can.", () =>
    Effect.gen(function* () {
      const { dana, sam, projectId } = yield* respondedProject
      const kim = yield* signInNewPerson("Kim")
      yield* join(kim, dana)
      yield* join(kim, sam)
      for (const by of [dana, sam]) {
        const { code } = yield* invite(by, projectId)
        assert.strictEqual(yield* refusalCodeOf(acceptParticipation(kim, code)), "SAME_PARTY")
      }
      const past = at(millisecondsAfterNoon(hour + minute))
      const again = yield* signInNewPerson("Lee")
      yield* join(again, dana)
      const { code } = yield* invite(sam, projectId)
      const early = acceptParticipation({ personId: again.personId, sessionId: null }, code)
      assert.strictEqual(yield* refusalCodeOf(early), "SAME_PARTY")
      assert.strictEqual(yield* refusalCodeOf(early).pipe(past), "DONE")
    }).pipe(at(noon))
  )

  it.effect("A person who acted for one party keeps that side after joining or leaving an organization.", () =>
    Effect.gen(function* () {
      const { dana, sam, projectId } = yield* respondedProject
      const dora = yield* signInNewPerson("Dora")
      const { organizationId } = dana
      yield* join(sam, dana)
      yield* createMembership({
        personId: dora.personId,
        organizationId,
        authorities,
        validUntil: millisecondsAfterNoon(hour)
      })
      const [own, other] = [yield* invite(sam, projectId), yield* invite(dora, projectId)]
      const late = yield* invite(sam, projectId)
      yield* endMembership("OPERATOR", { membershipId: dana.membershipId })
      assert.strictEqual(yield* refusalCodeOf(acceptParticipation(sam, other.code)), "SAME_PARTY")
      assert.strictEqual(yield* refusalCodeOf(acceptParticipation(sam, own.code)), "DONE")
      assert.strictEqual(yield* refusalCodeOf(acceptParticipation(dana, late.code)), "SAME_PARTY")
      assert.strictEqual(yield* refusalCodeOf(acceptParticipation(dana, other.code)), "DONE")
    }).pipe(at(noon))
  )

  it.effect("A named supplier who has not responded cannot accept a task of the buyer.", () =>
    Effect.gen(function* () {
      const { dana, sam, projectId } = yield* makeProject(false)
      const { code } = yield* invite(dana, projectId)
      assert.strictEqual(yield* refusalCodeOf(acceptParticipation(sam, code)), "SAME_PARTY")
    }).pipe(at(noon))
  )
})
