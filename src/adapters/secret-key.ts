/**
 * The installation's secret key, and the previous one during a rotation: from variables, from the files that variables
 * name, or, with the embedded database, from a file generated at the first start beside the issuer keys.
 */
import { randomBytes } from "node:crypto"
import * as fs from "node:fs"
import * as path from "node:path"
import { Data, Effect, Option, Redacted } from "effect"
import { Configuration, ConfigurationError } from "./configuration.ts"
import { writeOnce } from "./private-file.ts"
import { keyForm, keyFrom, secretsFrom } from "./secrets.ts"

/** States the problem as a message for the operator; never a key. */
export class SecretKeyError extends Data.TaggedError("SecretKeyError")<{ readonly message: string }> {}

/** The secrets of one epoch of the installation, by the keys as they are now. */
export const readSecrets = Effect.fnUntraced(function* (
  { secretKey, secretKeyFile, secretKeyPrevious, secretKeyPreviousFile, dataDirectory }: Configuration["Service"],
  epoch: string
) {
  const file = Option.getOrElse(secretKeyFile, () => path.join(dataDirectory, "keys", "secret-key"))
  const current = Option.isSome(secretKey)
    ? yield* keyFromVariable("SECRET_KEY", secretKey.value)
    : yield* readSecretKey(file)
  const previous = Option.isSome(secretKeyPrevious)
    ? yield* keyFromVariable("SECRET_KEY_PREVIOUS", secretKeyPrevious.value)
    : Option.isSome(secretKeyPreviousFile)
      ? yield* readPreviousKey(secretKeyPreviousFile.value)
      : undefined
  return secretsFrom(previous === undefined ? [current] : [current, previous], epoch)
})

const keyFromVariable = (variable: string, text: Redacted.Redacted) => {
  const key = keyFrom(Redacted.value(text))
  const problems = [`${variable}: expected ${keyForm}`]
  return key === undefined ? Effect.fail(new ConfigurationError({ problems })) : Effect.succeed(key)
}

/** Makes the key of the embedded default; an existing file is left unchanged. */
export const makeSecretKey = (file: string) =>
  Effect.try({
    try: () => writeOnce(file, `${randomBytes(32).toString("hex")}\n`),
    catch: () => new SecretKeyError({ message: `the secret key in ${file} cannot be made` })
  })

/** The key in an existing file. */
export const readSecretKey = (file: string) => Effect.flatMap(textIn(file), (text) => parseKey(text, file))

/** The previous key in an existing file; none in an empty one, so that its variable can be set before it is needed. */
export const readPreviousKey = (file: string) =>
  Effect.flatMap(textIn(file), (text) => (text.trim() === "" ? Effect.undefined : parseKey(text, file)))

const textIn = (file: string) =>
  Effect.try({
    try: () => fs.readFileSync(file, "utf8"),
    catch: () => new SecretKeyError({ message: `the secret key in ${file} cannot be read` })
  })

const parseKey = (text: string, file: string) => {
  const key = keyFrom(text)
  return key === undefined
    ? Effect.fail(new SecretKeyError({ message: `the secret key in ${file} does not have the documented form` }))
    : Effect.succeed(key)
}
