import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { authorities, type Authority } from "../../../src/people/membership.ts"
import { createMembership, endMembership } from "../../../src/people/memberships.ts"
import { addMilliseconds, now, type Instant } from "../../../src/vocabulary/instant.ts"
import { limits } from "../../../src/vocabulary/limits.ts"
import { tokenFrom } from "../../../src/vocabulary/token.ts"
import { assertRefusal } from "../../support/errors.ts"
import { inAnotherSession, makeUnnamedProject } from "../../support/person-requests.ts"
import { uuid } from "../../support/parties.ts"
import { freshTestService } from "../../support/service.ts"
import { signInNewPerson, type SignedInPerson } from "../../support/sessions.ts"
import { at } from "../../support/time.ts"
import { createdBody, outcome, post, read } from "../../support/workspace.ts"

const noon = "2026-11-21T12:00:00.000Z" as Instant
const after = (milliseconds: number) => at(addMilliseconds(noon, milliseconds))
const unknown = [404, "INVITATION_UNKNOWN"]

const invite = (by: SignedInPerson, body: object = {}, { organizationId } = by) =>
  post(by, `/organizations/${organizationId}/invitations`, { requestId: uuid(), authorities: ["DELEGATE"], ...body })

const accept = (by: SignedInPerson, code: string) => post(by, "/invitations/accept-membership", { code })
const look = (by: SignedInPerson, code: string) => post(by, "/invitations/read", { code })

const invited = Effect.gen(function* () {
  const dana = yield* signInNewPerson("Dana")
  const sam = yield* signInNewPerson("Sam")
  const invitation = createdBody(yield* invite(dana))
  return { dana, sam, ...invitation, path: `/invitations/${invitation.invitationId}` }
}).pipe(at(noon))

layer(freshTestService, { excludeTestServices: true })("invitations to join", (it) => {
  it.effect("An invitation shows its terms, and its acceptance gives exactly those", () =>
    Effect.gen(function* () {
      const dana = yield* signInNewPerson("Dana")
      const sam = yield* signInNewPerson("Sam")
      const validUntil = addMilliseconds(yield* now, 86_400_000)
      const terms = { kind: "MEMBERSHIP", authorities: ["TERMS_RESPOND", "DELEGATE"], validUntil }
      const { code } = createdBody(yield* invite(dana, { authorities: terms.authorities, validUntil }))
      const seen = yield* look(sam, code)
      assert.deepInclude(seen.body, { terms, organizationName: "Dana", inviterName: "Dana", state: "OPEN" })
      assert.notInclude(seen.text, code)
      const accepted = createdBody(yield* accept(sam, code))
      assert.strictEqual(accepted.organizationId, dana.organizationId)
      const { memberships } = (yield* read(sam, "/session")).body
      const own = memberships.find((one: any) => one.organizationId === dana.organizationId)
      const { membershipId } = accepted
      assert.deepInclude(own, { membershipId, authorities: terms.authorities, validUntil, isInForce: true })
    })
  )

  it.effect("The code of an invitation is returned only to its own request, for ten minutes", () =>
    Effect.gen(function* () {
      const dana = yield* signInNewPerson("Dana").pipe(at(noon))
      const body = { requestId: uuid() }
      const first = yield* invite(dana, body).pipe(at(noon))
      assert.strictEqual(first.status, 201)
      const again = yield* invite(dana, body).pipe(after(limits.secretRecovery - 1))
      assert.deepStrictEqual([again.status, again.body], [201, first.body])
      const late = yield* invite(dana, body).pipe(after(limits.secretRecovery))
      assert.deepStrictEqual(outcome(late), [409, "SECRET_ALREADY_SHOWN"])
      const other = yield* invite(dana, { ...body, authorities: [] }).pipe(at(noon))
      assert.deepStrictEqual(outcome(other), [409, "REQUEST_ID_CONFLICT"])
      const list = yield* read(dana, `/organizations/${dana.organizationId}/invitations`).pipe(at(noon))
      assert.lengthOf(list.body.invitations, 1)
      const { invitationId } = first.body
      const open = { invitationId, kind: "MEMBERSHIP", state: "OPEN", isExpired: false, acceptedBy: null }
      assert.deepInclude(list.body.invitations[0], open)
      assert.notMatch(list.text, /ddi_|hash|[0-9a-f]{64}/i)
    })
  )

  it.effect("An invitation is accepted once, idempotently for the same person", () =>
    Effect.gen(function* () {
      const { dana, sam, code, path } = yield* invited
      const mia = yield* signInNewPerson("Mia").pipe(at(noon))
      const accepted = createdBody(yield* accept(sam, code).pipe(at(noon)))
      assert.deepStrictEqual((yield* accept(sam, code).pipe(at(noon))).body, accepted)
      assert.strictEqual((yield* look(sam, code).pipe(at(noon))).body.state, "ACCEPTED")
      for (const answer of [yield* accept(mia, code).pipe(at(noon)), yield* look(mia, code).pipe(at(noon))]) {
        assert.deepStrictEqual(outcome(answer), unknown)
        assertRefusal(answer)
      }
      const revoked = yield* post(dana, `${path}/revoke`).pipe(at(noon))
      assert.deepStrictEqual(outcome(revoked), [409, "STATE_CONFLICT"])
    })
  )

  it.effect("Of two people accepting one invitation concurrently one succeeds", () =>
    Effect.gen(function* () {
      const { dana, sam, code } = yield* invited
      const mia = yield* signInNewPerson("Mia").pipe(at(noon))
      const answers = yield* Effect.all(
        [sam, mia].map((by) => accept(by, code)),
        { concurrency: "unbounded" }
      ).pipe(at(noon))
      assert.deepStrictEqual(answers.map(outcome).sort(), [[200], unknown])
      const members = (yield* read(dana, `/organizations/${dana.organizationId}/members`).pipe(at(noon))).body.members
      assert.lengthOf(members, 2)
    })
  )

  it.effect("Concurrent acceptances of one person create one membership", () =>
    Effect.gen(function* () {
      const { sam, code } = yield* invited
      const answers = yield* Effect.all(
        [sam, yield* inAnotherSession(sam).pipe(at(noon))].map((by) => accept(by, code)),
        { concurrency: "unbounded" }
      ).pipe(at(noon))
      assert.deepStrictEqual(answers.map(outcome), [[200], [200]])
      assert.deepStrictEqual(answers[0]!.body, answers[1]!.body)
    })
  )

  it.effect("An invitation is refused once revoked, or after fourteen days", () =>
    Effect.gen(function* () {
      const { dana, sam, code, path } = yield* invited
      const last = after(limits.invitationLifetime - 1)
      const fresh = yield* inAnotherSession(sam).pipe(last)
      assert.strictEqual((yield* look(fresh, code).pipe(last)).status, 200)
      const late = after(limits.invitationLifetime)
      assert.deepStrictEqual(outcome(yield* look(fresh, code).pipe(late)), unknown)
      assert.deepStrictEqual(outcome(yield* accept(fresh, code).pipe(late)), unknown)
      const revoked = yield* post(dana, `${path}/revoke`).pipe(at(noon))
      assert.deepStrictEqual([revoked.status, revoked.body.state], [200, "REVOKED"])
      assert.strictEqual((yield* post(dana, `${path}/revoke`).pipe(at(noon))).status, 200)
      const guest = yield* inAnotherSession(sam).pipe(at(noon))
      assert.deepStrictEqual(outcome(yield* look(guest, code).pipe(at(noon))), unknown)
      assert.deepStrictEqual(outcome(yield* accept(guest, code).pipe(at(noon))), unknown)
    })
  )

  it.effect("An invitation is refused once its inviter lacks the authority for it", () =>
    Effect.gen(function* () {
      const { dana, sam, code } = yield* invited
      const { organizationId, personId } = dana
      yield* endMembership("OPERATOR", dana).pipe(at(noon))
      const validUntil = addMilliseconds(noon, 86_400_000)
      yield* createMembership({ personId, organizationId, authorities, validUntil }).pipe(at(noon))
      assert.deepStrictEqual(outcome(yield* accept(sam, code).pipe(at(noon))), unknown)
    })
  )

  it.effect("An invitation is unknown under any other code", () =>
    Effect.gen(function* () {
      const { sam, code } = yield* invited
      const others = [
        tokenFrom("invitation", "0".repeat(64)),
        tokenFrom("agent", "0".repeat(64)),
        code.slice(0, -1),
        `${code} `,
        "x"
      ]
      for (const other of others) {
        assert.deepStrictEqual(outcome(yield* look(sam, other).pipe(at(noon))), unknown, other)
        assert.deepStrictEqual(outcome(yield* accept(sam, other).pipe(at(noon))), unknown, other)
      }
    })
  )

  it.effect("An invitation to join is refused to a member and for another purpose", () =>
    Effect.gen(function* () {
      const { dana, sam, code } = yield* invited
      assert.deepStrictEqual(outcome(yield* accept(dana, code).pipe(at(noon))), [409, "ALREADY_EXISTS"])
      const body = { requestId: uuid(), code, organizationId: sam.organizationId }
      const represented = yield* post(sam, "/invitations/accept-representation", body).pipe(at(noon))
      assert.deepStrictEqual(outcome(represented), unknown)
      const projectId = yield* makeUnnamedProject(dana).pipe(at(noon))
      const path = `/projects/${projectId}/representative-invitations`
      const other = createdBody(yield* post(dana, path, { requestId: uuid() }).pipe(at(noon)))
      assert.deepStrictEqual(outcome(yield* accept(sam, other.code).pipe(at(noon))), unknown)
      assert.strictEqual((yield* accept(sam, code).pipe(at(noon))).status, 200)
    })
  )

  it.effect("Invitations are created, listed and revoked only by members who manage members", () =>
    Effect.gen(function* () {
      const { dana, sam, path } = yield* invited
      const { organizationId } = dana
      const tries = Effect.gen(function* () {
        return [
          outcome(yield* invite(sam, {}, dana)),
          outcome(yield* read(sam, `/organizations/${organizationId}/invitations`)),
          outcome(yield* post(sam, `${path}/revoke`))
        ]
      }).pipe(at(noon))
      const no = [403, "FORBIDDEN"]
      assert.deepStrictEqual(yield* tries, [no, no, [404, "UNKNOWN_PARTY"]])
      const held: ReadonlyArray<Authority> = ["MATERIALS_SUBMIT"]
      const validUntil = addMilliseconds(noon, 86_400_000)
      yield* createMembership({ personId: sam.personId, organizationId, authorities: held, validUntil }).pipe(at(noon))
      assert.deepStrictEqual(yield* tries, [no, no, no])
      const past = yield* invite(dana, { validUntil: noon }).pipe(at(noon))
      assert.deepStrictEqual(outcome(past), [400, "INVALID_REQUEST"])
      const unknown = yield* post(dana, `/invitations/invitation_${uuid()}/revoke`).pipe(at(noon))
      assert.deepStrictEqual(outcome(unknown), [404, "UNKNOWN_PARTY"])
    })
  )
})
