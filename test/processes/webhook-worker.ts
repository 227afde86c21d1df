/**
 * `countersign worker`, or `countersign serve` without its workers, as a process for tests: the production layers, but
 * webhooks are sent to a receiver on loopback. `node webhook-worker.ts worker <port> <address> <certificate authority>`. The
 * program itself cannot be configured this way.
 */
import { NodeRuntime } from "@effect/platform-node"
import { Cause, Console, Effect, Exit, Layer, Result, Runtime } from "effect"
import { makeWebhookSender } from "../../src/adapters/webhook-sender/layer.ts"
import { listen } from "../../src/adapters/http-server.ts"
import { production, reportFailure } from "../../src/command-line/production.ts"
import { workerWith } from "../../src/command-line/serve.ts"
import { WebhookSender } from "../../src/ports/webhook-sender.ts"
import { Service } from "../../src/service.ts"

const [mode, port = "", address = "", authority = ""] = process.argv.slice(2)

const sender = Layer.effect(
  WebhookSender,
  makeWebhookSender({
    resolve: () => Effect.succeed([address]),
    acceptAddresses: Result.succeed,
    port: Number(port),
    ca: [authority]
  })
)

const runs = Effect.andThen(Console.log("ready"), Effect.never)

const program =
  mode === "serve"
    ? Effect.andThen(listen, runs).pipe(
        Effect.scoped,
        Effect.provide(Service.pipe(Layer.provideMerge(production))),
        reportFailure
      )
    : runs.pipe(Effect.provide(workerWith(sender)), reportFailure)

const teardown: Runtime.Teardown = (exit, onExit) =>
  Exit.isFailure(exit) && Cause.hasInterruptsOnly(exit.cause) ? onExit(0) : Runtime.defaultTeardown(exit, onExit)

NodeRuntime.runMain(program, { teardown })
