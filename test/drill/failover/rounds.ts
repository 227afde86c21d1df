/** One failure of the leader under load, and what the clients and the database say after it. */
import { Console, Effect, Fiber } from "effect"
import type { SeededRandom } from "../../../simulator/kernel/seeded-random.ts"
import { operator, type TestInstallation } from "../../support/installation.ts"
import { sendCommand } from "../../support/parties.ts"
import { nextCommand, type Lane } from "../../processes/arena.ts"
import { checkEffects, Load, makeParties, type Parties } from "../../processes/upgrade/load.ts"
import { LoadBalancer } from "../../processes/upgrade/load-balancer.ts"
import type { Cluster } from "./cluster.ts"
import type { Machine } from "./network.ts"
import { startProbe } from "./probe.ts"
import { Revocations } from "./revocations.ts"

/** What is killed with -9 on the machine of the leader, or that its network is cut. */
export const failures = ["machine", "postgres", "patroni"] as const
export type Failure = (typeof failures)[number] | "cut"

/** A server, and how its DATABASE_URL names the database. */
export interface NamedServer {
  readonly address: "haproxy" | "several hosts"
  readonly origin: string
}

/** The longest time in seconds without an answer of 200, of the server with that address. */
export interface Outage {
  readonly address: NamedServer["address"]
  readonly commands: number
  readonly reads: number
}

export interface Round {
  readonly failure: Failure
  readonly leader: string
  readonly next: string
  readonly outages: ReadonlyArray<Outage>
  readonly acknowledged: number
  readonly revocations: number
  /** Requests without an answer, or answered 503, that were sent again. */
  readonly repeated: number
  readonly wrong: ReadonlyArray<string>
}

export interface Drilled {
  readonly installation: TestInstallation
  readonly cluster: Cluster
  readonly servers: ReadonlyArray<NamedServer>
  readonly random: SeededRandom
}

const projects = 4
const revocations = 4
const actsBefore = 15
const actsAfter = 10

/** Also returns the load, whose effects must still be there after later rounds. */
export const runRound = Effect.fnUntraced(function* (
  { installation, cluster, random, ...all }: Drilled,
  failure: Failure
) {
  // Without its manager a leader is stopped by a watchdog device, which this machine has not: only haproxy leaves it.
  const servers = all.servers.filter(({ address }) => failure !== "patroni" || address === "haproxy")
  const balancer = new LoadBalancer({ expectsUnavailable: true })
  for (const { origin } of servers) balancer.add(origin)
  const prepared = Effect.gen(function* () {
    const parties = yield* makeParties(projects + servers.length)
    return { parties, revocable: yield* Revocations.of(parties, revocations) }
  })
  const { parties, revocable } = yield* prepared.pipe(
    Effect.provide(operator(installation.environment), { local: true }),
    Effect.provide(balancer.layer)
  )
  const probes = yield* Effect.forEach(servers, (server) =>
    Effect.provide(probe(server, parties, parties.lanes.pop()!), balancer.layer)
  )
  const load = new Load(parties, random)
  const running = yield* Effect.forkChild(Effect.provide(load.run, balancer.layer))
  yield* load.more(actsBefore)
  const revoking = yield* Effect.forkChild(Effect.provide(revocable.run, balancer.layer))
  yield* load.more(actsBefore)
  const leader = yield* Effect.promise(() => cluster.untilWhole())
  yield* Console.error(`${failure}: ${leader.name} fails`)
  const began = performance.now()
  yield* fail(cluster, leader, failure)
  const next = yield* Effect.promise(() => cluster.leaderAfter(leader))
  const promoted = performance.now()
  const both = probes.flatMap(({ commands, reads }) => [commands, reads])
  yield* Effect.repeat(Effect.sleep("200 millis"), { until: () => both.every((one) => one.isAnswered(promoted)) })
  yield* Console.error(`${failure}: ${next.name} leads, and both servers answer`)
  yield* load.more(actsAfter)
  yield* repair(cluster, leader, failure)
  yield* Effect.promise(() => cluster.untilWhole())
  yield* load.more(actsAfter)
  yield* Console.error(`${failure}: the cluster is whole again`)
  yield* Fiber.join(revoking)
  load.isStopped = true
  yield* Fiber.join(running)
  const wrong = [...load.wrong, ...revocable.wrong, ...balancer.failures, ...(yield* checkEffects(installation, load))]
  const outages = probes.map(({ address, commands, reads }) => ({
    address,
    commands: commands.secondsWithout(began),
    reads: reads.secondsWithout(began)
  }))
  const { acknowledged } = load
  const counts = { acknowledged, revocations: revocable.acknowledged, repeated: balancer.repeated }
  return { load, round: { failure, leader: leader.name, next: next.name, outages, ...counts, wrong } satisfies Round }
}, Effect.scoped)

/** A replay of a command takes all of its path, and leaves no event. */
const probe = Effect.fnUntraced(function* ({ address, origin }: NamedServer, parties: Parties, lane: Lane) {
  const path = `/api/agents/v1/projects/${lane.projectId}`
  const { token, operation, body } = nextCommand(parties, lane)
  yield* sendCommand(token, lane.projectId, operation, body)
  const commands = yield* startProbe(origin, { method: "POST", path: `${path}/${operation}`, token, body })
  return { address, commands, reads: yield* startProbe(origin, { method: "GET", path, token }) }
})

const fail = (cluster: Cluster, leader: Machine, failure: Failure) =>
  Effect.promise(async () => {
    if (failure === "cut") cluster.network.cut(leader)
    else if (failure === "machine") await cluster.killMachine(leader)
    else if (failure === "patroni") await cluster.killManager(leader)
    else cluster.killPostgres(leader)
  })

const repair = (cluster: Cluster, leader: Machine, failure: Failure) =>
  Effect.sync(() => {
    if (failure === "cut") cluster.network.restore(leader)
    else cluster.start(leader)
  })
