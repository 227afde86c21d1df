/**
 * Prints a digest of the report on each case of a folder, in JSON and as text, and one digest of all of them. It is
 * bundled into one file and run by several versions of Node.
 */
import { createHash } from "node:crypto"
import { printReport } from "../../src/verifier/report.ts"
import { printText } from "../../src/verifier/text.ts"
import { caseNames, readCaseFrom } from "./corpus/folder.ts"
import { reportOf } from "./corpus/verdict.ts"

const folder = process.argv[2]!

const reportsOf = (name: string): string => {
  const report = reportOf(readCaseFrom(folder, name))
  return printReport(report) + printText(report)
}

const sha256 = (text: string): string => createHash("sha256").update(text).digest("hex")

const lines = caseNames(folder)
  .map((name) => `${sha256(reportsOf(name))}  ${name}\n`)
  .join("")
process.stdout.write(`${lines}${sha256(lines)}  all\n`)
