/** Keys and signatures are remembered by value within one search, and change no result. */
import { Effect, Exit } from "effect"
import { assert, describe, it } from "vitest"
import { secretsFrom } from "../../../src/adapters/secrets.ts"
import { keyPurposes, type KeyPurpose } from "../../../src/ports/signer.ts"
import { fromMilliseconds } from "../../../src/vocabulary/instant.ts"
import { RememberedKeys } from "../../../simulator/environment/remembered-keys.ts"
import { seededSigner } from "../../../simulator/environment/signer.ts"
import { RandomStreams } from "../../../simulator/kernel/prng.ts"

const payload = { schema: "service.project-event/v1", issuedAt: fromMilliseconds(0), sequence: 1 }

describe("remembered keys", () => {
  it("Worlds with one key share its derived secrets, and equal those derived anew", () => {
    const keys = new RememberedKeys()
    const key = new Uint8Array(32).fill(7)
    assert.strictEqual(keys.secretsUnder(key), keys.secretsUnder(Uint8Array.from(key)))
    const [anew, other] = [secretsFrom([key]), keys.secretsUnder(new Uint8Array(32).fill(8))]
    const derived = keys.secretsUnder(key).derive("CREDENTIAL", anew.keyIds[0], "salt", ["a"])
    assert.strictEqual(derived, anew.derive("CREDENTIAL", anew.keyIds[0], "salt", ["a"]))
    assert.notStrictEqual(other.keyIds[0], anew.keyIds[0])
  })

  it("A text is signed once with one key, and again with another key", () => {
    const keys = new RememberedKeys()
    let signatures = 0
    const sign = Effect.sync(() => `signature ${(signatures += 1)}`)
    const signed = ["one", "one", "other"].map((kid) => Effect.runSync(keys.signature(kid, "{}", sign)))
    assert.deepEqual(signed, ["signature 1", "signature 1", "signature 2"])
  })

  it("A remembered signature equals a new one, and is refused while its key is withheld", () => {
    const keys = new RememberedKeys()
    let held: ReadonlyArray<KeyPurpose> = keyPurposes
    const signer = seededSigner(new RandomStreams(1), () => held, keys)
    const signed = Effect.runSync(signer.sign("EVENT", payload))
    assert.strictEqual(Effect.runSync(signer.sign("EVENT", payload)), signed)
    assert.strictEqual(Effect.runSync(seededSigner(new RandomStreams(1)).sign("EVENT", payload)), signed)
    held = ["RECORD"]
    assert.isTrue(Exit.isFailure(Effect.runSyncExit(signer.sign("EVENT", payload))))
  })
})
