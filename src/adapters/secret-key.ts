/**
 * The installation's `SECRET_KEY`, and the previous one during a rotation: from the environment, or, with the embedded
 * database, from a file generated at the first start beside the issuer keys.
 */
import { randomBytes } from "node:crypto"
import * as fs from "node:fs"
import * as path from "node:path"
import { Data, Effect, Layer, Option, Redacted } from "effect"
import { Secrets } from "../ports/secrets.ts"
import { Configuration, ConfigurationError, requireKeys } from "./configuration.ts"
import { writeOnce } from "./private-file.ts"
import { keyForm, keyFrom, secretsFrom } from "./secrets.ts"

/** States the problem as a message for the operator; never a key. */
export class SecretKeyError extends Data.TaggedError("SecretKeyError")<{ readonly message: string }> {}

/** The secrets of one epoch of the installation. */
export const layerOf = (epoch: string) => Layer.effect(Secrets, secretsOf(epoch))

const secretsOf = Effect.fnUntraced(function* (epoch: string) {
  const { secretKey, secretKeyPrevious, dataDirectory } = yield* Configuration
  yield* requireKeys("SECRET_KEY")
  const current = Option.isSome(secretKey)
    ? yield* keyFromVariable("SECRET_KEY", secretKey.value)
    : yield* keyFromFile(path.join(dataDirectory, "keys", "secret-key"))
  if (Option.isNone(secretKeyPrevious)) return secretsFrom([current], epoch)
  return secretsFrom([current, yield* keyFromVariable("SECRET_KEY_PREVIOUS", secretKeyPrevious.value)], epoch)
})

const keyFromVariable = (variable: string, text: Redacted.Redacted) => {
  const key = keyFrom(Redacted.value(text))
  const problems = [`${variable}: expected ${keyForm}`]
  return key === undefined ? Effect.fail(new ConfigurationError({ problems })) : Effect.succeed(key)
}

/** The key in a file, generated once where the file is absent. */
const keyFromFile = (file: string) =>
  Effect.try({
    try: () => {
      if (!fs.existsSync(file)) writeOnce(file, `${randomBytes(32).toString("hex")}\n`)
    },
    catch: () => new SecretKeyError({ message: `the secret key in ${file} cannot be made` })
  }).pipe(Effect.andThen(readSecretKey(file)))

/** The key in an existing file. */
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
