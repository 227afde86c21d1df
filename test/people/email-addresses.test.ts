import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { readEmailAddress } from "../../src/people/email-addresses.ts"
import { createPerson } from "../../src/people/operations.ts"
import { signIn } from "../../src/people/sessions.ts"
import { freshTestService } from "../support/service.ts"
import { identityOf } from "../support/sessions.ts"

layer(freshTestService, { excludeTestServices: true })("e-mail address of a person", (it) => {
  it.effect("A person's e-mail address is the one of their newest sign-in, or none", () =>
    Effect.gen(function* () {
      const identity = yield* identityOf("Dana")
      const addressAfter = Effect.fnUntraced(function* (email: string | null, current?: string) {
        const options = { isInvited: false, ...(current === undefined ? {} : { current }) }
        const { personId, token } = yield* signIn({ ...identity, email }, options)
        return { email: yield* readEmailAddress(personId), token }
      })
      assert.strictEqual((yield* addressAfter("dana@example.org")).email, "dana@example.org", "the first")
      assert.strictEqual((yield* addressAfter("dana@example.org")).email, "dana@example.org", "the same")
      const { email, token } = yield* addressAfter("d@example.org")
      assert.strictEqual(email, "d@example.org", "another, in a session of its own")
      assert.strictEqual((yield* addressAfter("dana@example.org", token)).email, "dana@example.org", "in one renewed")
      assert.isNull((yield* addressAfter(null)).email)
      assert.isNull((yield* addressAfter(null)).email)
      assert.strictEqual((yield* addressAfter("dana@example.org")).email, "dana@example.org")
    })
  )

  it.effect("A sign-in changes only the e-mail address of its own person", () =>
    Effect.gen(function* () {
      const [dana, sam] = [yield* identityOf("Dana"), yield* identityOf("Sam")]
      const first = yield* signIn({ ...dana, email: "shared@example.org" }, { isInvited: false })
      const { authenticatedAt: _, email: __, ...known } = sam
      const { personId } = yield* createPerson(known)
      assert.isNull(yield* readEmailAddress(personId))
      yield* signIn({ ...sam, email: "shared@example.org" }, { isInvited: false })
      assert.strictEqual(yield* readEmailAddress(personId), "shared@example.org")
      yield* signIn({ ...sam, email: null }, { isInvited: false })
      assert.strictEqual(yield* readEmailAddress(first.personId), "shared@example.org")
    })
  )
})
