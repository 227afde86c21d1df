import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { inviteMember } from "../../src/people/invitations.ts"
import { nonIdempotentRequest } from "../../src/replay/idempotency.ts"
import { freshTestService } from "../support/service.ts"
import { signInNewPerson } from "../support/sessions.ts"

layer(freshTestService, { excludeTestServices: true })("invitations", (it) => {
  it.effect("Twelve concurrent requests with one id create one invitation, and each response contains its code", () =>
    Effect.gen(function* () {
      const dana = yield* signInNewPerson("Dana")
      const request = yield* nonIdempotentRequest(dana.personId)
      const invitationInput = { organizationId: dana.organizationId, authorities: ["DELEGATE" as const] }
      const requests = Array.from({ length: 12 }, () => inviteMember(dana, request, invitationInput))
      const made = yield* Effect.all(requests, { concurrency: "unbounded" })
      assert.strictEqual(new Set(made.map((one) => JSON.stringify(one))).size, 1)
    })
  )
})
