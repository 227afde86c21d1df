/** The program of an agent under examination, as a child process with everything it starts. */
import { spawn, type ChildProcess } from "node:child_process"
import type { JsonObject } from "../vocabulary/json.ts"

/** What the program gets from the examination. */
export interface AgentEnvironment {
  /** The address of the service. */
  readonly url: string
  /** Below it are `wait` and `tell`; without it the agent has no clock of the world. */
  readonly clock: string | undefined
  readonly task: JsonObject
  /** The port on which it may receive webhooks. */
  readonly callbackPort: number
  /** Undefined for an agent that has to connect by a code. */
  readonly token: string | undefined
}

export class AgentProcess {
  readonly #child: ChildProcess
  #output = ""
  #hasEnded = false
  #failure: string | undefined

  constructor(command: string, { url, clock, task, callbackPort, token }: AgentEnvironment) {
    this.#child = spawn(command, {
      shell: true,
      // A group of its own, so that it ends with everything it started.
      detached: true,
      stdio: ["ignore", "pipe", "pipe"],
      env: {
        ...process.env,
        COUNTERSIGN_URL: url,
        COUNTERSIGN_TASK: JSON.stringify(task),
        COUNTERSIGN_CALLBACK_PORT: String(callbackPort),
        ...(clock === undefined ? {} : { COUNTERSIGN_CLOCK: clock }),
        ...(token === undefined ? {} : { COUNTERSIGN_TOKEN: token })
      }
    })
    const keep = (chunk: Buffer) => (this.#output = (this.#output + String(chunk)).slice(-outputCharacters))
    this.#child.stdout?.on("data", keep)
    this.#child.stderr?.on("data", keep)
    this.#child.on("error", (error) => this.#end(error.message))
    this.#child.on("close", (code, signal) => this.#end(code === 0 ? undefined : `exit code ${code ?? signal}`))
  }

  get hasEnded(): boolean {
    return this.#hasEnded
  }

  /** The reason if it could not be started or ended with an error. */
  get failure(): string | undefined {
    return this.#failure
  }

  /** The last part of what it printed. */
  get output(): string {
    return this.#output
  }

  /** Ends the program and everything it started. */
  kill(): void {
    if (this.#hasEnded || this.#child.pid === undefined) return
    try {
      process.kill(-this.#child.pid, "SIGKILL")
    } catch {
      this.#child.kill("SIGKILL")
    }
  }

  #end(failure: string | undefined): void {
    if (this.#hasEnded) return
    this.#hasEnded = true
    this.#failure = failure
  }
}

const outputCharacters = 10_000
