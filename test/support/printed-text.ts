/** A console that keeps the printed text. */
import type { Console } from "effect"

export class PrintedText {
  stdout = ""
  stderr = ""
  /** Of both streams. */
  output = ""

  readonly console: Console.Console = Object.assign(Object.create(console), {
    log: (...texts: ReadonlyArray<unknown>) => {
      this.stdout += `${texts.join(" ")}\n`
      this.output += `${texts.join(" ")}\n`
    },
    error: (...texts: ReadonlyArray<unknown>) => {
      this.stderr += `${texts.join(" ")}\n`
      this.output += `${texts.join(" ")}\n`
    }
  })
}
