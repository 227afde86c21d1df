/**
 * Drills of operation on this machine: `npm run drill -- <name> --seed 7`. Each prints what it measured, and exits with 1
 * on any failure.
 */
import { NodeRuntime } from "@effect/platform-node"
import { Console, Effect } from "effect"
import { failover } from "./failover.ts"
import { growth } from "./growth.ts"
import { optionsOf } from "./options.ts"
import { upgrade } from "./upgrade.ts"

const drills = { upgrade, failover, growth }

const usage = `usage: npm run drill -- upgrade [--seed NUMBER] [--for 60s]
       npm run drill -- failover [--seed NUMBER] [--kills 10] [--cut] [--json]
       npm run drill -- growth [--projects 10000] [--directory PATH]

upgrade   exchanges two servers of one version for two of the next under load
failover  kills the leader of Postgres under Patroni with -9 under load, and with --cut cuts its network; needs the
          programs patroni, etcd, haproxy and Postgres of the distribution, and --cut needs root
growth    compares commands and claims on a database full of projects, 1,000 at least, with those on an empty one`

const [name = "", ...words] = process.argv.slice(2)
const isKnown = (given: string): given is keyof typeof drills => Object.hasOwn(drills, given)

const run = Effect.gen(function* () {
  const options = optionsOf(words)
  if (!isKnown(name) || options === undefined) {
    yield* Console.error(usage)
    return 2
  }
  const wrong = yield* Effect.scoped(drills[name](options))
  for (const one of wrong.slice(0, 20)) yield* Console.error(`wrong: ${one}`)
  yield* Console.error(wrong.length === 0 ? `${name}: nothing wrong` : `${name}: ${wrong.length} wrong`)
  return wrong.length === 0 ? 0 : 1
}).pipe(Effect.catchTag("CannotRun", ({ message }) => Effect.as(Console.error(message), 2)))

NodeRuntime.runMain(Effect.map(run, (code) => void (process.exitCode = code)))
