/**
 * The text format of file lists: one file per line, its four parts separated by bars, so that the form needs no script.
 */
import { Result } from "effect"
import { invisibleCharacters } from "../../canonical/visible-characters.ts"
import type { SubmittedFile } from "../../projects/event.ts"
import { limits } from "../../vocabulary/limits.ts"

export const fileLineHint = "One file on each line: name | where it is kept | size in bytes | SHA-256."

/** Parses the lines, or reports the first invalid one; empty lines are ignored. */
export const readFiles = (text: string): Result.Result<ReadonlyArray<SubmittedFile>, string> => {
  const lines = text.split("\n").map((line) => line.trim())
  const read = lines.map((line, index) => ({ line, result: readFile(line), number: index + 1 }))
  const found = read.filter(({ line }) => line !== "")
  for (const { result, number } of found) {
    if (Result.isFailure(result)) return Result.fail(`Line ${number}: ${result.failure}`)
  }
  const files = found.flatMap(({ result }) => (Result.isSuccess(result) ? [result.success] : []))
  if (files.length > limits.filesPerItem) return Result.fail(`At most ${limits.filesPerItem} files per criterion.`)
  const names = files.map(({ name }) => name)
  const duplicate = names.find((name, index) => names.indexOf(name) !== index)
  return duplicate === undefined ? Result.succeed(files) : Result.fail("Two files have the same name.")
}

/** Formats files as lines. */
export const formatFiles = (files: ReadonlyArray<SubmittedFile>): string =>
  files.map(({ name, reference, size, sha256 }) => `${name} | ${reference} | ${size} | ${sha256}`).join("\n")

/**
 * A text of the previous delivery is prefilled only where resubmitting it unchanged yields the same value; otherwise,
 * or where it has invisible characters, the field stays empty.
 */
export const prefilledFiles = (files: ReadonlyArray<SubmittedFile>): string | undefined => {
  const text = formatFiles(files)
  const read = readFiles(text)
  const isSame =
    Result.isSuccess(read) &&
    read.success.length === files.length &&
    read.success.every((file, index) => isSameFile(file, files[index]!))
  return isSame ? withoutHiddenMarks(text) : undefined
}

/** References, one per line. */
export const prefilledReferences = (references: ReadonlyArray<string>): string | undefined => {
  const text = references.join("\n")
  const read = readReferences(text)
  const isSame = read.length === references.length && read.every((one, index) => one === references[index])
  return isSame ? withoutHiddenMarks(text) : undefined
}

export const prefilledText = (text: string): string | undefined =>
  text.trim() === text ? withoutHiddenMarks(text) : undefined

/** Parses references, one per line; empty lines are ignored. */
export const readReferences = (text: string): ReadonlyArray<string> =>
  text
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "")

const withoutHiddenMarks = (text: string): string | undefined =>
  text.replaceAll("\n", "").search(invisibleCharacters) === -1 ? text : undefined

const isSameFile = (one: SubmittedFile, other: SubmittedFile): boolean =>
  one.name === other.name && one.reference === other.reference && one.size === other.size && one.sha256 === other.sha256

/** A bar inside the reference belongs to it: the name is the first part, size and digest are the last two. */
const readFile = (line: string): Result.Result<SubmittedFile, string> => {
  const parts = line.split("|").map((part) => part.trim())
  if (parts.length < 4) return Result.fail("four parts are needed, separated by three bars.")
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
  if (!/^[0-9a-f]{64}$/.test(sha256)) return Result.fail("the SHA-256 has 64 hexadecimal characters.")
  return Result.succeed({ name, reference, size: Number(size), sha256 })
}
