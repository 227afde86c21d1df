/** The command line of `npm run conformance`. */
import { parseArgs } from "node:util"
import { Redacted, Result } from "effect"
import { parseDatabaseUrl } from "../../src/adapters/database-address.ts"

export const help = `npm run conformance -- --database-url <url> [option ...]

Shows whether an engine that speaks the protocol of Postgres carries Countersign: probes each feature that the program
needs, then runs the storage contract, the differential runs, the outcomes of races and the soak on it. Prints what the
engine lacks. Exit codes: 0 if nothing is lacking and every suite passes, 1 if not, 2 if the command cannot be used.

  --database-url <url>  an empty database of the engine, as a role that may create databases; everything is made in
                        databases beside it, which are dropped in the end
  --long                every scenario and race, a hundred generated scenarios, two minutes of soak; hours on two cores
  --features            only probes the features, in seconds
  --seed <number>       of generated scenarios, schedules and the soak; default 1
  --help                prints this text
`

export interface Options {
  readonly url: string
  readonly isLong: boolean
  readonly isFeaturesOnly: boolean
  readonly seed: number
}

/** The options, or one sentence about the first that cannot be used. */
export const readOptions = (words: ReadonlyArray<string>): Options | { readonly problem: string } | "HELP" => {
  const parsed = Result.try(() =>
    parseArgs({
      args: [...words],
      options: {
        "database-url": { type: "string" },
        long: { type: "boolean" },
        features: { type: "boolean" },
        seed: { type: "string" },
        help: { type: "boolean" }
      }
    })
  )
  if (Result.isFailure(parsed)) {
    const { failure } = parsed
    return { problem: failure instanceof Error ? failure.message : String(failure) }
  }
  const {
    "database-url": url,
    long = false,
    features = false,
    seed = "1",
    help: isHelp = false
  } = parsed.success.values
  if (isHelp) return "HELP"
  if (url === undefined) return { problem: "expected --database-url <url>: an empty database of the engine" }
  const hosts = parseDatabaseUrl(Redacted.make(url))
  if (Result.isFailure(hosts)) return { problem: `--database-url: ${hosts.failure}` }
  const [host, ...others] = hosts.success
  if (host === undefined || others.length > 0 || "path" in host.at) {
    return {
      problem: "--database-url: expected one host and port, since the suites hold statements on their way to it"
    }
  }
  if (!/^\d{1,9}$/.test(seed)) return { problem: "--seed: expected a number of at most 9 digits" }
  return { url, isLong: long, isFeaturesOnly: features, seed: Number(seed) }
}
