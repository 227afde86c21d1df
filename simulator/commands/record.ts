/** `simulate record out.yaml [scenario]`: serves, and writes what came in as a scenario that leaves the same trace. */
import * as fs from "node:fs"
import { Console, Effect, Result } from "effect"
import { Argument, Command, Flag } from "effect/cli"
import { differenceInReplay, missingFrom, recordingOf } from "../serve/recording.ts"
import type { Session } from "../session.ts"
import { DIVERGED, end, UNUSABLE } from "./ending.ts"
import { claimFile, type OutputFile } from "./output-file.ts"
import { servingFlags, serveWhile } from "./serving.ts"

export const record = Command.make(
  "record",
  {
    out: Argument.String("out.yaml").pipe(Argument.withDescription("The file to write")),
    overwrite: Flag.Boolean("overwrite").pipe(
      Flag.withDescription("Write the file even where it is there already"),
      Flag.withDefault(false)
    ),
    ...servingFlags
  },
  Effect.fn(function* ({ out, overwrite, ...input }) {
    const claimed = Result.try({ try: () => claimFile(out, overwrite), catch: messageOf })
    if (Result.isFailure(claimed)) return yield* end(UNUSABLE, claimed.failure)
    const file = claimed.success
    yield* serveWhile(input, ({ live: { session } }) => keep(session, file, out))
    yield* Effect.sync(file.release)
  }, Effect.scoped)
).pipe(
  Command.withDescription(
    "Serve as `simulate serve` does, and when it ends, write what came into the world as a scenario. A replay of it " +
      "leaves the same trace to the byte; where one does not, it is written to out.yaml.rejected.yaml instead, the " +
      "first difference is told, and it exits with 3. A step that is under way at the end is left out."
  ),
  Command.withShortDescription("Serve, and write the session as a scenario"),
  Command.withExamples([{ command: "simulate record session.yaml", description: "Then point an agent at the server" }])
)

/** What came in is lost in no case but one: where the disk does not take it. */
export const keep = Effect.fnUntraced(function* (session: Session, file: OutputFile, out: string) {
  const recording = recordingOf(session)
  const missing = missingFrom(recording)
  const rest = missing === "" ? "" : ` ${missing}`
  if (recording.steps === 0) {
    file.release()
    return yield* Console.log(`Nothing came in that a scenario could hold: ${out} is not written.${rest}`)
  }
  const difference = differenceInReplay(session, recording)
  const rejected = `${out}.rejected.yaml`
  const write = () =>
    difference === undefined ? file.write(recording.text) : fs.writeFileSync(rejected, recording.text)
  const written = Result.try({ try: write, catch: messageOf })
  file.release()
  if (Result.isFailure(written)) return yield* end(UNUSABLE, `the recording cannot be written: ${written.failure}`)
  if (difference !== undefined) {
    return yield* end(DIVERGED, `A replay is another session; what came in is in ${rejected}.${rest}\n${difference}`)
  }
  yield* Console.log(`${recording.steps} steps are in ${out}.${rest}`)
})

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error))
