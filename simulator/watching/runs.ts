/** Runs scenarios one by one in another process, which is a new one after the program itself has changed. */
import { type ChildProcess, fork } from "node:child_process"
import { text } from "node:stream/consumers"
import type { Seen } from "./seen.ts"
import { ownProgram } from "../own-program.ts"

/** The program cannot be loaded as it is; says why. */
export class Broken extends Error {
  override readonly name = "Broken"
}

export class Runs {
  #child: ChildProcess | undefined
  #stop: ((error: Broken | undefined) => void) | undefined

  /** Undefined where it was stopped meanwhile. Fails with `Broken`. */
  run(file: string): Promise<Seen | undefined> {
    const child = (this.#child ??= this.#start())
    return new Promise((resolve, reject) => {
      const came = (seen: Seen) => {
        this.#stop = undefined
        resolve(seen)
      }
      this.#stop = (error) => {
        this.#stop = undefined
        child.off("message", came)
        if (error === undefined) resolve(undefined)
        else reject(error)
      }
      child.once("message", came)
      child.send(file)
    })
  }

  /** The next run is that of a new process. */
  stop(): void {
    const child = this.#child
    this.#child = undefined
    this.#stop?.(undefined)
    child?.kill()
  }

  #start(): ChildProcess {
    const child = fork(program, { stdio: ["ignore", "ignore", "pipe", "ipc"] })
    const said = child.stderr === null ? Promise.resolve("") : text(child.stderr)
    child.once("exit", (code) => {
      if (this.#child === child) this.#child = undefined
      else return
      void said.then((words) => this.#stop?.(new Broken(words.trim() === "" ? `it ended with ${code}` : words.trim())))
    })
    // What cannot be sent to a process that has ended is told by its end.
    child.on("error", () => {})
    return child
  }
}

const program = ownProgram(import.meta.dirname, "runner")
