/** Files as people enter them: one on a line, its four parts with bars between, so that no script has to add rows. */
import { Result } from "effect"
import { hiddenMarks } from "../canonical/visible.ts"
import type { SubmittedFile } from "../projects/event.ts"
import { limits } from "../vocabulary/limits.ts"

export const fileLineHint = "One file on each line: name | where it is kept | size in bytes | SHA-256."

/** The files of these lines, or what is wrong with the first line that is none; empty lines say nothing. */
export const readFiles = (text: string): Result.Result<ReadonlyArray<SubmittedFile>, string> => {
  const lines = text.split("\n").map((line) => line.trim())
  const read = lines.map((line, index) => ({ line, result: readFile(line), number: index + 1 }))
  const found = read.filter(({ line }) => line !== "")
  for (const { result, number } of found) {
    if (Result.isFailure(result)) return Result.fail(`Line ${number}: ${result.failure}`)
  }
  const files = found.flatMap(({ result }) => (Result.isSuccess(result) ? [result.success] : []))
  if (files.length > limits.filesPerItem)
    return Result.fail(`At most ${limits.filesPerItem} files belong to a criterion.`)
  const names = files.map(({ name }) => name)
  const twice = names.find((name, index) => names.indexOf(name) !== index)
  return twice === undefined ? Result.succeed(files) : Result.fail("Two files have the same name.")
}

/** The same files as their lines. */
export const sayFiles = (files: ReadonlyArray<SubmittedFile>): string =>
  files.map(({ name, reference, size, sha256 }) => `${name} | ${reference} | ${size} | ${sha256}`).join("\n")

/**
 * Where a text of the delivery before stands in a form, sending it unchanged says the same again. What would come back
 * as something else, or could not be seen there, is entered anew.
 */
export const prefilledFiles = (files: ReadonlyArray<SubmittedFile>): string | undefined => {
  const text = sayFiles(files)
  const read = readFiles(text)
  const isSame =
    Result.isSuccess(read) &&
    read.success.length === files.length &&
    read.success.every((file, index) => isSameFile(file, files[index]!))
  return isSame ? visibly(text) : undefined
}

/** References, one on a line. */
export const prefilledReferences = (references: ReadonlyArray<string>): string | undefined => {
  const text = references.join("\n")
  const read = readReferences(text)
  const isSame = read.length === references.length && read.every((one, index) => one === references[index])
  return isSame ? visibly(text) : undefined
}

export const prefilledText = (text: string): string | undefined => (text.trim() === text ? visibly(text) : undefined)

/** Empty lines say nothing. */
export const readReferences = (text: string): ReadonlyArray<string> =>
  text
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "")

const visibly = (text: string): string | undefined =>
  text.replaceAll("\n", "").search(hiddenMarks) === -1 ? text : undefined

const isSameFile = (one: SubmittedFile, other: SubmittedFile): boolean =>
  one.name === other.name && one.reference === other.reference && one.size === other.size && one.sha256 === other.sha256

/** A bar inside the reference belongs to it: the name comes first, size and digest last. */
const readFile = (line: string): Result.Result<SubmittedFile, string> => {
  const parts = line.split("|").map((part) => part.trim())
  if (parts.length < 4) return Result.fail("four parts belong there, with three bars between them.")
  const name = parts[0]!
  const reference = parts.slice(1, -2).join(" | ")
  const size = parts.at(-2)!
  const sha256 = parts.at(-1)!.toLowerCase()
  if (name === "" || name.length > limits.titleCharacters) {
    return Result.fail(`the name has 1 to ${limits.titleCharacters} characters.`)
  }
  if (reference === "" || reference.length > limits.textCharacters) {
    return Result.fail(`where it is kept has 1 to ${limits.textCharacters} characters.`)
  }
  if (!/^\d{1,16}$/.test(size) || Number(size) > limits.fileBytes) {
    return Result.fail("the size is a whole number of bytes.")
  }
  if (!/^[0-9a-f]{64}$/.test(sha256)) return Result.fail("the SHA-256 has 64 characters out of 0 to 9 and a to f.")
  return Result.succeed({ name, reference, size: Number(size), sha256 })
}
