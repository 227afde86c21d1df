/** The errors of the strict reader are reported to the client. */
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { jsonErrorMessages } from "../../src/canonical/json-error-messages.ts"
import { invalidDocuments } from "../canonical/invalid-documents.ts"
import { assertRefusal } from "../support/errors.ts"
import { memoryTestService } from "../support/memory-service.ts"
import { makeAgent } from "../support/parties.ts"
import { send } from "../support/service.ts"
import { signInNewPerson } from "../support/sessions.ts"

layer(memoryTestService, { excludeTestServices: true })("bodies that are not strict JSON", (it) => {
  it.effect.each(Object.entries(invalidDocuments))(
    "A body with the JSON error %s is refused with its message",
    ([fault, raw]) =>
      Effect.gen(function* () {
        const { token } = yield* makeAgent(yield* signInNewPerson("Dana"), "BUYER", ["CREATE_PROJECT"])
        const answer = yield* send("POST", "/api/agents/v1/projects", { token, raw })
        assert.strictEqual(answer.status, 400)
        assertRefusal(answer)
        assert.strictEqual(answer.body.issues[0].message, jsonErrorMessages[fault as keyof typeof jsonErrorMessages])
      })
  )
})
