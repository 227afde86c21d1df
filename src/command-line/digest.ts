/** `countersign digest`: files as the `files` of a submitted item, without a server. */
import { createHash } from "node:crypto"
import { constants } from "node:fs"
import { open } from "node:fs/promises"
import * as path from "node:path"
import { Console, Effect, Result } from "effect"
import { Argument, Command, Flag } from "effect/cli"
import type { SubmittedFile } from "../projects/event.ts"
import { limits } from "../vocabulary/limits.ts"
import { CommandFailure, reportFailure } from "./production.ts"

const files = Argument.Path("files").pipe(
  Argument.withDescription(`The files, at most ${limits.filesPerItem}, as one criterion takes them`),
  Argument.variadic({ min: 1 })
)

const reference = Flag.String("reference").pipe(
  Flag.withDescription('Where both parties find the files, such as "shared folder, /final"; the reference of each')
)

export const digest = Command.make("digest", { files, reference }, ({ files, reference }) =>
  Effect.gen(function* () {
    const problems = [...problemsOfReference(reference), ...problemsOfNames(files)]
    const read =
      problems.length > 0 ? [] : yield* Effect.forEach(files, (file) => Effect.result(readFile(file, reference)))
    const failed = read.flatMap((one, index) => (Result.isFailure(one) ? [`files[${index}]: ${one.failure}`] : []))
    const all = [...problems, ...failed]
    if (all.length > 0) return yield* new CommandFailure({ message: all.join("\ncountersign: ") })
    yield* Console.log(
      JSON.stringify(
        read.flatMap((one) => (Result.isSuccess(one) ? [one.success] : [])),
        null,
        2
      )
    )
  }).pipe(reportFailure)
).pipe(
  Command.withDescription(
    "Print name, reference, size and SHA-256 of files as the JSON `files` of an item of `submit`. Each file is read once, in " +
      "pieces, and sent nowhere. Exits with 1 and one line for each problem if a file cannot be submitted"
  )
)

const problemsOfReference = (reference: string): ReadonlyArray<string> =>
  reference.trim() === "" || reference.length > limits.textCharacters
    ? [`reference: 1 to ${limits.textCharacters} characters`]
    : []

const problemsOfNames = (files: ReadonlyArray<string>): ReadonlyArray<string> => {
  if (files.length > limits.filesPerItem) {
    return [`files: at most ${limits.filesPerItem} for one criterion; these are ${files.length}`]
  }
  const names = files.map((file) => path.basename(file))
  return names.flatMap((name, index) => {
    const first = names.indexOf(name)
    if (first !== index) return [`files[${index}].name: ${files[index]} has the name of files[${first}]: rename one`]
    return name.length > limits.titleCharacters
      ? [`files[${index}].name: at most ${limits.titleCharacters} characters; this one has ${name.length}: rename it`]
      : []
  })
}

/** Fails with what is wrong with the file. */
const readFile = (file: string, reference: string): Effect.Effect<SubmittedFile, string> =>
  Effect.tryPromise({
    try: () => hashFile(file),
    catch: (error) => (error instanceof Error ? error.message : String(error))
  }).pipe(Effect.map((hashed) => ({ name: path.basename(file), reference, ...hashed })))

/** The size is that of the bytes that were hashed, so that both are of one state of the file. */
const hashFile = async (file: string): Promise<Pick<SubmittedFile, "size" | "sha256">> => {
  // Without blocking: a pipe would wait for its writer before it is found to be no file.
  await using handle = await open(file, constants.O_RDONLY | constants.O_NONBLOCK)
  const found = await handle.stat()
  if (!found.isFile()) throw new Error(`${file} is not a regular file`)
  const hash = createHash("sha256")
  let read = 0
  for await (const piece of handle.createReadStream({ autoClose: false })) {
    hash.update(piece)
    read += piece.length
  }
  if (read !== found.size)
    throw new Error(`${file} changed while it was read: it had ${found.size} bytes, and then ${read}`)
  return { size: read, sha256: hash.digest("hex") }
}
