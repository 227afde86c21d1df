/** The program of an agent under examination, as a child process with everything it starts. */
import { spawn, type ChildProcess } from "node:child_process"
import { type AgentEnvironment, type ExaminedAgent, variablesOf } from "./examined-agent.ts"

export class AgentProcess implements ExaminedAgent {
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
    const child = spawn(this.#command, {
      shell: true,
      // A group of its own, so that it ends with everything it started.
      detached: true,
      stdio: ["ignore", "pipe", "pipe"],
      env: { ...process.env, ...variablesOf(environment) }
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

  get failure(): string | undefined {
    return this.#failure
  }

  get output(): string {
    return this.#output
  }

  restart(): void {
    if (!this.#hasEnded) this.reboot()
  }

  reboot(): void {
    this.stop()
    if (this.#environment !== undefined) this.start(this.#environment)
  }

  /** Ends the program and everything it started. */
  stop(): void {
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
