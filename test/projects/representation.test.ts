import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { createAccount } from "../../src/people/accounts.ts"
import { removeAccount } from "../../src/access/account.ts"
import { membershipsOf, onBehalfOf } from "../../src/people/acting-person.ts"
import { createMembership, endMembership } from "../../src/people/memberships.ts"
import { createOrganization } from "../../src/people/operations.ts"
import { signIn } from "../../src/people/sessions.ts"
import { Storage } from "../../src/ports/storage.ts"
import { acceptRepresentation, inviteRepresentative } from "../../src/projects/representative.ts"
import { listNewestProjects } from "../../src/projects/newest-projects.ts"
import { nonIdempotentRequest } from "../../src/replay/idempotency.ts"
import { addMilliseconds, now } from "../../src/vocabulary/instant.ts"
import type { Refusal } from "../../src/vocabulary/refusals.ts"
import { makeUnnamedProject } from "../support/person-requests.ts"
import { pauseAs } from "../support/people.ts"
import { freshTestService } from "../support/service.ts"
import { signInNewPerson } from "../support/sessions.ts"

const codeOf = <A, R>(operation: Effect.Effect<A, Refusal, R>) =>
  Effect.match(operation, { onFailure: ({ code }) => code as string, onSuccess: () => "DONE" })

layer(freshTestService, { excludeTestServices: true })("representation of the supplier", (it) => {
  it.effect("The representative represents the chosen organization until that membership ends.", () =>
    Effect.gen(function* () {
      const dana = yield* signInNewPerson("Dana")
      const sam = yield* signInNewPerson("Sam")
      const lee = yield* signInNewPerson("Lee")
      const projectId = yield* makeUnnamedProject(dana)
      const { organizationId } = yield* createOrganization({ name: "Studio" })
      const validUntil = addMilliseconds(yield* now, 86_400_000)
      const join = (personId: string, authorities: ReadonlyArray<"DELEGATE" | "TERMS_RESPOND">) =>
        createMembership({ personId, organizationId, authorities, validUntil })
      const member = yield* join(sam.personId, ["DELEGATE", "TERMS_RESPOND"])
      yield* join(lee.personId, ["DELEGATE"])
      const invitation = yield* inviteRepresentative(dana, yield* nonIdempotentRequest(dana.personId), { projectId })
      const code = "code" in invitation ? invitation.code : ""
      yield* acceptRepresentation(sam, yield* nonIdempotentRequest(sam.personId), { code, organizationId })
      const pause = (personId: string) => codeOf(pauseAs({ personId, projectId, reason: "Stop." }))
      // Another member of that organization can pause the project and lists it.
      assert.strictEqual(yield* pause(lee.personId), "DONE")
      const [listed] = yield* listNewestProjects(onBehalfOf(lee.personId))
      assert.deepInclude(listed, { projectId, role: "SUPPLIER", organizationId })
      assert.strictEqual(yield* pause(sam.personId), "STATE_CONFLICT")
      yield* endMembership("OPERATOR", member)
      assert.strictEqual(yield* pause(sam.personId), "FORBIDDEN")
    })
  )
})

layer(freshTestService, { excludeTestServices: true })("ended memberships", (it) => {
  it.effect("A person with more than 100 ended memberships is found by the membership in force.", () =>
    Effect.gen(function* () {
      const dana = yield* signInNewPerson("Dana")
      for (let time = 0; time < 120; time++) {
        const session = yield* signIn(dana.identity, { isInvited: false })
        yield* removeAccount(session)
        const back = yield* signIn(dana.identity, { isInvited: false })
        yield* createAccount(back)
      }
      const storage = yield* Storage
      const { organizationId } = yield* createAccount(onBehalfOf(dana.personId))
      const memberships = yield* storage.view((reader) => membershipsOf(reader, dana.personId))
      assert.isTrue(memberships.some((one) => one.organizationId === organizationId && one.endedAt === null))
      assert.isAbove(memberships.length, 100)
    })
  )
})
