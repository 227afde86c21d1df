/**
 * `countersign worker`, or `countersign serve` without its workers, as a process for tests: the production layers, but
 * callbacks leave for a receiver on loopback. `node callback-worker.ts worker <port> <address>`; the certificate authority
 * is that of the tests. Nothing in the program itself can be turned this way.
 */
import { NodeRuntime } from "@effect/platform-node"
import { Cause, Console, Effect, Exit, Layer, Result, Runtime } from "effect"
import { makeCallbackSender } from "../../src/adapters/callback-sender/layer.ts"
import { listen } from "../../src/adapters/http-server.ts"
import { production, reported } from "../../src/command-line/production.ts"
import { workerWith } from "../../src/command-line/serve.ts"
import { CallbackSender } from "../../src/ports/callback-sender.ts"
import { Service } from "../../src/service.ts"
import { certificateOf } from "../support/callback-receiver.ts"

const [mode, port = "", address = ""] = process.argv.slice(2)

const sender = Layer.effect(
  CallbackSender,
  makeCallbackSender({
    resolve: () => Effect.succeed([address]),
    acceptAddresses: Result.succeed,
    port: Number(port),
    ca: [certificateOf("authority")]
  })
)

const runs = Effect.andThen(Console.log("ready"), Effect.never)

const program =
  mode === "serve"
    ? Effect.andThen(listen, runs).pipe(
        Effect.scoped,
        Effect.provide(Service.pipe(Layer.provideMerge(production))),
        reported
      )
    : runs.pipe(Effect.provide(workerWith(sender)), reported)

const teardown: Runtime.Teardown = (exit, onExit) =>
  Exit.isFailure(exit) && Cause.hasInterruptsOnly(exit.cause) ? onExit(0) : Runtime.defaultTeardown(exit, onExit)

NodeRuntime.runMain(program, { teardown })
