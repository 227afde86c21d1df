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
  /** A folder for what it has to know after a restart. */
  readonly state: string
}

export class AgentProcess {
  readonly #command: string
  #environment: AgentEnvironment | undefined
  #child: ChildProcess | undefined
  #output = ""
  #hasEnded = false
  #failure: string | undefined

  constructor(command: string) {
    this.#command = command
  }

  start(environment: AgentEnvironment): void {
    this.#environment = environment
    const { url, clock, task, callbackPort, token, state } = environment
    const child = spawn(this.#command, {
      shell: true,
      // A group of its own, so that it ends with everything it started.
      detached: true,
      stdio: ["ignore", "pipe", "pipe"],
      env: {
        ...process.env,
        COUNTERSIGN_URL: url,
        COUNTERSIGN_TASK: JSON.stringify(task),
        COUNTERSIGN_CALLBACK_PORT: String(callbackPort),
        COUNTERSIGN_STATE: state,
        ...(clock === undefined ? {} : { COUNTERSIGN_CLOCK: clock }),
        ...(token === undefined ? {} : { COUNTERSIGN_TOKEN: token })
      }
    })
    const keep = (chunk: Buffer) => (this.#output = (this.#output + String(chunk)).slice(-outputCharacters))
    child.stdout?.on("data", keep)
    child.stderr?.on("data", keep)
    child.on("error", (error) => this.#end(child, error.message))
    child.on("close", (code, signal) => this.#end(child, code === 0 ? undefined : `exit code ${code ?? signal}`))
    this.#child = child
    this.#hasEnded = false
    this.#failure = undefined
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

  /** Ends the program as a crash would, and starts it again. */
  restart(): void {
    if (!this.#hasEnded) this.reboot()
  }

  /** The same, also where it has ended. */
  reboot(): void {
    this.kill()
    if (this.#environment !== undefined) this.start(this.#environment)
  }

  /** Ends the program and everything it started. */
  kill(): void {
    const child = this.#child
    if (this.#hasEnded || child?.pid === undefined) return
    try {
      process.kill(-child.pid, "SIGKILL")
    } catch {
      child.kill("SIGKILL")
    }
  }

  #end(child: ChildProcess, failure: string | undefined): void {
    if (this.#hasEnded || child !== this.#child) return
    this.#hasEnded = true
    this.#failure = failure
  }
}

const outputCharacters = 10_000
