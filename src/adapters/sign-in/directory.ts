/**
 * The people of the embedded installation: a file in the data directory, read at each sign-in, so that a new password is
 * effective at once.
 */
import { randomBytes } from "node:crypto"
import * as fs from "node:fs"
import * as path from "node:path"
import { Data, Effect, Option, Schema, Semaphore } from "effect"
import type { Directory } from "../../ports/sign-in.ts"
import { now } from "../../vocabulary/instant.ts"
import { mailAddressFrom } from "../../vocabulary/mail-address.ts"
import { refuse } from "../../vocabulary/refusals.ts"
import { withFileLock, type FileLockError } from "../file-lock.ts"
import { replaceFile } from "../private-file.ts"
import { isPassword, StoredPassword, storedPassword } from "./password.ts"
import { traced } from "../../vocabulary/traced.ts"

/** The issuer of the directory's people. */
export const directoryIssuer = "https://directory.localhost"

/** States the problem of the file, as a message for the operator. */
export class DirectoryError extends Data.TaggedError("DirectoryError")<{ readonly message: string }> {}

export const directoryIn = (dataDirectory: string): Directory => {
  const file = fileIn(dataDirectory)
  return {
    kind: "DIRECTORY",
    check: traced("signIn.check")(function* (name, password) {
      const { people } = yield* read(file).pipe(
        Effect.tapError(({ message }) => Effect.logError(message)),
        Effect.catch(() => refuse("TEMPORARILY_UNAVAILABLE"))
      )
      const person = people.find((one) => one.name === name)
      const isCorrect = yield* concurrentHashes.withPermit(
        Effect.uninterruptible(isPassword(person?.password, password))
      )
      if (person === undefined || !isCorrect) return yield* refuse("SIGN_IN_FAILED")
      const { subject, displayName, email } = person
      const authenticatedAt = yield* now
      return { issuer: directoryIssuer, subject, name: displayName, email: mailAddressFrom(email), authenticatedAt }
    })
  }
}

/** Sets a person's password, and the display name if given; a new person signs in with the subject as name. */
export const setPassword = Effect.fnUntraced(function* (
  dataDirectory: string,
  subject: string,
  displayName: Option.Option<string>,
  password: string
) {
  const hash = yield* storedPassword(password)
  return yield* changeDirectory(dataDirectory, (people) => {
    const known = people.find((one) => one.subject === subject)
    const person = {
      ...known,
      name: known?.name ?? subject,
      subject,
      displayName: Option.getOrElse(displayName, () => known?.displayName ?? subject),
      password: hash
    }
    const others = people.filter((one) => one.subject !== subject)
    const answer = { issuer: directoryIssuer, subject, signInName: person.name, name: person.displayName }
    return Effect.succeed({ people: [...others, person], answer })
  })
})

/** Sets or removes a person's e-mail address, effective from the next sign-in. */
export const setAddress = (dataDirectory: string, subject: string, email: string | null) =>
  changeDirectory(dataDirectory, (people) => {
    const known = people.find((one) => one.subject === subject)
    if (known === undefined)
      return refuse("UNKNOWN_PARTY", { detail: "The directory has no person with this subject." })
    const { email: _before, ...rest } = known
    const changed = email === null ? rest : { ...rest, email }
    const answer = { issuer: directoryIssuer, subject, email }
    return Effect.succeed({ people: people.map((one) => (one === known ? changed : one)), answer })
  })

/** Creates the first person, where there is no directory yet; returns the generated password, which is shown only once. */
export const makeDirectory = Effect.fnUntraced(function* (dataDirectory: string) {
  const file = fileIn(dataDirectory)
  if (fs.existsSync(file)) return Option.none<{ readonly name: string; readonly password: string }>()
  const password = randomBytes(18).toString("base64url")
  const owner = { name: "owner", subject: "owner", displayName: "Owner", password: yield* storedPassword(password) }
  return yield* changeDirectory(dataDirectory, (people) =>
    Effect.succeed(
      fs.existsSync(file)
        ? { people, answer: Option.none() }
        : { people: [owner], answer: Option.some({ name: owner.name, password }) }
    )
  )
})

type People = (typeof Content.Type)["people"]

/** Reads and replaces the directory under its lock, so that concurrent changes are serialized. */
const changeDirectory = <A, E>(
  dataDirectory: string,
  change: (people: People) => Effect.Effect<{ readonly people: People; readonly answer: A }, E>
): Effect.Effect<A, E | DirectoryError | FileLockError> => {
  const file = fileIn(dataDirectory)
  const replaced = Effect.gen(function* () {
    const before = yield* read(file)
    const { people, answer } = yield* change(before.people)
    if (people !== before.people) yield* attemptWrite(file, () => replaceFile(file, textOf(people)))
    return answer
  })
  return withFileLock(path.join(dataDirectory, "directory.lock"), replaced)
}

// A hash takes memory and a thread of the pool that also reads files, even after its request was interrupted.
const concurrentHashes = Semaphore.makeUnsafe(2)

const fileIn = (dataDirectory: string): string => path.join(dataDirectory, "directory.json")

const Content = Schema.Struct({
  schema: Schema.Literal("countersign.directory/v1"),
  people: Schema.Array(
    Schema.Struct({
      name: Schema.String,
      subject: Schema.String,
      displayName: Schema.String,
      email: Schema.optionalKey(Schema.String),
      password: StoredPassword
    })
  )
})

const textOf = (people: People): string =>
  `${JSON.stringify({ schema: "countersign.directory/v1", people }, null, 2)}\n`

/** The people who can sign in. */
export const readDirectory = (dataDirectory: string) => read(fileIn(dataDirectory))

/** Without people, where there is no file. */
const read = (file: string): Effect.Effect<typeof Content.Type, DirectoryError> =>
  Effect.try({
    try: () => (fs.existsSync(file) ? fs.readFileSync(file, "utf8") : textOf([])),
    catch: () => new DirectoryError({ message: `the directory in ${file} cannot be read` })
  }).pipe(
    Effect.flatMap((text) =>
      Effect.mapError(
        Schema.decodeUnknownEffect(Schema.fromJsonString(Content))(text),
        () => new DirectoryError({ message: `the directory in ${file} does not have the documented form` })
      )
    )
  )

const attemptWrite = <A>(file: string, write: () => A): Effect.Effect<A, DirectoryError> =>
  Effect.try({
    try: write,
    catch: () => new DirectoryError({ message: `the directory cannot be written to ${file}` })
  })
