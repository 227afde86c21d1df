import { assert, it } from "@effect/vitest"
import { Effect } from "effect"
import { installationOn } from "../support/installation.ts"
import { cuts, startProxy } from "../support/proxy.ts"
import { serveInProcess } from "../support/server.ts"
import { freshService } from "../support/service.ts"
import { checkLedger, writeUnderCommitCuts } from "./indeterminate-commit.ts"

it.live(
  "With 50 connections cut around COMMIT, each request has one effect and the right response.",
  () =>
    Effect.scoped(
      Effect.gen(function* () {
        const database = yield* freshService
        const proxy = yield* startProxy(database)
        const { environment, publicJwk } = yield* installationOn(proxy.connection)
        const ledger = yield* writeUnderCommitCuts(proxy, { clients: 4, cuts: 50 }).pipe(
          Effect.provide(serveInProcess(environment))
        )
        assert.isAtLeast(ledger.sent.length, 20)
        assert.deepStrictEqual(ledger.wrong, [])
        assert.deepStrictEqual(yield* checkLedger(database, publicJwk, ledger), [])
        for (const cut of cuts) assert.isAtLeast(proxy.cutCounts[cut], 10)
      })
    ),
  180_000
)
