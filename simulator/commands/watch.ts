/** `simulate watch [file or folder]…`: reruns scenarios when a change affects them. */
import * as fs from "node:fs"
import { Effect } from "effect"
import { Argument, Command } from "effect/cli"
import { escapeForTerminal } from "../reports/escape.ts"
import { Watch } from "../watching/watch.ts"
import { exitCodeOf, endWith, noteExitCode, PASSED, UNUSABLE } from "./exit.ts"

const flags = {
  places: Argument.String("file or folder").pipe(
    Argument.withDescription("Scripts, or folders whose scripts are watched recursively; default scenarios"),
    Argument.variadic({ min: 0 })
  )
}

export const watch = Command.make(
  "watch",
  flags,
  Effect.fn(function* ({ places: named }) {
    const places = named.length === 0 ? ["scenarios"] : named
    const absent = places.find((place) => !fs.existsSync(place))
    if (absent !== undefined) return yield* endWith(UNUSABLE, `file not found: ${absent}`)
    const watching = new Watch(places, (lines) => {
      for (const line of lines) process.stdout.write(`${escapeForTerminal(line)}\n`)
    })
    watching.all()
    yield* Effect.promise(() => untilEnd(watching))
    yield* Effect.promise(() => watching.close())
    const codes = watching.last.all.map(({ verdict }) => (verdict === "UNREADABLE" ? UNUSABLE : exitCodeOf[verdict]))
    noteExitCode(codes.length === 0 ? UNUSABLE : Math.max(PASSED, ...codes))
  })
).pipe(
  Command.withDescription(
    "Watch scenarios and the program: reruns a changed script and the scripts that use a changed part; after a change of " +
      "the program, reruns all in a new process. Reports differences from the previous run and from the committed trace. " +
      "Keys: q quits, r reruns all, f reruns failed ones. Ends with its input. Exit code: the most severe of the last runs, " +
      "or 2 if there was none."
  ),
  Command.withExamples([
    { command: "simulate watch", description: "All shipped scenarios" },
    { command: "simulate watch mine.yaml", description: "A scenario while it is written" }
  ])
)

/** Reads keys from a terminal, or letters from a pipe. */
const untilEnd = (watching: Watch): Promise<void> =>
  new Promise((resolve) => {
    const { stdin } = process
    if (stdin.isTTY) stdin.setRawMode(true)
    const ended = () => {
      if (stdin.isTTY) stdin.setRawMode(false)
      stdin.pause()
      resolve()
    }
    stdin.once("end", ended)
    stdin.setEncoding("utf8").on("data", (keys: string) => {
      for (const key of keys) {
        if (key === "r") watching.all()
        else if (key === "f") watching.failed()
        else if (key === "q" || key === interrupted) {
          watching.abandon()
          return ended()
        }
      }
    })
  })

/** In raw mode a terminal delivers Ctrl-C as a character. */
const interrupted = "\u0003"
