/** An installation without a key for a purpose. */
import { Effect } from "effect"
import { IssuerNotConfigured, Signer, type KeyPurpose } from "../../src/ports/signer.ts"

export const withoutKey =
  (missing: KeyPurpose) =>
  <A, E, R>(operation: Effect.Effect<A, E, R>) =>
    Effect.flatMap(Signer, (signer) =>
      Effect.provideService(operation, Signer, {
        ...signer,
        sign: (purpose, payload, text) =>
          purpose === missing ? Effect.fail(new IssuerNotConfigured({ purpose })) : signer.sign(purpose, payload, text)
      })
    )
