/**
 * Soak tests on real processes: `node test/soak/main.ts <name>`. Each starts a Postgres of its own if it needs one,
 * prints its measurements, and exits with 1 on any failure.
 */
import { NodeRuntime } from "@effect/platform-node"
import { Console, Effect } from "effect"
import { acknowledgedRevocation } from "./acknowledged-revocation.ts"
import { bodies } from "./bodies.ts"
import { webhooks } from "./webhooks.ts"
import { crash } from "./crash.ts"
import { faultyDatabase } from "./faulty-database.ts"
import { lostCommit } from "./lost-commit.ts"
import { payments } from "./payments.ts"
import { postgres } from "./postgres.ts"
import { twoServers } from "./two-servers.ts"
import { verifier } from "./verifier.ts"
import { webhookStops } from "./webhook-stops.ts"
import { year } from "./year.ts"

const soaks = {
  "acknowledged-revocation": acknowledgedRevocation,
  "two-servers": twoServers,
  "lost-commit": lostCommit,
  crash,
  "faulty-database": faultyDatabase,
  payments,
  postgres,
  bodies,
  verifier,
  webhooks,
  "webhook-stops": webhookStops,
  year
}

const name = process.argv[2] ?? ""
const isKnown = (given: string): given is keyof typeof soaks => Object.hasOwn(soaks, given)

const run = Effect.gen(function* () {
  if (!isKnown(name)) {
    yield* Console.error(`usage: node test/soak/main.ts ${Object.keys(soaks).join(" | ")}`)
    return 2
  }
  const wrong = yield* Effect.scoped(soaks[name])
  for (const one of wrong.slice(0, 20)) yield* Console.error(`wrong: ${one}`)
  yield* Console.log(wrong.length === 0 ? `${name}: nothing wrong` : `${name}: ${wrong.length} wrong`)
  return wrong.length === 0 ? 0 : 1
})

NodeRuntime.runMain(Effect.map(run, (code) => void (process.exitCode = code)))
