/** Failures of the leader under load: kills with -9, and a cut network. */
import { PgConnection } from "@effect/sql-pg"
import { Console, Data, Effect, Redacted } from "effect"
import { SeededRandom } from "../../simulator/kernel/seeded-random.ts"
import { installationOn, temporaryDirectory } from "../support/installation.ts"
import { startServer } from "../support/server.ts"
import { siteUrl } from "../support/service.ts"
import { checkEffects, type Load } from "../processes/upgrade/load.ts"
import { startCluster, type Cluster } from "./failover/cluster.ts"
import { databasePort, missingPackages, password, proxyPort } from "./failover/configuration.ts"
import { loopback, namespaces } from "./failover/network.ts"
import { failures, runRound, type Failure, type Round } from "./failover/rounds.ts"

export interface FailoverOptions {
  readonly seed: number
  readonly kills: number
  readonly cut: boolean
}

export interface FailoverReport {
  readonly seed: number
  readonly rounds: ReadonlyArray<Round>
  readonly wrong: ReadonlyArray<string>
}

/** The drill cannot be run here; `message` is a sentence. */
export class CannotRun extends Data.TaggedError("CannotRun")<{ readonly message: string }> {}

/** The drill of the command line. */
export const failover = ({ json, ...options }: FailoverOptions & { readonly json: boolean }) =>
  Effect.gen(function* () {
    const report = yield* failoversUnderLoad(options)
    yield* Console.log(json ? JSON.stringify(report, null, 2) : totalOf(report))
    return report.wrong
  })

export const failoversUnderLoad = Effect.fnUntraced(function* ({ seed, kills, cut }: FailoverOptions) {
  const missing = missingPackages()
  if (missing.length > 0) return yield* new CannotRun({ message: `Install ${missing.join(", ")}.` })
  if (cut && process.getuid?.() !== 0)
    return yield* new CannotRun({ message: "--cut makes network namespaces: run it as root." })
  const directory = yield* temporaryDirectory
  const network = cut ? yield* namespaces(machines) : loopback(machines)
  const cluster = yield* startCluster(network, directory)
  const urls = yield* createDatabase(cluster)
  const installation = yield* installationOn({ url: Redacted.make(urls.haproxy) })
  const environment = { ...installation.environment, SITE_URL: siteUrl, REQUIRE_SYNC_STANDBY: "true" }
  const servers = yield* Effect.forEach(addresses, (address) =>
    Effect.map(startServer({ ...environment, DATABASE_URL: urls[address] }), ({ origin }) => ({ address, origin }))
  )
  const drilled = {
    installation: { ...installation, environment },
    cluster,
    servers,
    random: SeededRandom.derived(seed, "failover")
  }
  const order: ReadonlyArray<Failure> = [
    ...Array.from({ length: kills }, (_, index) => failures[(seed + index) % failures.length]!),
    ...(cut ? (["cut"] as const) : [])
  ]
  const loads: Array<Load> = []
  const rounds: Array<Round> = []
  for (const failure of order) {
    const { load, round } = yield* runRound(drilled, failure)
    loads.push(load)
    rounds.push(round)
    yield* Console.error(sentenceOf(round))
  }
  // No later failure may lose what an earlier one did not.
  const later = yield* Effect.forEach(loads, (load) => checkEffects(installation, load))
  return { seed, rounds, wrong: [...rounds.flatMap(({ wrong }) => wrong), ...later.flat()] } satisfies FailoverReport
})

const machines = ["a", "b", "c"]
const addresses = ["haproxy", "several hosts"] as const

const createDatabase = Effect.fnUntraced(
  function* (cluster: Cluster) {
    const leader = yield* Effect.promise(() => cluster.untilWhole())
    const addressOf = (host: string) => `postgres://countersign:${password}@${host}/countersign`
    const session = yield* PgConnection.make({
      url: Redacted.make(`postgres://postgres:${password}@${leader.address}:${databasePort}/postgres`)
    })
    yield* session.query(`create role countersign login password '${password}'`, [], false)
    yield* session.query("create database countersign owner countersign", [], false)
    const { client, machines: all } = cluster.network
    return {
      haproxy: addressOf(`${client}:${proxyPort}`),
      "several hosts": addressOf(all.map(({ address }) => `${address}:${databasePort}`).join(","))
    }
  },
  Effect.scoped,
  Effect.orDie
)

const sentenceOf = ({ failure, leader, next, outages, acknowledged, revocations, repeated, wrong }: Round): string => {
  const seconds = outages.map(
    ({ address, commands, reads }) => `${address}: commands ${commands.toFixed(1)} s, reads ${reads.toFixed(1)} s`
  )
  return (
    `${failure} ${leader} -> ${next}: ${seconds.join("; ")}; ${acknowledged} acts and ${revocations} revocations acknowledged,` +
    ` ${repeated} requests repeated, ${wrong.length} wrong`
  )
}

/** The times without an answer of 200, of all rounds. */
const totalOf = ({ rounds }: FailoverReport): string =>
  addresses
    .map((address) => {
      const outages = rounds.flatMap((round) => round.outages.filter((outage) => outage.address === address))
      const sum = (of: "commands" | "reads") => outages.reduce((all, outage) => all + outage[of], 0).toFixed(1)
      return `${address}: commands ${sum("commands")} s, reads ${sum("reads")} s in ${outages.length} failovers`
    })
    .join("\n")
