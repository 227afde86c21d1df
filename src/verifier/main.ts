#!/usr/bin/env node
/**
 * verify-result, the offline verifier: it opens each file once, uses no network and reads no clock. As a module it exports
 * the functions at its end. Its source is src/verifier/.
 *
 * @license Apache-2.0, with canonicalize 5 (Apache-2.0) inside.
 */
import { printReport } from "./report.ts"
import { printText } from "./text.ts"
import { verifierLimits } from "./verifier-limits.ts"
import { verifyResultArtifact, verifyResultFiles } from "./verify.ts"

// An import would read every export of the module, and so load its streams too: the command would start later.
const { closeSync, constants, fstatSync, openSync, readSync, writeSync } = process.getBuiltinModule("node:fs")

const usageError = (): CommandError =>
  new CommandError(`usage: verify-result <artifact.json> <keys.json> <time> [--status=<file>] [--authority=<policy.json>] [--text]
  <artifact.json>  an exported file: a result, a passport, a Commerce Record, a status or a closure
  <keys.json>      the issuer's keys, obtained independently of the artifact
  <time>           UTC with exactly three fraction digits, such as 2026-11-21T09:30:00.000Z
  --status         the current status: of a result the JWS or {status}, of a passport the list of its statements,
                   of a Commerce Record commerce-status.json, of a closure transaction-status.json
  --authority      the policy of the organizations whose agents acted, for a result or a closure
  --text           a report for people in place of JSON; for a closure it begins with the transaction in sentences`)

class CommandError extends Error {}

const main = (words: ReadonlyArray<string>): number => {
  try {
    const command = readArguments(words)
    const { status, authority, checkedAt } = command
    const report = verifyResultFiles({
      artifact: readFile("artifact", command.artifact, verifierLimits.artifactBytesMax),
      trust: readFile("key file", command.trust, verifierLimits.trustBytesMax),
      checkedAt,
      status: readOption("status", status, verifierLimits.portableBytesMax),
      authority: readOption("authority policy", authority, verifierLimits.authorityBytesMax)
    })
    const text = command.isText ? printText(report) : printReport(report)
    if (write(standardOutput, text)) return report.exit
    throw new CommandError("OUTPUT: the report could not be written")
  } catch (thrown) {
    const message = thrown instanceof CommandError ? thrown.message : "INTERNAL: the verifier failed"
    write(standardError, `${message}\n`)
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

/** Refuses unknown and repeated arguments: a misspelt option must not weaken a verification. */
const readArguments = (words: ReadonlyArray<string>): Command => {
  const paths: Array<string> = []
  const options = new Map<string, string>()
  for (const argument of words) {
    const [, isText, option = isText, value = ""] = optionForm.exec(argument) ?? []
    if (!argument.startsWith("-")) paths.push(argument)
    else if (option !== undefined && !options.has(option)) options.set(option, value)
    else throw usageError()
  }
  const [artifact, trust, checkedAt] = paths
  if (artifact === undefined || trust === undefined || checkedAt === undefined || paths.length > 3) {
    throw usageError()
  }
  const [status, authority] = [options.get("status"), options.get("authority")]
  return { artifact, trust, checkedAt, status, authority, isText: options.has("text") }
}

const optionForm = /^--(?:(text)|(status|authority)=(.+))$/s

const readOption = (role: string, path: string | undefined, bytesMax: number): Uint8Array | undefined =>
  path === undefined ? undefined : readFile(role, path, bytesMax)

/** Opens the file once, without blocking, so that the file that is checked is the file that is read. */
const readFile = (role: string, path: string, bytesMax: number): Uint8Array => {
  let descriptor: number
  try {
    descriptor = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK)
  } catch {
    throw new CommandError(`INPUT_FILE: the ${role} cannot be opened`)
  }
  try {
    if (!fstatSync(descriptor).isFile()) throw new CommandError(`INPUT_FILE: the ${role} is not a regular file`)
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

const standardOutput = 1
const standardError = 2

/** Writes a text whole, without `process.stdout`, whose modules take longer to load. False where it cannot be written. */
const write = (descriptor: number, text: string): boolean => {
  let rest = Buffer.from(text)
  while (rest.length > 0) {
    try {
      rest = rest.subarray(writeSync(descriptor, rest))
    } catch (thrown) {
      // A pipe in non-blocking mode is full until its reader continues. Any other error is final.
      if ((thrown as NodeJS.ErrnoException).code !== "EAGAIN") return false
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1)
    }
  }
  return true
}

export { printReport, printText, verifyResultArtifact, verifyResultFiles }

// An importing program calls the functions; where Node does not set `import.meta.main`, the command runs. Everything
// is written by then, so that the process can end at once.
if (import.meta.main !== false) {
  const exitCode = main(process.argv.slice(2))
  if (import.meta.main) process.exit(exitCode)
  process.exitCode = exitCode
}
