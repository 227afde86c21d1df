#!/usr/bin/env node
/**
 * verify-result <artifact.json> <keys.json> <time> [--status=<file>] [--authority=<policy.json>] [--text]
 *
 * Exit 0: verified, with the limits the report lists. Exit 1: refused. Exit 2: unreadable, or wrong usage. It opens each
 * file once, asks no network and reads no clock.
 *
 * @license Apache-2.0. The one-file build holds canonicalize 5 (Apache-2.0) too, and has the names of its source squeezed
 * out; src/verifier/ is the same program for reading.
 */
import { closeSync, constants, fstatSync, openSync, readSync } from "node:fs"
import { printReport } from "./report.ts"
import { printText } from "./text.ts"
import { verifierLimits } from "./verifier-limits.ts"
import { verifyResultFiles } from "./verify.ts"

const usage = `usage: verify-result <artifact.json> <keys.json> <time> [--status=<file>] [--authority=<policy.json>] [--text]
  <time>  UTC with exactly three fraction digits, such as 2026-11-21T09:30:00.000Z
`

class Refused extends Error {}

const main = (given: ReadonlyArray<string>): number => {
  try {
    const command = readArguments(given)
    const artifact = readFile("artifact", command.artifact, verifierLimits.artifactBytesMax)
    const trust = readFile("key file", command.trust, verifierLimits.trustBytesMax)
    const { status, authority } = command
    const report = verifyResultFiles({
      artifact,
      trust,
      checkedAt: command.checkedAt,
      ...(status === undefined ? {} : { status: readFile("status", status, verifierLimits.statusBytesMax) }),
      ...(authority === undefined
        ? {}
        : { authority: readFile("authority policy", authority, verifierLimits.authorityBytesMax) })
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
    else throw new Refused(usage.trimEnd())
  }
  const [artifact, trust, checkedAt] = places
  if (artifact === undefined || trust === undefined || checkedAt === undefined || places.length > 3) {
    throw new Refused(usage.trimEnd())
  }
  const [status, authority] = [options.get("status"), options.get("authority")]
  return { artifact, trust, checkedAt, status, authority, isText: options.has("text") }
}

const optionForm = /^--(?:(text)|(status|authority)=(.+))$/s

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

process.exitCode = main(process.argv.slice(2))
