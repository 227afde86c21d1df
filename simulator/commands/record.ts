/** `simulate record out.yaml [scenario]`: serves a world, and writes the session as a scenario with the same trace. */
import * as fs from "node:fs"
import { Console, Effect, Result } from "effect"
import { Argument, Command, Flag } from "effect/cli"
import { differenceInReplay, describeOmissions, recordingOf } from "../serve/recording.ts"
import type { Session } from "../scenario/session.ts"
import { DIVERGED, endWith, UNUSABLE } from "./exit.ts"
import { claimFile, type OutputFile } from "./output-file.ts"
import { servingFlags, serveWhile } from "./serve-lifecycle.ts"

export const record = Command.make(
  "record",
  {
    out: Argument.String("out.yaml").pipe(Argument.withDescription("The output file")),
    overwrite: Flag.Boolean("overwrite").pipe(
      Flag.withDescription("Overwrite an existing file"),
      Flag.withDefault(false)
    ),
    ...servingFlags
  },
  Effect.fn(function* ({ out, overwrite, ...input }) {
    const claimed = Result.try({ try: () => claimFile(out, overwrite), catch: messageOf })
    if (Result.isFailure(claimed)) return yield* endWith(UNUSABLE, claimed.failure)
    const file = claimed.success
    yield* serveWhile(input, ({ live: { session } }) => saveRecording(session, file, out))
    yield* Effect.sync(file.release)
  }, Effect.scoped)
).pipe(
  Command.withDescription(
    "Serve as `simulate serve` does, and at the end write the session as a scenario. The scenario is replayed and must " +
      "result in the same trace, byte by byte; otherwise it is written to out.yaml.rejected.yaml, the first difference is " +
      "reported, and the exit code is 3. Steps that are still pending at the end are omitted."
  ),
  Command.withShortDescription("Serve, and write the session as a scenario"),
  Command.withExamples([{ command: "simulate record session.yaml", description: "Then point an agent at the server" }])
)

/** The session is always saved, unless the disk refuses the write. */
export const saveRecording = Effect.fnUntraced(function* (session: Session, file: OutputFile, out: string) {
  const recording = recordingOf(session)
  const missing = describeOmissions(recording)
  const rest = missing === "" ? "" : ` ${missing}`
  if (recording.steps === 0) {
    file.release()
    return yield* Console.log(`No recordable step: ${out} is not written.${rest}`)
  }
  const difference = differenceInReplay(session, recording)
  const rejected = `${out}.rejected.yaml`
  const write = () =>
    difference === undefined ? file.write(recording.text) : fs.writeFileSync(rejected, recording.text)
  const written = Result.try({ try: write, catch: messageOf })
  file.release()
  if (Result.isFailure(written)) return yield* endWith(UNUSABLE, `the recording cannot be written: ${written.failure}`)
  if (difference !== undefined) {
    return yield* endWith(
      DIVERGED,
      `The replay differs from the session, which is saved in ${rejected}.${rest}\n${difference}`
    )
  }
  yield* Console.log(`${recording.steps} steps written to ${out}.${rest}`)
})

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error))
