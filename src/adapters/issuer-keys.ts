/**
 * The issuer's private keys: a file that the operator names, or, on the embedded default, one made at the first start
 * in a directory of its own beside the data.
 */
import { createPrivateKey, generateKeyPairSync, type JsonWebKey } from "node:crypto"
import * as fs from "node:fs"
import * as path from "node:path"
import { Clock, Data, Effect, Layer, Option, Schema } from "effect"
import { keyPurposes, missingPurposes, Signer } from "../ports/signer.ts"
import { addMilliseconds, fromMilliseconds, Instant } from "../vocabulary/instant.ts"
import { Configuration, requireKeys } from "./configuration.ts"
import { signerFrom } from "./ed25519.ts"
import { writeOnce } from "./private-file.ts"

/** `service.issuer-private-keys/v1`: the trust file with private keys, for this process alone. */
const PrivateKeys = Schema.Struct({
  schema: Schema.Literal("service.issuer-private-keys/v1"),
  issuer: Schema.String,
  environment: Schema.String,
  keys: Schema.Array(
    Schema.Struct({
      jwk: Schema.Struct({
        kty: Schema.Literal("OKP"),
        crv: Schema.Literal("Ed25519"),
        x: Schema.String,
        d: Schema.String
      }),
      validFrom: Instant,
      validUntil: Instant,
      revokedAt: Schema.NullOr(Instant),
      purposes: Schema.Array(Schema.Literals(keyPurposes))
    })
  )
})

/** Says what is missing or wrong, in words for the operator; never a key. */
export class IssuerKeysError extends Data.TaggedError("IssuerKeysError")<{ readonly message: string }> {}

export const layer = Layer.effect(
  Signer,
  Effect.gen(function* () {
    const { issuerKeysFile, dataDirectory } = yield* Configuration
    yield* requireKeys("ISSUER_KEYS_FILE")
    if (Option.isSome(issuerKeysFile)) return yield* readKeys(issuerKeysFile.value)
    const file = path.join(dataDirectory, "keys", "issuer-keys.json")
    yield* makeKeys(file)
    return yield* readKeys(file)
  })
)

const readKeys = Effect.fnUntraced(function* (file: string) {
  const text = yield* Effect.try({
    try: () => fs.readFileSync(file, "utf8"),
    catch: () => new IssuerKeysError({ message: `the issuer keys in ${file} cannot be read` })
  })
  const malformed = () => new IssuerKeysError({ message: `the issuer keys in ${file} do not have the documented form` })
  const decode = Schema.decodeUnknownEffect(Schema.fromJsonString(PrivateKeys))
  const { issuer, environment, keys } = yield* Effect.mapError(decode(text), malformed)
  const signer = yield* Effect.try({
    try: () =>
      signerFrom({
        issuer,
        environment,
        keys: keys.map(({ jwk, ...rest }) => ({
          ...rest,
          privateKey: createPrivateKey({ key: jwk as JsonWebKey, format: "jwk" })
        }))
      }),
    catch: malformed
  })
  const now = fromMilliseconds(yield* Clock.currentTimeMillis)
  const missing = missingPurposes(signer.keys, now)
  if (missing.length > 0) {
    return yield* new IssuerKeysError({
      message: `no key in ${file} is valid now for ${missing.join(", ")}: without one nothing can commit`
    })
  }
  return signer
})

const tenYears = 3_652 * 86_400_000

/** One key for every purpose, written once; a file that exists is left as it is. */
const makeKeys = Effect.fnUntraced(function* (file: string) {
  if (fs.existsSync(file)) return
  const validFrom = fromMilliseconds(yield* Clock.currentTimeMillis)
  const jwk = generateKeyPairSync("ed25519").privateKey.export({ format: "jwk" })
  const key = {
    jwk,
    validFrom,
    validUntil: addMilliseconds(validFrom, tenYears),
    revokedAt: null,
    purposes: keyPurposes
  }
  const content = {
    schema: "service.issuer-private-keys/v1",
    issuer: "countersign-embedded",
    environment: "embedded",
    keys: [key]
  }
  yield* Effect.try({
    try: () => writeOnce(file, `${JSON.stringify(content, null, 2)}\n`),
    catch: () => new IssuerKeysError({ message: `the issuer keys cannot be written to ${file}` })
  })
})
