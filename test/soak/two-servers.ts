/** 90 heads, an acceptance and 12 rounds of creations on each of five projects, with 16 and with 32 clients. */
import { Console, Effect, Layer } from "effect"
import { raceTwoServers } from "../processes/two-servers.ts"
import { installationOn, operator } from "../support/installation.ts"
import { overSockets, startServer } from "../support/server.ts"
import { temporaryDatabase } from "./database.ts"

export const twoServers = Effect.gen(function* () {
  const wrong: Array<string> = []
  for (const clients of [16, 32]) {
    for (let project = 0; project < 5; project++) {
      const told = yield* Effect.scoped(raceOnce(clients))
      yield* Console.log(`${clients} clients, project ${project + 1}: 90 heads, ${told.length} wrong`)
      wrong.push(...told)
    }
  }
  return wrong
})

const raceOnce = Effect.fnUntraced(function* (clients: number) {
  const installation = yield* installationOn(yield* temporaryDatabase)
  const { environment } = installation
  const servers = yield* Effect.all([startServer(environment), startServer(environment)], { concurrency: 2 })
  return yield* raceTwoServers(installation, { clients, heads: 90, creations: 12 }).pipe(
    Effect.provide(Layer.merge(overSockets(...servers.map(({ origin }) => origin)), operator(environment)))
  )
})
