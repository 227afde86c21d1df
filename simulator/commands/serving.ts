/** What the commands that serve worlds have in common: their flags, and a server from its start to its end. */
import * as fs from "node:fs"
import { Console, Effect, Option, Result, Schema, type Scope } from "effect"
import { Argument, type Command, Flag } from "effect/cli"
import { Instant } from "../../src/vocabulary/instant.ts"
import { readScript } from "../files.ts"
import { attachProgram } from "../serve/programs-of-a-world.ts"
import { type Serving, serve } from "../serve/server.ts"
import { defaultWorld, Worlds } from "../serve/worlds.ts"
import type { ServedWorld } from "../serve/served-world.ts"
import { FAILED, end, UNUSABLE } from "./ending.ts"

export const servingFlags = {
  scenario: Argument.String("scenario").pipe(
    Argument.withDescription("The script whose world is served; one of the server's own where absent"),
    Argument.optional
  ),
  port: Flag.Int("port").pipe(
    Flag.withDescription("The port on 127.0.0.1; any free one where it is 0"),
    Flag.withMetavar("number"),
    Flag.withDefault(8780)
  ),
  seed: Flag.Int("seed").pipe(
    Flag.withDescription("Use this seed instead of the scenario's own"),
    Flag.withMetavar("number"),
    Flag.optional
  ),
  start: Flag.String("start").pipe(
    Flag.withDescription("When the world begins: 2026-01-05T09:00:00.000Z"),
    Flag.withMetavar("instant"),
    Flag.optional
  ),
  play: Flag.Boolean("play").pipe(Flag.withDescription("Do the steps of the scenario first"), Flag.withDefault(false)),
  program: Flag.String("program").pipe(
    Flag.withDescription(
      "A program on this machine that answers for a receiver: hooks=http://127.0.0.1:9000/callbacks"
    ),
    Flag.withMetavar("receiver=url"),
    Flag.atLeast(0)
  ),
  patience: Flag.Int("patience").pipe(
    Flag.withDescription("How many seconds of real time a program outside may take"),
    Flag.withMetavar("seconds"),
    Flag.withDefault(10)
  )
}

type Input = Command.Command.Config.Infer<typeof servingFlags>

/** Serves until it is told to stop; then `atEnd` is done with the world that was served. */
export const serveWhile = Effect.fnUntraced(function* (
  input: Input,
  atEnd: (world: ServedWorld) => Effect.Effect<void>
): Effect.fn.Return<void, never, Scope.Scope> {
  const prepared = yield* Effect.result(Effect.tryPromise({ try: () => prepare(input), catch: messageOf }))
  if (Result.isFailure(prepared)) return yield* end(UNUSABLE, prepared.failure)
  const { worlds, world } = prepared.success
  const begun = yield* Effect.result(Effect.tryPromise({ try: () => serve(worlds, input.port), catch: messageOf }))
  if (Result.isFailure(begun)) return yield* end(FAILED, begun.failure)
  const serving = begun.success
  yield* Console.log(`The world is at ${serving.origin}, and its page at ${serving.origin}/sim/`)
  yield* Effect.uninterruptible(
    Effect.gen(function* () {
      const isSignalled = yield* Effect.promise(() => stopped(serving))
      yield* Effect.promise(serving.close)
      yield* atEnd(world)
      // A signal is how one ends a server: it is no interruption of what it was about.
      if (isSignalled) process.exit()
    })
  )
})

const prepare = async (input: Input): Promise<{ readonly worlds: Worlds; readonly world: ServedWorld }> => {
  const worlds = new Worlds(input.patience, Option.getOrUndefined(Option.map(input.scenario, read)))
  const world = worlds.make(
    {
      seed: Option.getOrUndefined(input.seed),
      start: Option.getOrUndefined(Option.map(input.start, (text) => Schema.decodeUnknownSync(Instant)(text))),
      play: input.play
    },
    defaultWorld
  )
  for (const program of input.program) {
    const [, receiver = "", url = ""] = /^([^=]*)=(.*)$/.exec(program) ?? []
    await attachProgram(world, receiver, url)
  }
  return { worlds, world }
}

const read = (file: string) => {
  if (!fs.existsSync(file)) throw new Error(`there is no ${file}`)
  return Result.getOrThrowWith(readScript(file), (message) => new Error(message))
}

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error))

/** By a signal, which comes back as true, or by whoever asks the server to. */
const stopped = async ({ stopped }: Serving): Promise<boolean> => {
  const signalled = Promise.withResolvers<boolean>()
  const signal = () => signalled.resolve(true)
  for (const name of signals) process.on(name, signal)
  const isSignalled = await Promise.race([stopped.then(() => false), signalled.promise])
  for (const name of signals) process.off(name, signal)
  return isSignalled
}

const signals = ["SIGINT", "SIGTERM"] as const
