/** Two servers of one version are exchanged for two of the next under load: expand, switch, contract. */
import { Effect, Fiber } from "effect"
import { SeededRandom } from "../../../simulator/kernel/seeded-random.ts"
import { operator, type TestInstallation } from "../../support/installation.ts"
import { spawnProgram, startServer, type ServerProcess } from "../../support/server.ts"
import { siteUrl } from "../../support/service.ts"
import { checkEffects, Load, makeParties } from "./load.ts"
import { LoadBalancer } from "./load-balancer.ts"

export interface Versions {
  /** The programs. */
  readonly older: string
  readonly newer: string
}

export interface Outcome {
  /** Acknowledged commands, pauses and their ends. */
  readonly acknowledged: number
  readonly repeated: number
  readonly wrong: ReadonlyArray<string>
}

export interface Extent {
  readonly seed: number
  readonly projects: number
  /** The number of acts between two steps of the upgrade. */
  readonly acts: number
  /** Called before each step. */
  readonly report?: (step: string) => void
}

export const upgradeUnderLoad = Effect.fnUntraced(function* (
  installation: TestInstallation,
  { older, newer }: Versions,
  { seed, projects, acts, report = () => {} }: Extent
) {
  const environment = { ...installation.environment, SITE_URL: siteUrl }
  const random = SeededRandom.derived(seed, "upgrade")
  const balancer = new LoadBalancer()
  const wrong: Array<string> = []
  const start = (program: string) =>
    Effect.tap(startServer(environment, program), ({ origin }) => Effect.sync(() => balancer.add(origin)))
  const stop = ({ child, ended, origin }: ServerProcess) =>
    Effect.promise(async () => {
      child.kill("SIGTERM")
      const code = await ended
      balancer.remove(origin)
      if (code !== 0) wrong.push(`a server that was stopped exited with ${code}`)
    })
  const run = (program: string, code: number, printed: RegExp, ...command: ReadonlyArray<string>) =>
    Effect.promise(async () => {
      const { ended, output } = spawnProgram(program, "", environment, command)
      if ((await ended) !== code || !printed.test(output())) wrong.push(`${command.join(" ")}: ${output()}`)
    })

  report("two servers of the older version")
  const first = yield* Effect.all([start(older), start(older)], { concurrency: 2 })
  report("parties and their projects")
  // The ports of this process are of the older version, and end before the contract.
  const parties = yield* makeParties(projects).pipe(
    Effect.provide(operator(environment), { local: true }),
    Effect.provide(balancer.layer)
  )
  const load = new Load(parties, random)
  const running = yield* Effect.forkChild(Effect.provide(load.run, balancer.layer))
  yield* load.more(acts)
  report("expand")
  yield* run(newer, 0, /^migrated: first_states$/m, "migrate", "--expand")
  yield* load.more(acts)
  report("switch")
  const second = [yield* start(newer)]
  yield* load.more(acts)
  const [leaves, stays] = random.below(2) === 0 ? first : first.toReversed()
  yield* stop(leaves!)
  second.push(yield* start(newer))
  yield* load.more(acts)
  report("contract beside a server of the older version")
  yield* run(newer, 1, /older version are connected.* countersign from /, "migrate", "--contract")
  yield* load.more(acts)
  report("the end of the older version")
  yield* stop(stays!)
  yield* load.more(acts)
  report("contract")
  yield* run(newer, 0, /^migrated: former_order_of_events$/m, "migrate", "--contract")
  yield* load.more(acts)
  report("a start of the older version")
  yield* run(older, 1, /took away what this program uses: start the newer program/, "worker")
  load.isStopped = true
  report("the check of every effect")
  yield* Fiber.join(running)
  wrong.push(...load.wrong, ...balancer.failures, ...(yield* checkEffects(installation, load)))
  yield* Effect.forEach(second, stop)
  return { acknowledged: load.acknowledged, repeated: balancer.repeated, wrong } satisfies Outcome
})
