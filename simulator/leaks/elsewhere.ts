/** Runs scenarios in a process of their own on another machine, all of them in one. */
import { spawn } from "node:child_process"
import { text } from "node:stream/consumers"
import { Data, Effect } from "effect"
import type { Verdict } from "../observation.ts"
import { describeMachine, type Machine } from "./machines.ts"
import { ownProgram } from "../own-program.ts"

export interface RunElsewhere {
  readonly file: string
  readonly verdict: Verdict
  readonly trace: string
  readonly story: string
}

/** The machine could not run them at all. */
export class CannotRun extends Data.TaggedError("CannotRun")<{ readonly machine: string; readonly output: string }> {
  override get message(): string {
    return `cannot run on ${this.machine}:\n${this.output}`
  }
}

/** In the order of the scripts; the files are absolute, as each machine is in a directory of its own. */
export const runElsewhere = (
  machine: Machine,
  files: ReadonlyArray<string>
): Effect.Effect<ReadonlyArray<RunElsewhere>, CannotRun> => {
  const { node, flags, environment, directory } = machine
  return Effect.tryPromise({
    try: async (signal) => {
      const started = spawn(node, [...flags, program, ...files], {
        cwd: directory,
        env: environment,
        stdio: ["ignore", "pipe", "pipe"],
        signal
      })
      const ended = new Promise<number | null>((resolve, reject) => {
        started.once("error", reject)
        started.once("close", resolve)
      })
      const [output, complaints, code] = await Promise.all([text(started.stdout), text(started.stderr), ended])
      if (code !== 0) throw new Error(complaints === "" ? `it ended with ${code}` : complaints)
      const lines = output.split("\n").filter((line) => line !== "")
      if (lines.length !== files.length) throw new Error(`ran ${lines.length} of ${files.length} scenarios`)
      return lines.map((line) => JSON.parse(line) as RunElsewhere)
    },
    catch: (error) =>
      new CannotRun({
        machine: describeMachine(machine),
        output: error instanceof Error ? error.message : String(error)
      })
  })
}

const program = ownProgram(import.meta.dirname, "every")
