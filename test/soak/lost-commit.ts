/** A thousand connections cut around COMMIT, 200 in each of five ways. */
import { Console, Effect } from "effect"
import { checkLedger, writeUnderCommitCuts } from "../processes/indeterminate-commit.ts"
import { installationOn } from "../support/installation.ts"
import { startProxy } from "../support/proxy.ts"
import { serveInProcess } from "../support/server.ts"
import { temporaryDatabase } from "./database.ts"

export const lostCommit = Effect.gen(function* () {
  const database = yield* temporaryDatabase
  const proxy = yield* startProxy(database)
  const { environment, publicJwk } = yield* installationOn(proxy.connection)
  const ledger = yield* writeUnderCommitCuts(proxy, { clients: 8, cuts: 1_000 }).pipe(
    Effect.provide(serveInProcess(environment))
  )
  const made = Object.entries(proxy.cutCounts).map(([cut, times]) => `${cut} COMMIT: ${times}`)
  yield* Console.log(`${made.join("; ")}; ${ledger.sent.length} requests`)
  return [...ledger.wrong, ...(yield* checkLedger(database, publicJwk, ledger))]
})
