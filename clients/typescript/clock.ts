/** Time as the client sees it, so that an agent can also run in a simulated world. */
import { setTimeout as sleep } from "node:timers/promises"

export interface Clock {
  /** Milliseconds since 1970. */
  now(): Promise<number>
  wait(seconds: number): Promise<void>
  /** Ends after so long, or earlier once `notify` was called since the last of these waits. */
  waitForNews(seconds: number): Promise<void>
  /** A webhook arrived: a wait for news ends. */
  notify(): void
}

/** The clock of this machine. */
export class SystemClock implements Clock {
  #hasNews = false
  #wake: AbortController | undefined

  async now(): Promise<number> {
    return Date.now()
  }

  async wait(seconds: number): Promise<void> {
    await sleep(seconds * 1000)
  }

  async waitForNews(seconds: number): Promise<void> {
    const wake = (this.#wake = new AbortController())
    if (!this.#hasNews) await sleep(seconds * 1000, undefined, { signal: wake.signal }).catch(() => undefined)
    this.#hasNews = false
    this.#wake = undefined
  }

  notify(): void {
    this.#hasNews = true
    this.#wake?.abort()
  }
}
