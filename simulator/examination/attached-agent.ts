/** An agent that is started elsewhere on this machine, with the variables that are printed for each lesson. */
import { shellQuote } from "../reports/replay-command.ts"
import { type AgentEnvironment, type ExaminedAgent, variablesOf } from "./examined-agent.ts"
import type { Lesson } from "./lesson.ts"

export class AttachedAgent implements ExaminedAgent {
  readonly hasEnded = false
  readonly failure = undefined
  readonly output = ""
  readonly #lesson: Lesson
  readonly #print: (text: string) => void

  constructor(lesson: Lesson, print: (text: string) => void) {
    this.#lesson = lesson
    this.#print = print
  }

  /** Prints lines that a shell can source. */
  start(environment: AgentEnvironment): void {
    const lines = Object.entries(variablesOf(environment)).map(([name, value]) =>
      value === undefined ? `unset ${name}` : `export ${name}=${shellQuote(value)}`
    )
    const { name, form } = this.#lesson
    this.#print([`# ${name}: ${form.lesson}`, ...lines, `# Waiting for requests of ${form.agent}`].join("\n"))
  }

  restart(): void {
    throw new Error("an attached agent cannot be ended and started again")
  }

  reboot(): void {
    this.restart()
  }

  stop(): void {}
}
