import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { inviteMember } from "../../src/people/invitations.ts"
import { unrepeated } from "../../src/replay/replay.ts"
import { freshTestService } from "../support/service.ts"
import { signInAnew } from "../support/sessions.ts"

layer(freshTestService, { excludeTestServices: true })("an invitation", (it) => {
  it.effect("that is asked for twelve times at once by one request is one, and each answer shows its code", () =>
    Effect.gen(function* () {
      const dana = yield* signInAnew("Dana")
      const request = yield* unrepeated(dana.personId)
      const wish = { organizationId: dana.organizationId, authorities: ["DELEGATE" as const] }
      const wishes = Array.from({ length: 12 }, () => inviteMember(dana, request, wish))
      const made = yield* Effect.all(wishes, { concurrency: "unbounded" })
      assert.strictEqual(new Set(made.map((one) => JSON.stringify(one))).size, 1)
    })
  )
})
