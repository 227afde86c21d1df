/**
 * The issuer's private keys: a file that the operator names, or, with the embedded database, one generated at the first
 * start in a directory of its own beside the data.
 */
import * as fs from "node:fs"
import { Clock, Data, Effect, Schema, SchemaIssue } from "effect"
import { printPath } from "../canonical/json-error-messages.ts"
import { type IssuerKeys, keyPurposes, missingPurposes } from "../ports/signer.ts"
import { addMilliseconds, fromMilliseconds, Instant } from "../vocabulary/instant.ts"
import { type RetiredKey, type SigningKey, signerFrom } from "./ed25519.ts"
import { writeOnce } from "./private-file.ts"
import {
  generatePrivateKey,
  isPublicHalf,
  PrivateKeyError,
  privateKeyFields,
  readPrivateKey,
  readPublicHalf
} from "./private-key.ts"

/** `service.issuer-private-keys/v1`: the trust file with private keys, except for retired ones; read by this process only. */
const PrivateKeys = Schema.Struct({
  schema: Schema.Literal("service.issuer-private-keys/v1"),
  issuer: Schema.String,
  environment: Schema.String,
  keys: Schema.Array(
    Schema.Struct({
      ...privateKeyFields,
      validFrom: Instant,
      validUntil: Instant,
      revokedAt: Schema.NullOr(Instant),
      purposes: Schema.Array(Schema.Literals(keyPurposes))
    })
  )
})
type PrivateKeys = typeof PrivateKeys.Type

/** States the problem as a message for the operator; never a key. */
export class IssuerKeysError extends Data.TaggedError("IssuerKeysError")<{ readonly message: string }> {}

export const readKeys = Effect.fnUntraced(function* (file: string) {
  const { issuer, environment, keys: stored } = yield* readFile(file)
  const now = fromMilliseconds(yield* Clock.currentTimeMillis)
  const keys = yield* Effect.forEach(stored, (key, index) => readKey(key, now, `keys[${index}]`, file))
  const signer = signerFrom({ issuer, environment, keys })
  yield* requireDistinct(signer.keys, file)
  const missing = missingPurposes(signer.keys, now)
  if (missing.length > 0) {
    return yield* new IssuerKeysError({
      message: `no key in ${file} is valid now for ${missing.join(", ")}: without one nothing can commit`
    })
  }
  return signer
})

const readFile = Effect.fnUntraced(function* (file: string) {
  const text = yield* Effect.try({
    try: () => fs.readFileSync(file, "utf8"),
    catch: () => new IssuerKeysError({ message: `the issuer keys in ${file} cannot be read` })
  })
  const malformed = ({ issue }: Schema.SchemaError) =>
    new IssuerKeysError({ message: `the issuer keys in ${file} do not have the documented form${cursorOf(issue)}` })
  return yield* Effect.mapError(Schema.decodeUnknownEffect(Schema.fromJsonString(PrivateKeys))(text), malformed)
})

/** The path of the first issue, without the value there. */
const cursorOf = (issue: SchemaIssue.Issue): string => {
  const steps = format(issue).issues[0]?.path ?? []
  const place = printPath(
    steps.map((step) => (typeof step === "object" ? step.key : step)).filter((step) => typeof step !== "symbol")
  )
  return place === "" ? "" : `: see ${place}`
}

const format = SchemaIssue.makeFormatterStandardSchemaV1()

const readKey = (stored: PrivateKeys["keys"][number], now: Instant, place: string, file: string) => {
  const { kid: _kid, jwk: _jwk, pkcs8: _pkcs8, ...rest } = stored
  return Effect.tryPromise({
    try: async (): Promise<SigningKey | RetiredKey> => {
      if (!isPublicHalf(stored)) return { ...rest, ...(await readPrivateKey(stored)) }
      const retired = { ...rest, ...(await readPublicHalf(stored)) }
      if (hasEnded(retired, now)) return retired
      throw new PrivateKeyError(
        ".jwk",
        "has no private half d, which a key may lack once it has ended: give its d, or a revokedAt or validUntil that has passed"
      )
    },
    catch: (thrown) => {
      const { member, requirement } =
        thrown instanceof PrivateKeyError ? thrown : { member: "", requirement: "cannot be read as a private key" }
      return new IssuerKeysError({ message: `${place}${member} in ${file} ${requirement}` })
    }
  })
}

const hasEnded = ({ validUntil, revokedAt }: RetiredKey, now: Instant): boolean =>
  validUntil <= now || (revokedAt !== null && revokedAt <= now)

/** A verifier refuses a trust file that lists a kid or a key twice. */
const requireDistinct = ({ keys }: IssuerKeys, file: string) =>
  Effect.forEach(keys, ({ kid, jwk }, index) => {
    const earlier = keys.findIndex((key) => key.kid === kid || key.jwk.x === jwk.x)
    if (earlier === index) return Effect.void
    const duplicate = keys[earlier]?.kid === kid ? "kid" : "key"
    const message = `keys[${index}] in ${file} has the same ${duplicate} as keys[${earlier}]: list each ${duplicate} once`
    return Effect.fail(new IssuerKeysError({ message }))
  })

const tenYears = 3_652 * 86_400_000

/** Generates one key for every purpose, written once; an existing file is left unchanged. */
export const makeKeys = Effect.fnUntraced(function* (file: string) {
  const validFrom = fromMilliseconds(yield* Clock.currentTimeMillis)
  const key = {
    ...(yield* Effect.promise(generatePrivateKey)),
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
