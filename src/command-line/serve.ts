/** `countersign serve`: the service, its workers and, without `DATABASE_URL`, its database. */
import { Console, Effect, Layer, Option } from "effect"
import { Command } from "effect/cli"
import * as CallbackSenderHere from "../adapters/callback-sender/layer.ts"
import { Configuration, siteUrlOf } from "../adapters/configuration.ts"
import { listen } from "../adapters/http-server.ts"
import { makeDirectory } from "../adapters/sign-in/directory.ts"
import type { CallbackSender } from "../ports/callback-sender.ts"
import { SignIn } from "../ports/sign-in.ts"
import { connectionWorker } from "../access/worker.ts"
import { metrics, production, reported, workersAlone } from "./production.ts"
import { longRunning } from "./shutdown.ts"
import { issuanceWorker } from "../records/worker.ts"
import { Service } from "../service.ts"
import { committedEvents } from "../webhooks/supply.ts"
import { callbackWorker } from "../webhooks/worker.ts"

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
      ...(yield* signInLines),
      `  next           docs/learning/first-record.md`
    ].join("\n")
  )
})

/** What people sign in with. The first password of a new directory is told here, and never again. */
const signInLines = Effect.gen(function* () {
  const configuration = yield* Configuration
  const pages = `${siteUrlOf(configuration)}/workspace/`
  const { kind } = yield* SignIn
  if (kind === "NONE") {
    return [
      "  People cannot sign in: set OIDC_ISSUER, OIDC_CLIENT_ID and, where the provider gave one, OIDC_CLIENT_SECRET."
    ]
  }
  if (kind === "OPENID_CONNECT") {
    return [
      `  people         ${pages} (sign in at ${Option.getOrElse(configuration.oidcIssuer, () => "the provider")})`
    ]
  }
  const made = yield* makeDirectory(configuration.dataDirectory)
  return [
    `  people         ${pages} (passwords are set by \`countersign admin set-password\`)`,
    ...Option.match(made, {
      onNone: () => [],
      onSome: ({ name, password }) => [`  sign in as     ${name}, password ${password} (shown this once)`]
    })
  ]
})

/** The loops beside the operations; callbacks leave through this sender. */
const workersWith = <E, R>(sender: Layer.Layer<CallbackSender, E, R>) =>
  Layer.mergeAll(
    issuanceWorker.pipe(Layer.provide(committedEvents)),
    connectionWorker,
    callbackWorker.pipe(Layer.provide(sender))
  )

const workers = workersWith(CallbackSenderHere.layer)

export const serve = Command.make("serve", {}, () =>
  Effect.gen(function* () {
    const stopAccepting = yield* listen
    // Finalizers run from the last to the first: no new connections, then the workers end, then requests are answered.
    yield* Layer.build(workers)
    yield* Effect.addFinalizer(() => stopAccepting)
    yield* banner
    return yield* Effect.never
  }).pipe(Effect.scoped, Effect.provide(Service.pipe(Layer.provideMerge(production))), reported, longRunning)
).pipe(Command.withDescription("Serve the agent API, with its workers; without DATABASE_URL on an embedded Postgres"))

/** A process that only works. */
export const workerWith = <E, R>(sender: Layer.Layer<CallbackSender, E, R>) =>
  Layer.merge(workersWith(sender), metrics).pipe(Layer.provide(workersAlone))

export const worker = Command.make("worker", {}, () =>
  Effect.never.pipe(Effect.provide(workerWith(CallbackSenderHere.layer)), reported, longRunning)
).pipe(Command.withDescription("Run the workers alone, beside servers on the same Postgres"))
