/** The trust file of this installation. */
import { Console, Effect, Layer } from "effect"
import { Command, Flag } from "effect/cli"
import { Configuration } from "../../adapters/configuration.ts"
import * as InstallationKeys from "../../adapters/installation-keys.ts"
import { Signer } from "../../ports/signer.ts"
import { jwkSet } from "../../records/jwk-set.ts"
import { reportFailure } from "../production.ts"
import { requireIssuerKeys } from "./existing-installation.ts"
import { jsonText } from "./text.ts"

const jwks = Flag.Boolean("jwks").pipe(
  Flag.withDescription("Print a JWK Set (RFC 7517) in place of the trust file; verify-result does not read one"),
  Flag.withDefault(false)
)

/** Needs no database: the keys are in a file. */
export const issuerKeys = Command.make("issuer-keys", { jwks }, ({ jwks }) =>
  Effect.andThen(
    requireIssuerKeys,
    Signer.pipe(
      Effect.flatMap(({ keys }) => Console.log(jsonText(jwks ? jwkSet(keys) : keys))),
      Effect.provide(InstallationKeys.issuerKeysOnly.pipe(Layer.provide(Configuration.layer)))
    )
  ).pipe(reportFailure)
).pipe(Command.withDescription("Print the trust file of this installation, for verifiers of its records"))
