/** Runs scenarios one by one in a child process, which is replaced after a change of the program. */
import { type ChildProcess, fork } from "node:child_process"
import { text } from "node:stream/consumers"
import type { ScenarioResult } from "./last-results.ts"
import { ownProgram } from "../child-processes/program.ts"

/** The program cannot be loaded; the message has the reason. */
export class ProgramLoadError extends Error {
  override readonly name = "Broken"
}

export class ScenarioProcess {
  #child: ChildProcess | undefined
  #stop: ((error: ProgramLoadError | undefined) => void) | undefined

  /** Undefined if the run was stopped. Rejects with `Broken`. */
  run(file: string): Promise<ScenarioResult | undefined> {
    const child = (this.#child ??= this.#start())
    return new Promise((resolve, reject) => {
      const onResult = (result: ScenarioResult) => {
        this.#stop = undefined
        resolve(result)
      }
      this.#stop = (error) => {
        this.#stop = undefined
        child.off("message", onResult)
        if (error === undefined) resolve(undefined)
        else reject(error)
      }
      child.once("message", onResult)
      child.send(file)
    })
  }

  /** Stops the process; the next run starts a new one. */
  stop(): void {
    const child = this.#child
    this.#child = undefined
    this.#stop?.(undefined)
    child?.kill()
  }

  #start(): ChildProcess {
    const child = fork(program, { stdio: ["ignore", "ignore", "pipe", "ipc"] })
    const stderr = child.stderr === null ? Promise.resolve("") : text(child.stderr)
    child.once("exit", (code) => {
      if (this.#child === child) this.#child = undefined
      else return
      void stderr.then((output) =>
        this.#stop?.(new ProgramLoadError(output.trim() === "" ? `exit code ${code}` : output.trim()))
      )
    })
    // A failed send to an ended process is reported by its exit.
    child.on("error", () => {})
    return child
  }
}

const program = ownProgram(import.meta.dirname, "runner")
