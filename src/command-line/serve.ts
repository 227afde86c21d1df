/** `countersign serve`: the service, its worker and, without `DATABASE_URL`, its database. */
import { Console, Effect, Layer, Option } from "effect"
import { Command } from "effect/cli"
import { Configuration, siteUrlOf } from "../adapters/configuration.ts"
import { listen } from "../adapters/http-server.ts"
import { besideServer, production, reported } from "./production.ts"
import { issuanceWorker } from "../records/worker.ts"
import { Service } from "../service.ts"

const banner = Effect.gen(function* () {
  const configuration = yield* Configuration
  const site = siteUrlOf(configuration)
  const isEmbedded = Option.isNone(configuration.databaseUrl)
  yield* Console.error(
    [
      `Countersign listens on ${site}`,
      isEmbedded
        ? `  data and keys  ${configuration.dataDirectory} (made at the first start; keep the keys, back up the data)`
        : "  data           the Postgres of DATABASE_URL",
      `  API            ${site}/api/agents/v1/openapi.json`,
      `  ready?         ${site}/readyz`,
      `  next           docs/learning/first-record.md`,
      "  People cannot sign in yet: organizations, people and grants are made by `countersign admin`."
    ].join("\n")
  )
})

export const serve = Command.make("serve", {}, () =>
  Effect.gen(function* () {
    yield* listen
    yield* banner
    return yield* Effect.never
  }).pipe(
    Effect.scoped,
    Effect.provide(Service.pipe(Layer.merge(issuanceWorker), Layer.provideMerge(production))),
    reported
  )
).pipe(Command.withDescription("Serve the agent API, with the worker; without DATABASE_URL on an embedded Postgres"))

export const worker = Command.make("worker", {}, () =>
  Effect.never.pipe(Effect.provide(issuanceWorker.pipe(Layer.provide(besideServer))), reported)
).pipe(Command.withDescription("Run the worker alone, beside servers on the same Postgres"))
