/**
 * The cost of a command over HTTP on Postgres: CPU time of server, Postgres and client, and commands per second, against
 * the same writes as one statement each by the bare driver.
 */
import { Console, Effect } from "effect"
import type { ConnectionOptions } from "../../../src/adapters/postgres-storage/connections.ts"
import { urlOf } from "../../support/installation.ts"
import type { Extent } from "../extent.ts"
import { readable, renderTable, type Aim, type Figure, type Section } from "../figure.ts"
import { median } from "../measure.ts"
import { startChild } from "./child-process.ts"
import { lanesFor, type Spread } from "./clients.ts"
import { fillTables } from "./fill.ts"
import type { LoadRequest, LoadResult } from "./load.ts"
import { plainPeerOf, postmasterOf, serverOf, thisServer, type ServerVariant } from "./variants.ts"

/** A command reads its project's history: most projects have few events, none more than a hundred. */
const usualCommands = 20
const commandsOfFullHistory = 94
/** Leaves room in the history for commands in flight when a project has had its share. */
const commandsWhenRacing = 60

interface Load extends Spread {
  readonly what: string
}

const load = (what: string, clients: number, changes: Partial<Load> = {}): Load => ({
  what,
  clients,
  commandsEach: usualCommands,
  isRace: false,
  ...changes
})

const withoutAim = [
  load("1 client", 1),
  load("32 clients racing on one project", 32, { commandsEach: commandsWhenRacing, isRace: true })
]
const withAim = [load("8 clients, a project each", 8), load("32 clients, a project each", 32)]
const onFullTables = load("32 clients, a project each, full tables", 32)

/** What is compared in alternating rounds; the bare statement has no server. */
interface Entry {
  readonly name: string
  readonly server: ServerVariant | undefined
  readonly load: Load
}

export interface CommandsOptions {
  readonly extent: Extent
  /** The folder of another checkout to compare with. */
  readonly against: string | undefined
}

/** Starts every variant in processes of its own and compares them. The database is migrated and empty. */
export const compareCommands = Effect.fnUntraced(function* (database: ConnectionOptions, options: CommandsOptions) {
  const { extent, against } = options
  const own = yield* thisServer(database)
  return yield* compareVariants({
    extent,
    database,
    variants: {
      own,
      peer: yield* plainPeerOf(own),
      against: against === undefined ? undefined : yield* serverOf(against, database)
    },
    postmasterPid: yield* postmasterOf(database),
    send: yield* startChild<LoadRequest, LoadResult>("load-client.ts")
  })
}, Effect.scoped)

export interface BenchContext {
  readonly extent: Extent
  /** The database of this checkout, for the bare statement. */
  readonly database: ConnectionOptions
  readonly variants: Variants
  readonly postmasterPid: number
  readonly send: (request: LoadRequest) => Effect.Effect<LoadResult>
}

interface Variants {
  readonly own: ServerVariant
  readonly peer: ServerVariant
  readonly against: ServerVariant | undefined
}

/** Prints the cost of each variant, and returns the ratios. */
export const compareVariants = Effect.fnUntraced(function* (bench: BenchContext) {
  const { variants, extent } = bench
  const figures: Array<Figure> = []
  yield* warmUp(bench, serversOf(variants))
  for (const load of withoutAim) yield* compareLoad(bench, variants, load)
  for (const load of withAim) figures.push(...(yield* compareLoad(bench, variants, load)))
  figures.push(...(yield* compareHistories(bench, variants)))
  const databases = new Set(serversOf(variants).map((server) => server.database))
  for (const filled of databases) yield* fillTables(filled, extent.fillerRows)
  figures.push(...(yield* compareLoad(bench, variants, onFullTables)))
  const rows = extent.fillerRows.toLocaleString("en")
  return { title: `Ratios of commands (full tables: ${rows} rows each)`, figures } satisfies Section
})

const serversOf = ({ own, peer, against }: Variants): ReadonlyArray<ServerVariant> => [
  peer,
  own,
  ...(against === undefined ? [] : [against])
]

/** By a number of commands, not by time: a slower server would be compared less warm. */
const warmUp = (bench: BenchContext, servers: ReadonlyArray<ServerVariant>) => {
  const warming = load("", 8, { commandsEach: commandsOfFullHistory })
  const entries = servers.map((server): Entry => ({ name: server.name, server, load: warming }))
  return Effect.forEach(entries, (entry) => measure(bench, entry, bench.extent.warmUpCommands), { discard: true })
}

const measure = Effect.fnUntraced(function* (bench: BenchContext, { server, load }: Entry, commands: number) {
  const { send, postmasterPid, database, extent } = bench
  const { clients, commandsEach, isRace } = load
  if (server === undefined) {
    const target = { kind: "BARE", url: urlOf(database) } as const
    return yield* send({
      clients,
      commandsEach,
      isRace,
      turns: extent.bareStatements,
      target,
      serverPid: undefined,
      postmasterPid
    })
  }
  const lanes = yield* server.prepare({ projects: lanesFor(load, commands) })
  const target = { kind: "HTTP", origin: server.origin, lanes } as const
  return yield* send({ clients, commandsEach, isRace, turns: commands, target, serverPid: server.pid, postmasterPid })
})

/** The cost of an answer in one round, in milliseconds of CPU time. */
interface Cost {
  readonly server: number
  readonly postgres: number
  readonly client: number
  readonly sum: number
  readonly perSecond: number
  readonly refusedPerSecond: number
}

const costOf = ({ done, refused, seconds, server, postgres, client }: LoadResult): Cost => {
  const answers = done + refused
  return {
    server: server / answers,
    postgres: postgres / answers,
    client: client / answers,
    sum: (server + postgres + client) / answers,
    perSecond: done / seconds,
    refusedPerSecond: refused / seconds
  }
}

/** Every entry once a round, each round beginning with another entry. */
const alternate = Effect.fnUntraced(function* (
  bench: BenchContext,
  entries: ReadonlyArray<Entry>,
  commands = bench.extent.commands
) {
  const costs = new Map(entries.map((entry) => [entry, [] as Array<Cost>]))
  for (let round = 0; round < bench.extent.rounds; round++) {
    for (let turn = 0; turn < entries.length; turn++) {
      const entry = entries[(round + turn) % entries.length]!
      costs.get(entry)!.push(costOf(yield* measure(bench, entry, commands)))
    }
  }
  return costs
})

const ratioOf = (ones: ReadonlyArray<Cost>, others: ReadonlyArray<Cost>, value: (cost: Cost) => number): number =>
  median(ones.map((one, round) => value(one) / value(others[round]!)))

const compareLoad = Effect.fnUntraced(function* (bench: BenchContext, variants: Variants, load: Load) {
  const entryOf = (server: ServerVariant): Entry => ({ name: server.name, server, load })
  const bare: Entry = { name: "bare statement", server: undefined, load }
  const entries = [bare, ...serversOf(variants).map(entryOf)]
  const costs = yield* alternate(bench, entries)
  yield* Console.log(renderCosts(load.what, costs, bare))
  const roundsOf = (server: ServerVariant | undefined) => [...costs].find(([entry]) => entry.server === server)![1]
  const [own, peer, least] = [roundsOf(variants.own), roundsOf(variants.peer), roundsOf(undefined)]
  const figures: Array<Figure> = [
    cpuFigure(`${load.what}: CPU over that of the bare statement`, own, least, sumOf, { atMost: 5 }),
    throughputFigure(`${load.what}: throughput over that of bare statements`, own, least, { atLeast: 0.2 }),
    cpuFigure(`${load.what}: CPU of the plain peer over ours`, peer, own, sumOf, { atLeast: 0.5 }),
    throughputFigure(`${load.what}: throughput over that of the plain peer`, own, peer)
  ]
  if (variants.against !== undefined) {
    const what = `${load.what}: CPU of server and Postgres over those of ${variants.against.name}`
    figures.push(cpuFigure(what, own, roundsOf(variants.against), ({ server, postgres }) => server + postgres))
  }
  return figures
})

const compareHistories = Effect.fnUntraced(function* (bench: BenchContext, variants: Variants) {
  const entriesOf = (server: ServerVariant): readonly [Entry, Entry] => [
    { name: `${server.name}, ${usualCommands} commands a project`, server, load: load("", 8) },
    {
      name: `${server.name}, ${commandsOfFullHistory} commands a project`,
      server,
      load: load("", 8, { commandsEach: commandsOfFullHistory })
    }
  ]
  const pairs = serversOf(variants).map(entriesOf)
  const costs = yield* alternate(bench, pairs.flat(), bench.extent.historyCommands)
  yield* Console.log(renderCosts("Histories, 8 clients", costs, pairs[0]![0]))
  const [short, long] = pairs.find(([{ server }]) => server === variants.own)!
  const what = `server CPU of a command, ${commandsOfFullHistory} commands a project over ${usualCommands}`
  return [cpuFigure(what, costs.get(long)!, costs.get(short)!, ({ server }) => server, { atMost: 1.15 })]
})

type Rounds = ReadonlyArray<Cost>

const sumOf = ({ sum }: Cost): number => sum

const cpuFigure = (what: string, one: Rounds, other: Rounds, value: (cost: Cost) => number, aim?: Aim): Figure => ({
  ...figureOf(what, one, other, value, (milliseconds) => `${readable(milliseconds)} ms`, aim),
  isRepeatable: true
})

const throughputFigure = (what: string, one: Rounds, other: Rounds, aim?: Aim): Figure =>
  figureOf(
    what,
    one,
    other,
    ({ perSecond }) => perSecond,
    (count) => `${readable(count)}/s`,
    aim
  )

const figureOf = (
  what: string,
  one: Rounds,
  other: Rounds,
  value: (cost: Cost) => number,
  render: (value: number) => string,
  aim: Aim | undefined
): Figure => ({
  what,
  measured: render(median(one.map(value))),
  against: render(median(other.map(value))),
  ratio: ratioOf(one, other, value),
  ...(aim === undefined ? {} : { aim })
})

const renderCosts = (title: string, costs: ReadonlyMap<Entry, Rounds>, baseline: Entry): string => {
  const against = costs.get(baseline)!
  return renderTable(
    title,
    ["ms of CPU a command", "server", "Postgres", "client", "sum", "over first", "a second", "over first"],
    [...costs].map(([{ name }, rounds]) => {
      const middle = (value: (cost: Cost) => number) => median(rounds.map(value))
      const refused = middle(({ refusedPerSecond }) => refusedPerSecond)
      return [
        name,
        readable(middle(({ server }) => server)),
        readable(middle(({ postgres }) => postgres)),
        readable(middle(({ client }) => client)),
        readable(middle(({ sum }) => sum)),
        readable(ratioOf(rounds, against, ({ sum }) => sum)),
        `${readable(middle(({ perSecond }) => perSecond))}${refused === 0 ? "" : `, ${readable(refused)} refused`}`,
        readable(ratioOf(rounds, against, ({ perSecond }) => perSecond))
      ]
    })
  )
}
