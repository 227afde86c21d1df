/** What the commands of the examination have in common: the flags of the agent's program, the server, and saved runs. */
import * as fs from "node:fs"
import * as os from "node:os"
import * as path from "node:path"
import { Effect, Option, Result } from "effect"
import { Flag } from "effect/cli"
import { isBuilt } from "../child-processes/program.ts"
import type { LessonResult } from "../examination/examine.ts"
import { saveRun } from "../examination/saved-run.ts"
import { serve } from "../serve/server.ts"
import { Worlds } from "../serve/worlds.ts"
import { endWith, UNUSABLE, writeOrEnd } from "./exit.ts"

const root = path.resolve(import.meta.dirname, isBuilt ? "../../.." : "../..")

/** The folder of the lessons that are part of the simulator. */
export const shippedLessons = path.join(root, "scenarios/lessons")

/** The folder of the personas that are part of the simulator. */
export const shippedPersonas = path.join(root, "scenarios/personas")

export const programFlags = {
  command: Flag.String("command").pipe(
    Flag.withDescription("The command line that starts the agent; it is run by a shell, once for each run of a lesson"),
    Flag.withMetavar("program")
  ),
  silence: Flag.Int("silence").pipe(
    Flag.withDescription("After how many seconds of real time without a request a lesson ends, as UNKNOWN; default 60"),
    Flag.withMetavar("seconds"),
    Flag.withDefault(60)
  ),
  save: Flag.String("save").pipe(
    Flag.withDescription(
      "The folder in which runs are saved, for `simulate exam replay`; it must be empty. Default: a new temporary folder"
    ),
    Flag.withMetavar("folder"),
    Flag.optional
  )
}

/** A server of worlds, which is closed with the scope. */
export const examServer = Effect.gen(function* () {
  const worlds = new Worlds(programTimeout)
  const { origin } = yield* Effect.acquireRelease(
    Effect.promise(() => serve(worlds, 0)),
    (running) => Effect.promise(running.close)
  )
  return { worlds, origin }
})

const programTimeout = 10

/** A new folder, or one that is empty. */
export const claimFolder = (given: Option.Option<string>): Result.Result<string, string> =>
  Result.try({
    try: () => {
      const folder = Option.getOrUndefined(given)
      if (folder === undefined) return fs.mkdtempSync(path.join(os.tmpdir(), "countersign-exam-"))
      fs.mkdirSync(folder, { recursive: true })
      if (fs.readdirSync(folder).length > 0) throw new Error(`${folder} is not empty: choose another folder`)
      return folder
    },
    catch: (error) => `--save: ${error instanceof Error ? error.message : String(error)}`
  })

/** A run that does not replay is still saved. */
export const writeSaved = Effect.fnUntraced(function* (folder: string, result: LessonResult) {
  let difference: string | undefined
  yield* writeOrEnd(folder, () => void (difference = saveRun(folder, result)))
  if (difference !== undefined) yield* endWith(UNUSABLE, `${folder} replays differently: ${difference}`)
})
