/** A thousand connections cut around COMMIT, 200 in each of five ways. */
import { Console, Effect } from "effect"
import { checkLedger, loseCommits } from "../processes/lost-commit.ts"
import { installationOn } from "../support/installation.ts"
import { startProxy } from "../support/proxy.ts"
import { serveHere } from "../support/server.ts"
import { ownDatabase } from "./database.ts"

export const lostCommit = Effect.gen(function* () {
  const database = yield* ownDatabase
  const proxy = yield* startProxy(database)
  const { environment, publicJwk } = yield* installationOn(proxy.connection)
  const ledger = yield* loseCommits(proxy, { clients: 8, cuts: 1_000 }).pipe(Effect.provide(serveHere(environment)))
  const made = Object.entries(proxy.made).map(([cut, times]) => `${cut} COMMIT: ${times}`)
  yield* Console.log(`${made.join("; ")}; ${ledger.sent.length} requests`)
  return [...ledger.wrong, ...(yield* checkLedger(database, publicJwk, ledger))]
})
