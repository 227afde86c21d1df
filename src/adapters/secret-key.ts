/**
 * The installation's `SECRET_KEY`, and the one before it while it is rotated out: from the environment, or, on the
 * embedded default, from a file made at the first start beside the issuer keys.
 */
import { randomBytes } from "node:crypto"
import * as fs from "node:fs"
import * as path from "node:path"
import { Data, Effect, Layer, Option, Redacted } from "effect"
import { Secrets } from "../ports/secrets.ts"
import { Configuration, ConfigurationError, requireKeys } from "./configuration.ts"
import { writeOnce } from "./private-file.ts"
import { keyForm, keyFrom, secretsFrom } from "./secrets.ts"

/** Says what is wrong, in words for the operator; never a key. */
export class SecretKeyError extends Data.TaggedError("SecretKeyError")<{ readonly message: string }> {}

/** The secrets of an epoch of the installation. */
export const layerOf = (epoch: string) => Layer.effect(Secrets, secretsOf(epoch))

const secretsOf = Effect.fnUntraced(function* (epoch: string) {
  const { secretKey, secretKeyPrevious, dataDirectory } = yield* Configuration
  yield* requireKeys("SECRET_KEY")
  const current = Option.isSome(secretKey)
    ? yield* given("SECRET_KEY", secretKey.value)
    : yield* kept(path.join(dataDirectory, "keys", "secret-key"))
  if (Option.isNone(secretKeyPrevious)) return secretsFrom([current], epoch)
  return secretsFrom([current, yield* given("SECRET_KEY_PREVIOUS", secretKeyPrevious.value)], epoch)
})

const given = (variable: string, text: Redacted.Redacted) => {
  const key = keyFrom(Redacted.value(text))
  const problems = [`${variable}: expected ${keyForm}`]
  return key === undefined ? Effect.fail(new ConfigurationError({ problems })) : Effect.succeed(key)
}

/** The key in a file, made once where there is none. */
const kept = (file: string) =>
  Effect.try({
    try: () => {
      if (!fs.existsSync(file)) writeOnce(file, `${randomBytes(32).toString("hex")}\n`)
    },
    catch: () => new SecretKeyError({ message: `the secret key in ${file} cannot be made` })
  }).pipe(Effect.andThen(readSecretKey(file)))

/** The key in a file that exists. */
export const readSecretKey = (file: string) =>
  Effect.try({
    try: () => fs.readFileSync(file, "utf8"),
    catch: () => new SecretKeyError({ message: `the secret key in ${file} cannot be read` })
  }).pipe(
    Effect.map(keyFrom),
    Effect.filterOrFail(
      (key) => key !== undefined,
      () => new SecretKeyError({ message: `the secret key in ${file} does not have the documented form` })
    )
  )
