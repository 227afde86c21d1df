/** Commands per second over HTTP on Postgres, against the same writes as one statement each by the bare driver. */
import { Effect, Layer } from "effect"
import type { ConnectionOptions } from "../../src/adapters/postgres-storage/connections.ts"
import { Service } from "../../src/service.ts"
import { installationOn, operator, type TestInstallation } from "../support/installation.ts"
import { startServer } from "../support/server.ts"
import { openWriter } from "./bare-writes.ts"
import { ownLanes, perSecond, runClients, sharedLane, type Tally, type Turn } from "./clients.ts"
import type { Extent } from "./extent.ts"
import { readable, renderFigures, type Figure } from "./figure.ts"
import { fillTables } from "./fill.ts"
import { prepareLanes, sendCommands } from "./http-commands.ts"
import { median } from "./measure.ts"

interface Variant {
  readonly what: string
  readonly clients: number
  /** The number of commands that a project takes before its client continues on the next. */
  readonly commandsEach: number
  readonly race?: true
  readonly aim?: Figure["aim"]
}

/** A command reads its project's history: most projects have few events, none more than a hundred. */
const usualCommands = 20
const commandsOfFullHistory = 94
/** Leaves room in the history for commands in flight when a project has had its share. */
const commandsWhenRacing = 60

const nearEmpty: ReadonlyArray<Variant> = [
  { what: "1 client", clients: 1, commandsEach: usualCommands },
  { what: "8 clients, a project each", clients: 8, commandsEach: usualCommands, aim: { atLeast: 0.2 } },
  { what: "32 clients, a project each", clients: 32, commandsEach: usualCommands, aim: { atLeast: 0.2 } },
  { what: "32 clients, up to 96 events a project", clients: 32, commandsEach: commandsOfFullHistory },
  { what: "32 clients racing on one project", clients: 32, commandsEach: commandsWhenRacing, race: true }
]
const onFullTables: Variant = {
  what: "32 clients, a project each, full tables",
  clients: 32,
  commandsEach: usualCommands,
  aim: { atLeast: 0.2 }
}

export const compareCommands = Effect.fnUntraced(function* (database: ConnectionOptions, extent: Extent) {
  const installation = yield* installationOn(database)
  const { origin } = yield* startServer(installation.environment)
  const bench: BenchContext = { origin, database, extent, installation }
  const figures: Array<Figure> = []
  const warm = yield* warmUp(bench)
  for (const variant of nearEmpty) figures.push(yield* compare(bench, variant, warm))
  yield* fillTables(database, extent.fillerRows)
  figures.push(yield* compare(bench, onFullTables, warm))
  const rows = extent.fillerRows.toLocaleString("en")
  return renderFigures(
    `Commands per second over HTTP, against single statements per second (full tables: ${rows} rows each)`,
    figures
  )
})

interface BenchContext {
  readonly origin: string
  readonly database: ConnectionOptions
  readonly extent: Extent
  readonly installation: TestInstallation
}

/** The throughput of the warm-up determines how many projects a round needs. */
const warmUp = (bench: BenchContext) =>
  Effect.map(
    measureHttp(bench, { what: "", clients: 8, commandsEach: commandsOfFullHistory }, 60, bench.extent.warmUpSeconds),
    perSecond
  )

const compare = Effect.fnUntraced(function* (bench: BenchContext, variant: Variant, warm: number) {
  const { rounds, seconds } = bench.extent
  const tallies: Array<{ readonly http: Tally; readonly bare: Tally }> = []
  for (let round = 0; round < rounds; round++) {
    const projects = lanesFor(variant, 2 * warm * seconds)
    const http = yield* measureHttp(bench, variant, projects, seconds)
    tallies.push({ http, bare: yield* measureBare(bench, variant) })
  }
  const [http, bare] = [
    median(tallies.map((of) => perSecond(of.http))),
    median(tallies.map((of) => perSecond(of.bare)))
  ]
  const refused = median(tallies.map((of) => of.http.refused / of.http.seconds))
  return {
    what: variant.what,
    measured: `${readable(http)}/s${refused === 0 ? "" : ` and ${readable(refused)}/s refused`}`,
    against: `${readable(bare)}/s`,
    ratio: median(tallies.map((of) => perSecond(of.http) / perSecond(of.bare))),
    ...(variant.aim === undefined ? {} : { aim: variant.aim })
  } satisfies Figure
})

const lanesFor = ({ clients, commandsEach, race }: Variant, turns: number): number =>
  Math.ceil(turns / commandsEach) + (race ? 1 : clients)

const turnsOf = <L>({ race, commandsEach }: Variant, lanes: Array<L>, take: (lane: L) => Promise<Turn>) =>
  (race ? sharedLane : ownLanes)(lanes, commandsEach, take)

/** Projects are prepared in another process, so that the measured server only answers commands. */
const measureHttp = (bench: BenchContext, variant: Variant, projects: number, seconds: number) =>
  Effect.gen(function* () {
    const lanes = yield* prepareLanes(projects).pipe(Effect.provide(serviceBeside(bench.installation)))
    const { take, close } = sendCommands(bench.origin, variant.clients)
    const turn = turnsOf(variant, [...lanes], take)
    return yield* Effect.promise(() => runClients(variant.clients, seconds, turn).finally(close))
  })

export const serviceBeside = ({ environment }: TestInstallation) =>
  Service.pipe(Layer.provideMerge(operator(environment)))

/** More writes than any round achieves; a round that did would end early. */
const bareWritesMax = 30_000

const measureBare = (bench: BenchContext, variant: Variant) =>
  Effect.gen(function* () {
    const { take, clone } = yield* openWriter(bench.database, variant.clients)
    const lanes = yield* clone(lanesFor(variant, bareWritesMax))
    const turn = turnsOf(variant, lanes, take)
    return yield* Effect.promise(() => runClients(variant.clients, bench.extent.seconds, turn))
  }).pipe(Effect.scoped)
