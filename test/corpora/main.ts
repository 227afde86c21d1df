/**
 * `npm run corpora`: every corpus with its cases and verdicts. It fails on every unexpected verdict and names it.
 * `--report <file>` writes the counts of the cases as JSON.
 */
import { writeFileSync } from "node:fs"
import { parseArgs } from "node:util"
import { cases } from "./own-cases.ts"
import type { Corpus, Outcome } from "./corpus.ts"
import { ed25519 } from "./ed25519.ts"
import { jcs } from "./jcs.ts"
import { jsonParsing } from "./json-parsing.ts"
import { schemas } from "./schemas.ts"
import { second } from "./second-verifier.ts"
import { stripe } from "./stripe.ts"

const corpora: ReadonlyArray<Corpus> = [jsonParsing, jcs, ed25519, cases, second, schemas, stripe]

const usage = `Usage: npm run corpora [-- --report <file>]

Runs every corpus, prints its cases and verdicts, and ends with 1 on an unexpected verdict.

  --report <file>   writes the counts of the cases as JSON
  --help            prints this text`

const { values: flags } = parseArgs({ options: { report: { type: "string" }, help: { type: "boolean" } } })
if (flags.help === true) {
  console.log(usage)
  process.exit()
}

const counts = { numPassedTests: 0, numFailedTests: 0, numPendingTests: 0, numTodoTests: 0 }

/** A corpus that throws is reported under its own name, and the others still run. */
const outcomeOf = ({ unavailableReason, run }: Corpus): Outcome | string => {
  try {
    return unavailableReason() ?? run()
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error)
    return { cases: 0, verdicts: "none", unexpected: [`it failed: ${why}`] }
  }
}

for (const corpus of corpora) {
  const outcome = outcomeOf(corpus)
  if (typeof outcome === "string") {
    process.stdout.write(`${corpus.name}: skipped, ${outcome}\n`)
    counts.numPendingTests++
    continue
  }
  const { cases, verdicts, unexpected } = outcome
  process.stdout.write(`${corpus.name}: ${cases} cases: ${verdicts}\n`)
  for (const surprise of unexpected) process.stdout.write(`  SURPRISE ${corpus.name}: ${surprise}\n`)
  counts.numPassedTests += Math.max(0, cases - unexpected.length)
  counts.numFailedTests += unexpected.length
}

if (flags.report !== undefined) writeFileSync(flags.report, JSON.stringify(counts))
process.exitCode = counts.numFailedTests === 0 ? 0 : 1
