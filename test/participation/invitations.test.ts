import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { inviteMember, listInvitations, readInvitation } from "../../src/people/invitations.ts"
import { acceptParticipation, inviteParticipant } from "../../src/participation/invitations.ts"
import { listItems, listProjectItems } from "../../src/participation/items.ts"
import { onBehalfOf } from "../../src/people/acting-person.ts"
import { createMembership, endMembership } from "../../src/people/memberships.ts"
import { inviteRepresentative } from "../../src/projects/representative.ts"
import { nonIdempotentRequest } from "../../src/replay/idempotency.ts"
import { limits } from "../../src/vocabulary/limits.ts"
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
  noon,
  project,
  task
} from "./fixtures.ts"

const eve = signInNewPerson("Eve").pipe(at(noon))

layer(freshTestService, { excludeTestServices: true })("invitations to a task", (it) => {
  it.effect("Only a party of the project can invite to a task.", () =>
    Effect.gen(function* () {
      const { dana, sam, projectId } = yield* respondedProject
      const outsider = yield* eve
      assert.isString((yield* invite(dana, projectId)).code)
      assert.isString((yield* invite(sam, projectId)).code)
      assert.strictEqual(yield* refusalCodeOf(invite(outsider, projectId)), "FORBIDDEN")
      const nowhere = "delivery_00000000-0000-4000-8000-000000000000"
      assert.strictEqual(yield* refusalCodeOf(invite(dana, nowhere)), "FORBIDDEN")
    }).pipe(at(noon))
  )

  it.effect("The supplier can invite to a task only after its first response.", () =>
    Effect.gen(function* () {
      const { sam, projectId } = yield* project
      assert.strictEqual(yield* refusalCodeOf(invite(sam, projectId)), "STATE_CONFLICT")
      assert.deepStrictEqual((yield* listInvitations(sam, sam.organizationId)).items, [])
    }).pipe(at(noon))
  )

  it.effect("An invitation to a task requires the authority DELEGATE.", () =>
    Effect.gen(function* () {
      const { dana, projectId } = yield* project
      const member = yield* eve
      const { personId } = member
      const validUntil = millisecondsAfterNoon(hour)
      const { organizationId } = dana
      const authorities = ["MEMBERS_MANAGE", "AGREEMENT_CREATE"] as const
      yield* createMembership({ personId, organizationId, authorities, validUntil })
      assert.strictEqual(yield* refusalCodeOf(invite(member, projectId)), "FORBIDDEN")
    }).pipe(at(noon))
  )

  it.effect("A task is due at least one millisecond in the future or never.", () =>
    Effect.gen(function* () {
      const { dana, projectId } = yield* project
      assert.strictEqual(yield* refusalCodeOf(invite(dana, projectId, { dueAt: noon })), "INVALID_REQUEST")
      assert.strictEqual(yield* refusalCodeOf(invite(dana, projectId, { dueAt: millisecondsAfterNoon(1) })), "DONE")
      assert.strictEqual(yield* refusalCodeOf(invite(dana, projectId, { dueAt: null })), "DONE")
    }).pipe(at(noon))
  )

  it.effect.each([
    ["title", 200],
    ["instructions", 20_000]
  ] as const)("The %s of a task has 1 to %i characters.", ([field, most]) =>
    Effect.gen(function* () {
      const { dana, projectId } = yield* project
      const outcomes = yield* Effect.forEach([0, 1, most, most + 1], (length) =>
        refusalCodeOf(invite(dana, projectId, { [field]: "x".repeat(length) }))
      )
      assert.deepStrictEqual(outcomes, ["INVALID_REQUEST", "DONE", "DONE", "INVALID_REQUEST"])
    }).pipe(at(noon))
  )

  it.effect("A retry within 10 minutes shows the same invitation code; another request under its id is refused.", () =>
    Effect.gen(function* () {
      const { dana, projectId } = yield* project
      const { code, invitationId, request } = yield* invite(dana, projectId).pipe(at(noon))
      const again = inviteParticipant(dana, request, { projectId, ...task })
      const shown = yield* again.pipe(at(millisecondsAfterNoon(10 * minute - 1)))
      assert.deepStrictEqual([shown.code, shown.invitationId], [code, invitationId])
      assert.strictEqual(
        yield* refusalCodeOf(again).pipe(at(millisecondsAfterNoon(10 * minute))),
        "SECRET_ALREADY_SHOWN"
      )
      const other = inviteParticipant(dana, { ...request, fingerprint: "0".repeat(64) }, { projectId, ...task })
      assert.strictEqual(yield* refusalCodeOf(other).pipe(at(noon)), "REQUEST_ID_CONFLICT")
    })
  )
})

layer(freshTestService, { excludeTestServices: true })("acceptance of an invitation to a task", (it) => {
  it.effect(
    "An acceptance creates an item with exactly the terms shown, listed for the person and the inviting party.",
    () =>
      Effect.gen(function* () {
        const { dana, sam, projectId } = yield* project
        const kim = yield* signInNewPerson("Kim")
        const { code } = yield* invite(dana, projectId, { dueAt: millisecondsAfterNoon(hour) })
        const { terms } = yield* readInvitation(kim, code)
        const item = yield* acceptParticipation(kim, code)
        assert.deepInclude(item, {
          ...task,
          dueAt: millisecondsAfterNoon(hour),
          state: "OPEN",
          acceptedAt: noon,
          side: "BUYER"
        })
        assert.deepStrictEqual(terms, { kind: "PARTICIPATION", ...task, dueAt: millisecondsAfterNoon(hour) })
        assert.deepStrictEqual((yield* listItems(kim)).items, [item])
        assert.deepStrictEqual((yield* listProjectItems(dana, projectId)).items, [{ item, name: "Kim" }])
        assert.deepStrictEqual((yield* listProjectItems(sam, projectId)).items, [])
        assert.strictEqual(yield* refusalCodeOf(listProjectItems(kim, projectId)), "FORBIDDEN")
      }).pipe(at(noon))
  )

  it.effect("An item of the supplier is not listed for the buyer.", () =>
    Effect.gen(function* () {
      const { dana, sam, projectId } = yield* respondedProject
      const kim = yield* signInNewPerson("Kim")
      const item = yield* acceptParticipation(kim, (yield* invite(sam, projectId)).code)
      assert.strictEqual(item.side, "SUPPLIER")
      assert.deepStrictEqual((yield* listProjectItems(sam, projectId)).items, [{ item, name: "Kim" }])
      assert.deepStrictEqual((yield* listProjectItems(dana, projectId)).items, [])
    }).pipe(at(noon))
  )

  it.effect("A supplier who is also a member of the buyer sees only the supplier's items and invitations.", () =>
    Effect.gen(function* () {
      const { dana, sam, projectId } = yield* respondedProject
      const { personId } = sam
      const { organizationId } = dana
      yield* createMembership({
        personId,
        organizationId,
        authorities: ["DELEGATE"],
        validUntil: millisecondsAfterNoon(hour)
      })
      const kim = yield* signInNewPerson("Kim")
      const lee = yield* signInNewPerson("Lee")
      const given = yield* acceptParticipation(kim, (yield* invite(dana, projectId)).code)
      const request = yield* nonIdempotentRequest(personId)
      const { code, invitationId } = yield* inviteParticipant(sam, request, { projectId, ...task })
      const supplied = yield* acceptParticipation(lee, code)
      assert.deepStrictEqual((yield* listProjectItems(sam, projectId)).items, [{ item: supplied, name: "Lee" }])
      assert.deepStrictEqual((yield* listProjectItems(dana, projectId)).items, [{ item: given, name: "Kim" }])
      const known = (yield* listInvitations(dana, organizationId)).items.map((invitation) => invitation.invitationId)
      assert.notInclude(known, invitationId)
    }).pipe(at(noon))
  )

  it.effect(
    "Accepting again returns the same item to the same person, and the code is unknown to another person.",
    () =>
      Effect.gen(function* () {
        const { dana, projectId } = yield* project
        const kim = yield* signInNewPerson("Kim")
        const outsider = yield* eve
        const { code } = yield* invite(dana, projectId)
        const items = yield* Effect.all(
          Array.from({ length: 8 }, () => acceptParticipation(kim, code)),
          { concurrency: "unbounded" }
        )
        assert.strictEqual(new Set(items.map(({ itemId }) => itemId)).size, 1)
        assert.lengthOf((yield* listItems(kim)).items, 1)
        assert.strictEqual(yield* refusalCodeOf(acceptParticipation(outsider, code)), "INVITATION_UNKNOWN")
        assert.lengthOf((yield* listItems(outsider)).items, 0)
      }).pipe(at(noon))
  )

  it.effect("An invitation expires after exactly 14 days.", () =>
    Effect.gen(function* () {
      const { dana, projectId } = yield* project
      const kim = yield* signInNewPerson("Kim")
      const { code } = yield* invite(dana, projectId).pipe(at(noon))
      const late = acceptParticipation(onBehalfOf(kim.personId), code)
      const end = limits.invitationLifetime
      assert.strictEqual(yield* refusalCodeOf(late).pipe(at(millisecondsAfterNoon(end))), "INVITATION_UNKNOWN")
      assert.strictEqual(yield* refusalCodeOf(late).pipe(at(millisecondsAfterNoon(end - 1))), "DONE")
    })
  )

  it.effect("An invitation ends with the inviter's membership.", () =>
    Effect.gen(function* () {
      const { dana, projectId } = yield* project
      const kim = yield* signInNewPerson("Kim")
      const { code } = yield* invite(dana, projectId)
      yield* endMembership("OPERATOR", { membershipId: dana.membershipId })
      assert.strictEqual(yield* refusalCodeOf(acceptParticipation(kim, code)), "INVITATION_UNKNOWN")
    }).pipe(at(noon))
  )

  it.effect("An invitation of another kind is not accepted as one to a task.", () =>
    Effect.gen(function* () {
      const { dana } = yield* project
      const kim = yield* signInNewPerson("Kim")
      const request = yield* nonIdempotentRequest(dana.personId)
      const { organizationId } = dana
      const member = yield* inviteMember(dana, request, { organizationId, authorities: ["DELEGATE"] })
      const open = yield* makeProject(true)
      const another = yield* nonIdempotentRequest(open.dana.personId)
      const representative = yield* inviteRepresentative(open.dana, another, { projectId: open.projectId })
      for (const made of [member, representative]) {
        assert.isString(made.code)
        assert.strictEqual(yield* refusalCodeOf(acceptParticipation(kim, made.code)), "INVITATION_UNKNOWN")
      }
    }).pipe(at(noon))
  )
})
