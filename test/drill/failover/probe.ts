/** Sends one harmless request to one server four times a second, unless four have no outcome yet. */
import { Effect, type Scope } from "effect"

const interval = 250
const timeout = 30_000
// More would wait for each other: commands on one project take turns.
const inFlightMax = 4

export interface ProbedRequest {
  readonly method: "GET" | "POST"
  readonly path: string
  readonly token: string
  readonly body?: unknown
}

interface Sent {
  readonly at: number
  /** Undefined until there is an outcome: whether it was answered with 200. */
  isAnswered: boolean | undefined
}

export class Probe {
  readonly #sent: Array<Sent> = []
  /** The times of the answers with 200. */
  readonly #answers: Array<number> = []

  send(origin: string, { method, path, token, body }: ProbedRequest): void {
    if (this.#sent.filter(({ isAnswered }) => isAnswered === undefined).length >= inFlightMax) return
    const sent: Sent = { at: performance.now(), isAnswered: undefined }
    this.#sent.push(sent)
    const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" }
    const request = { method, headers, signal: AbortSignal.timeout(timeout) }
    fetch(origin + path, body === undefined ? request : { ...request, body: JSON.stringify(body) })
      .then(async (response) => {
        await response.arrayBuffer()
        sent.isAnswered = response.status === 200
        if (sent.isAnswered) this.#answers.push(performance.now())
      })
      .catch(() => {
        sent.isAnswered = false
      })
  }

  /** The last requests that were sent since then were answered with 200. */
  isAnswered(since: number): boolean {
    const last = this.#sent.filter(({ at, isAnswered }) => at >= since && isAnswered !== undefined).slice(-4)
    return last.length === 4 && last.every(({ isAnswered }) => isAnswered === true)
  }

  /** The longest time without an answer of 200. */
  secondsWithout(since: number): number {
    const before = this.#answers.findLast((at) => at < since) ?? since
    const after = this.#answers.filter((at) => at >= since)
    return Math.max(...after.map((at, index) => at - (after[index - 1] ?? before))) / 1000
  }
}

/** Until the scope ends. */
export const startProbe = (origin: string, request: ProbedRequest): Effect.Effect<Probe, never, Scope.Scope> =>
  Effect.gen(function* () {
    const probe = new Probe()
    const timer = setInterval(() => probe.send(origin, request), interval)
    yield* Effect.addFinalizer(() => Effect.sync(() => clearInterval(timer)))
    return probe
  })
