#!/usr/bin/env node
/**
 * verify-result, the offline verifier: it opens each file once, asks no network and reads no clock. Imported, it is the
 * functions at its end. src/verifier/ is the same program for reading.
 *
 * @license Apache-2.0, with canonicalize 5 (Apache-2.0) inside.
 */
import { closeSync, constants, fstatSync, openSync, readSync } from "node:fs"
import { printReport } from "./report.ts"
import { printText } from "./text.ts"
import { verifierLimits } from "./verifier-limits.ts"
import { verifyResultArtifact, verifyResultFiles } from "./verify.ts"

const misuse = (): Refused =>
  new Refused(`usage: verify-result <artifact.json> <keys.json> <time> [--status=<file>] [--authority=<policy.json>] [--text]
  <time>  UTC with exactly three fraction digits, such as 2026-11-21T09:30:00.000Z`)

class Refused extends Error {}

const main = (given: ReadonlyArray<string>): number => {
  try {
    const command = readArguments(given)
    const { status, authority, checkedAt } = command
    const report = verifyResultFiles({
      artifact: readFile("artifact", command.artifact, verifierLimits.artifactBytesMax),
      trust: readFile("key file", command.trust, verifierLimits.trustBytesMax),
      checkedAt,
      status: readOption("status", status, verifierLimits.statusBytesMax),
      authority: readOption("authority policy", authority, verifierLimits.authorityBytesMax)
    })
    // What cannot be written is told later: the pipe was closed, or the disk is full.
    process.stdout.on("error", () => {
      process.stderr.write("OUTPUT: the report could not be written\n")
      process.exit(2)
    })
    process.stdout.write(command.isText ? printText(report) : printReport(report))
    return report.exit
  } catch (thrown) {
    process.stderr.write(thrown instanceof Refused ? `${thrown.message}\n` : "INTERNAL: the verifier failed\n")
    return 2
  }
}

interface Command {
  readonly artifact: string
  readonly trust: string
  readonly checkedAt: string
  readonly status: string | undefined
  readonly authority: string | undefined
  readonly isText: boolean
}

/** Every argument is used, once, or the command is refused: a misspelt option must not weaken a verification. */
const readArguments = (given: ReadonlyArray<string>): Command => {
  const places: Array<string> = []
  const options = new Map<string, string>()
  for (const argument of given) {
    const [, isText, option = isText, value = ""] = optionForm.exec(argument) ?? []
    if (!argument.startsWith("-")) places.push(argument)
    else if (option !== undefined && !options.has(option)) options.set(option, value)
    else throw misuse()
  }
  const [artifact, trust, checkedAt] = places
  if (artifact === undefined || trust === undefined || checkedAt === undefined || places.length > 3) {
    throw misuse()
  }
  const [status, authority] = [options.get("status"), options.get("authority")]
  return { artifact, trust, checkedAt, status, authority, isText: options.has("text") }
}

const optionForm = /^--(?:(text)|(status|authority)=(.+))$/s

const readOption = (what: string, path: string | undefined, bytesMax: number): Uint8Array | undefined =>
  path === undefined ? undefined : readFile(what, path, bytesMax)

/** One descriptor, opened once without waiting: the file that was looked at is the file that is read. */
const readFile = (what: string, path: string, bytesMax: number): Uint8Array => {
  let descriptor: number
  try {
    descriptor = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK)
  } catch {
    throw new Refused(`INPUT_FILE: the ${what} cannot be opened`)
  }
  try {
    if (!fstatSync(descriptor).isFile()) throw new Refused(`INPUT_FILE: the ${what} is not a regular file`)
    const buffer = Buffer.alloc(bytesMax + 1)
    let length = 0
    for (;;) {
      const read = readSync(descriptor, buffer, length, buffer.length - length, null)
      length += read
      if (read === 0 || length === buffer.length) return buffer.subarray(0, length)
    }
  } finally {
    closeSync(descriptor)
  }
}

export { printReport, printText, verifyResultArtifact, verifyResultFiles }

// Whoever imports this file calls its functions; where Node cannot tell, it is the command that runs.
if (import.meta.main !== false) process.exitCode = main(process.argv.slice(2))
