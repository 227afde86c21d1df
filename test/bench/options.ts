/** The command line of `npm run bench`. */
import * as fs from "node:fs"
import * as path from "node:path"
import { parseArgs } from "node:util"

export const help = `npm run bench -- [part ...] [option ...]

Measures performance as ratios of measurements of one run on one machine, with their aims. Without a part, all of them:

  commands       CPU time of a command in server, Postgres and client, against one bare statement
  webhooks       claims, sends and latency of webhooks, against job queues
  simulator      steps in memory against Postgres, virtual time against wall time
  year           a year of a world over the control API: wall time, CPU time, requests, and the error of virtual time
  exploration    runs and requests a second
  fairness       commands of one client and pauses of a person beside another client with 500 requests in flight
  lists          the page of projects of an organization with 10,000 projects, against one with 10
  passports      Result Passports of the service, against their signatures and hashes
  payments       captures of payment attempts, and claims among many attempts
  verification   of packages, a passport and payments, against their cryptography and one JSON.parse; bytes of the verifier

  --quick             fewer and shorter rounds: checks that everything works, in about a minute
  --against <folder>  runs the server of another checkout as one more variant of commands, in the same alternating rounds
  --check             exits with 1, and one sentence per ratio, where a ratio of CPU time is 20 % worse than the committed
                      one; without a part, of commands and verification
  --update            writes the ratios of this run to test/bench/ratios.json, to be committed
  --profile           writes a CPU profile of the server under commands of 8 clients, and compares nothing
  --help              prints this text
`

export const partNames = [
  "commands",
  "webhooks",
  "simulator",
  "year",
  "exploration",
  "fairness",
  "lists",
  "passports",
  "payments",
  "verification"
] as const
export type PartName = (typeof partNames)[number]

/** The parts with ratios of CPU time that have an aim. */
export const comparedParts = ["commands", "verification"] as const satisfies ReadonlyArray<PartName>

export interface Options {
  readonly parts: ReadonlyArray<PartName>
  readonly isQuick: boolean
  readonly isProfile: boolean
  /** What happens to the committed ratios. */
  readonly mode: "PRINT" | "CHECK" | "UPDATE"
  readonly against: string | undefined
}

/** The options, or one sentence about the first that cannot be used. */
export const readOptions = (words: ReadonlyArray<string>): Options | { readonly problem: string } | "HELP" => {
  const { values, positionals, tokens } = parseArgs({
    args: [...words],
    options: Object.fromEntries(Object.entries(types).map(([name, type]) => [name, { type }])),
    allowPositionals: true,
    strict: false,
    tokens: true
  })
  for (const token of tokens) {
    if (token.kind !== "option") continue
    const type = types[token.name]
    if (type === undefined) return { problem: `${token.rawName} is no option: see npm run bench -- --help.` }
    if (type === "boolean" && token.value !== undefined) return { problem: `${token.rawName} takes no value.` }
    if (type === "string" && (token.value === undefined || token.value.startsWith("-"))) {
      return { problem: `${token.rawName} needs the folder of another checkout.` }
    }
  }
  if (values.help === true) return "HELP"
  const unknown = positionals.find((name) => !isPart(name))
  if (unknown !== undefined) return { problem: `${unknown} is no part: choose from ${partNames.join(", ")}.` }
  const against = typeof values.against === "string" ? path.resolve(values.against) : undefined
  if (against !== undefined && !fs.existsSync(path.join(against, "src/main.ts"))) {
    return { problem: `--against: ${against} is no checkout, since it has no src/main.ts.` }
  }
  const mode = values.check === true ? "CHECK" : values.update === true ? "UPDATE" : "PRINT"
  if (mode !== "PRINT" && values.quick === true) {
    return { problem: "--check and --update need a full run: leave out --quick." }
  }
  if (values.check === true && values.update === true) return { problem: "Give --check or --update, not both." }
  const all = mode === "PRINT" ? partNames : comparedParts
  return {
    mode,
    parts: positionals.length === 0 ? all : partNames.filter((name) => positionals.includes(name)),
    isQuick: values.quick === true,
    isProfile: values.profile === true,
    against
  }
}

const types: { readonly [name: string]: "boolean" | "string" } = {
  quick: "boolean",
  against: "string",
  check: "boolean",
  update: "boolean",
  profile: "boolean",
  help: "boolean"
}

const isPart = (name: string): name is PartName => partNames.some((part) => part === name)
