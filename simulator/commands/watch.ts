/** `simulate watch [file or folder]…`: runs scenarios again whenever a change touches them. */
import * as fs from "node:fs"
import { Effect } from "effect"
import { Argument, Command } from "effect/cli"
import { visibleOnTerminal } from "../reports/visible.ts"
import { Watch } from "../watching/watch.ts"
import { codeOf, end, note, PASSED, UNUSABLE } from "./ending.ts"

const flags = {
  places: Argument.String("file or folder").pipe(
    Argument.withDescription("Scripts, and folders of which every script below is watched; scenarios where absent"),
    Argument.variadic({ min: 0 })
  )
}

export const watch = Command.make(
  "watch",
  flags,
  Effect.fn(function* ({ places: named }) {
    const places = named.length === 0 ? ["scenarios"] : named
    const absent = places.find((place) => !fs.existsSync(place))
    if (absent !== undefined) return yield* end(UNUSABLE, `there is no ${absent}`)
    const watching = new Watch(places, (lines) => {
      for (const line of lines) process.stdout.write(`${visibleOnTerminal(line)}\n`)
    })
    watching.all()
    yield* Effect.promise(() => untilEnd(watching))
    yield* Effect.promise(() => watching.close())
    const codes = watching.last.all.map(({ verdict }) => (verdict === "UNREADABLE" ? UNUSABLE : codeOf[verdict]))
    note(codes.length === 0 ? UNUSABLE : Math.max(PASSED, ...codes))
  })
).pipe(
  Command.withDescription(
    "Watch scenarios and the program: a changed script runs again, with those that use a changed part; a changed program " +
      "runs them all in a new process. Says what is other than before and than committed. Keys: q ends it, r runs all, f " +
      "what failed. Ends with its input, with the gravest code of the last runs, or with 2 where " +
      "nothing could be run"
  ),
  Command.withExamples([
    { command: "simulate watch", description: "Every shipped scenario" },
    { command: "simulate watch mine.yaml", description: "The one that is being written" }
  ])
)

/** Keys at a terminal, letters in a pipe. */
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

/** A terminal that hands over every key hands over this one, too. */
const interrupted = "\u0003"
