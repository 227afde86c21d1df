/** The flags and the server lifecycle shared by the commands that serve worlds. */
import * as fs from "node:fs"
import { Console, Effect, Option, Result, Schema, type Scope } from "effect"
import { Argument, type Command, Flag } from "effect/cli"
import { Instant } from "../../src/vocabulary/instant.ts"
import { readScript } from "../scenario/files.ts"
import { attachProgram } from "../serve/external-processes.ts"
import { durationInMilliseconds, isDuration } from "../vocabulary/duration.ts"
import { moveAfterSilence } from "../serve/patient-time.ts"
import { type RunningServer, serve } from "../serve/server.ts"
import { defaultWorldId, Worlds } from "../serve/worlds.ts"
import type { ServedWorld } from "../serve/served-world.ts"
import { FAILED, endWith, UNUSABLE } from "./exit.ts"

export const servingFlags = {
  scenario: Argument.String("scenario").pipe(
    Argument.withDescription("The script whose world is served; default a built-in world"),
    Argument.optional
  ),
  port: Flag.Int("port").pipe(
    Flag.withDescription("The port on 127.0.0.1; 0 is any free port; default 8780"),
    Flag.withMetavar("number"),
    Flag.withDefault(8780)
  ),
  seed: Flag.Int("seed").pipe(
    Flag.withDescription("Use this seed instead of the scenario's own"),
    Flag.withMetavar("number"),
    Flag.optional
  ),
  start: Flag.String("start").pipe(
    Flag.withDescription("The instant at which the world begins, such as 2026-01-05T09:00:00.000Z"),
    Flag.withMetavar("instant"),
    Flag.optional
  ),
  play: Flag.Boolean("play").pipe(Flag.withDescription("Run the steps of the scenario first"), Flag.withDefault(false)),
  program: Flag.String("program").pipe(
    Flag.withDescription(
      "A program on this machine that answers for a receiver: hooks=http://127.0.0.1:9000/callbacks"
    ),
    Flag.withMetavar("receiver=url"),
    Flag.atLeast(0)
  ),
  programTimeout: Flag.Int("program-timeout").pipe(
    Flag.withDescription("The timeout of external programs, in seconds of real time; default 10"),
    Flag.withMetavar("seconds"),
    Flag.withDefault(10)
  ),
  patience: Flag.String("patience").pipe(
    Flag.withDescription(
      "For clients without a clock of the world: after so much silence in real time, such as 20s, virtual time moves to the next moment at which something is due"
    ),
    Flag.withMetavar("duration"),
    Flag.optional
  )
}

type Input = Command.Command.Config.Infer<typeof servingFlags>

/** Serves until it is stopped; then runs `atEnd` with the served world. */
export const serveWhile = Effect.fnUntraced(function* (
  input: Input,
  atEnd: (world: ServedWorld) => Effect.Effect<void>
): Effect.fn.Return<void, never, Scope.Scope> {
  const prepared = yield* Effect.result(Effect.tryPromise({ try: () => prepare(input), catch: messageOf }))
  if (Result.isFailure(prepared)) return yield* endWith(UNUSABLE, prepared.failure)
  const { worlds, world, silence } = prepared.success
  const started = yield* Effect.result(Effect.tryPromise({ try: () => serve(worlds, input.port), catch: messageOf }))
  if (Result.isFailure(started)) return yield* endWith(FAILED, started.failure)
  const serving = started.success
  if (silence !== undefined) {
    yield* Effect.acquireRelease(
      Effect.sync(() => moveAfterSilence(worlds, silence)),
      (end) => Effect.sync(end)
    )
  }
  yield* Console.log(`The world is at ${serving.origin}, and its page at ${serving.origin}/sim/`)
  yield* Effect.uninterruptible(
    Effect.gen(function* () {
      const isSignalled = yield* Effect.promise(() => waitForStop(serving))
      yield* Effect.promise(serving.close)
      yield* atEnd(world)
      // A signal is the regular end of a server, so it does not interrupt `atEnd`.
      if (isSignalled) process.exit()
    })
  )
})

const prepare = async (input: Input): Promise<Prepared> => {
  const silence = Option.getOrUndefined(Option.map(input.patience, silenceIn))
  const worlds = new Worlds(input.programTimeout, Option.getOrUndefined(Option.map(input.scenario, read)))
  const world = worlds.make(
    {
      seed: Option.getOrUndefined(input.seed),
      start: Option.getOrUndefined(Option.map(input.start, (text) => Schema.decodeUnknownSync(Instant)(text))),
      play: input.play
    },
    defaultWorldId
  )
  for (const program of input.program) {
    const [, receiver = "", url = ""] = /^([^=]*)=(.*)$/.exec(program) ?? []
    await attachProgram(world, receiver, url)
  }
  return { worlds, world, silence }
}

interface Prepared {
  readonly worlds: Worlds
  readonly world: ServedWorld
  /** After how many milliseconds of silence time moves; undefined for never. */
  readonly silence: number | undefined
}

const silenceIn = (text: string): number => {
  if (!isDuration(text) || durationInMilliseconds(text) === 0)
    throw new Error("--patience is a duration such as 20s; --program-timeout is the timeout of programs")
  return durationInMilliseconds(text)
}

const read = (file: string) => {
  if (!fs.existsSync(file)) throw new Error(`file not found: ${file}`)
  return Result.getOrThrowWith(readScript(file), (message) => new Error(message))
}

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error))

/** True if stopped by a signal, false if stopped by a request. */
const waitForStop = async ({ stopped }: RunningServer): Promise<boolean> => {
  const signalled = Promise.withResolvers<boolean>()
  const signal = () => signalled.resolve(true)
  for (const name of signals) process.on(name, signal)
  const isSignalled = await Promise.race([stopped.then(() => false), signalled.promise])
  for (const name of signals) process.off(name, signal)
  return isSignalled
}

const signals = ["SIGINT", "SIGTERM"] as const
