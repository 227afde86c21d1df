/**
 * The cost of a command over HTTP on Postgres: CPU time of server, Postgres and client, and commands per second, against
 * the same writes as one statement each by the bare driver.
 */
import { Console, Effect } from "effect"
import type { ConnectionOptions } from "../../../src/adapters/postgres-storage/connections.ts"
import { urlOf } from "../../support/installation.ts"
import type { Extent } from "../extent.ts"
import { readable, renderTable, type Aim } from "../figure.ts"
import { median } from "../measure.ts"
import { startChild } from "./child-process.ts"
import { lanesFor, type Spread } from "./clients.ts"
import { fillTables } from "./fill.ts"
import type { LoadRequest, LoadResult } from "./load-client.ts"
import { postmasterOf, serverOf, thisServer, type ServerVariant } from "./variants.ts"

/** A command reads its project's history: most projects have few events, none more than a hundred. */
const usualCommands = 20
const commandsOfFullHistory = 94
/** Leaves room in the history for commands in flight when a project has had its share. */
const commandsWhenRacing = 60

interface Load extends Spread {
  readonly what: string
  readonly aim?: Aim
}

const load = (what: string, clients: number, changes: Partial<Load> = {}): Load => ({
  what,
  clients,
  commandsEach: usualCommands,
  isRace: false,
  ...changes
})

const nearEmpty: ReadonlyArray<Load> = [
  load("1 client", 1),
  load("8 clients, a project each", 8),
  load("32 clients, a project each", 32),
  load("32 clients racing on one project", 32, { commandsEach: commandsWhenRacing, isRace: true })
]
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

export const compareCommands = Effect.fnUntraced(function* (database: ConnectionOptions, options: CommandsOptions) {
  const { extent, against } = options
  const servers: Array<ServerVariant> = [yield* thisServer(database)]
  if (against !== undefined) servers.push(yield* serverOf(against, database))
  const bench: BenchContext = {
    extent,
    database,
    postmasterPid: yield* postmasterOf(database),
    send: yield* startChild<LoadRequest, LoadResult>("load-client.ts")
  }
  yield* warmUp(bench, servers)
  for (const load of nearEmpty) yield* compareLoad(bench, servers, load)
  yield* compareHistories(bench, servers)
  for (const server of servers) yield* fillTables(server.database, extent.fillerRows)
  yield* compareLoad(bench, servers, onFullTables)
}, Effect.scoped)

interface BenchContext {
  readonly extent: Extent
  readonly database: ConnectionOptions
  readonly postmasterPid: number
  readonly send: (request: LoadRequest) => Effect.Effect<LoadResult>
}

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

const compareLoad = Effect.fnUntraced(function* (
  bench: BenchContext,
  servers: ReadonlyArray<ServerVariant>,
  load: Load
) {
  const bare: Entry = { name: "bare statement", server: undefined, load }
  const entries = [bare, ...servers.map((server): Entry => ({ name: server.name, server, load }))]
  const costs = yield* alternate(bench, entries)
  yield* Console.log(renderCosts(load.what, costs, costs.get(bare)!))
})

const compareHistories = Effect.fnUntraced(function* (bench: BenchContext, servers: ReadonlyArray<ServerVariant>) {
  const short = load("", 8)
  const long = load("", 8, { commandsEach: commandsOfFullHistory })
  const entries = servers.flatMap((server): ReadonlyArray<Entry> => [
    { name: `${server.name}, ${usualCommands} commands a project`, server, load: short },
    { name: `${server.name}, ${commandsOfFullHistory} commands a project`, server, load: long }
  ])
  // Every project comes to its full history.
  const costs = yield* alternate(bench, entries, long.clients * commandsOfFullHistory)
  yield* Console.log(renderCosts("Histories, 8 clients", costs, costs.get(entries[0]!)!))
})

const renderCosts = (
  title: string,
  costs: ReadonlyMap<Entry, ReadonlyArray<Cost>>,
  bare: ReadonlyArray<Cost>
): string =>
  renderTable(
    title,
    ["ms of CPU a command", "server", "Postgres", "client", "sum", "sum ratio", "a second", "wall ratio"],
    [...costs].map(([{ name }, rounds]) => {
      const middle = (value: (cost: Cost) => number) => median(rounds.map(value))
      const refused = middle(({ refusedPerSecond }) => refusedPerSecond)
      return [
        name,
        readable(middle(({ server }) => server)),
        readable(middle(({ postgres }) => postgres)),
        readable(middle(({ client }) => client)),
        readable(middle(({ sum }) => sum)),
        readable(ratioOf(rounds, bare, ({ sum }) => sum)),
        `${readable(middle(({ perSecond }) => perSecond))}${refused === 0 ? "" : `, ${readable(refused)} refused`}`,
        readable(ratioOf(rounds, bare, ({ perSecond }) => perSecond))
      ]
    })
  )
