/** Runs scenarios in one subprocess with the settings of another machine. */
import { spawn } from "node:child_process"
import { text } from "node:stream/consumers"
import { Data, Effect } from "effect"
import type { Verdict } from "../observation/observation.ts"
import { describeMachine, type Machine } from "./machines.ts"
import { ownProgram } from "../child-processes/program.ts"

export interface SubprocessRun {
  readonly file: string
  readonly verdict: Verdict
  readonly trace: string
  readonly story: string
}

/** The subprocess failed. */
export class SubprocessError extends Data.TaggedError("SubprocessError")<{
  readonly machine: string
  readonly output: string
}> {
  override get message(): string {
    return `cannot run on ${this.machine}:\n${this.output}`
  }
}

/** The runs in the order of the scripts; the files are absolute, since each machine has its own directory. */
export const runInSubprocess = (
  machine: Machine,
  files: ReadonlyArray<string>
): Effect.Effect<ReadonlyArray<SubprocessRun>, SubprocessError> => {
  const { node, flags, environment, directory } = machine
  return Effect.tryPromise({
    try: async (signal) => {
      const child = spawn(node, [...flags, program, ...files], {
        cwd: directory,
        env: environment,
        stdio: ["ignore", "pipe", "pipe"],
        signal
      })
      const ended = new Promise<number | null>((resolve, reject) => {
        child.once("error", reject)
        child.once("close", resolve)
      })
      const [output, errors, code] = await Promise.all([text(child.stdout), text(child.stderr), ended])
      if (code !== 0) throw new Error(errors === "" ? `it exited with ${code}` : errors)
      const lines = output.split("\n").filter((line) => line !== "")
      if (lines.length !== files.length) throw new Error(`ran ${lines.length} of ${files.length} scenarios`)
      return lines.map((line) => JSON.parse(line) as SubprocessRun)
    },
    catch: (error) =>
      new SubprocessError({
        machine: describeMachine(machine),
        output: error instanceof Error ? error.message : String(error)
      })
  })
}

const program = ownProgram(import.meta.dirname, "run-scenarios")
