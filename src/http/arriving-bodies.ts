/**
 * The request bodies still arriving in this process. At a limit the slowest body is dropped, never the newest: a client
 * that sends its body at once is served while others delay theirs.
 */
import { limits } from "../vocabulary/limits.ts"
import { refusal, type Refusal } from "../vocabulary/refusals.ts"

export interface Bounds {
  readonly slow: number
  readonly slowPerAddress: number
  /** Bytes received of all bodies together. */
  readonly bytes: number
}

export interface ArrivingBody {
  /** The network of the client's address: `networkOf`. */
  readonly network: string
  /** True where the body is read before any credential; such bodies are dropped first. */
  readonly isAnonymous: boolean
  /** Called at most once, when this body is dropped. */
  readonly drop: (refused: Refusal) => void
}

/** Why a body was dropped: it was late, or it exceeded a limit of its address, of this process, or of bytes. */
export type DropReason = "LATE" | "ADDRESS" | "PROCESS" | "BYTES"

interface Progress {
  readonly startedAt: number
  bytes: number
}

export class ArrivingBodies {
  readonly #bounds: Bounds
  readonly #onDrop: (reason: DropReason) => void
  /** Oldest first. */
  readonly #arriving = new Map<ArrivingBody, Progress>()
  /** Bodies that have been arriving for longer than the grace period, slowest first. */
  readonly #slow = new Set<ArrivingBody>()
  #bytes = 0

  constructor(bounds: Bounds, onDrop: (reason: DropReason) => void = () => {}) {
    this.#bounds = bounds
    this.#onDrop = onDrop
  }

  /** Bodies arriving now. */
  get count(): number {
    return this.#arriving.size
  }

  get slowCount(): number {
    return this.#slow.size
  }

  get bytes(): number {
    return this.#bytes
  }

  /** Instants are in milliseconds on a monotonic clock. */
  add(body: ArrivingBody, startedAt: number): void {
    this.#arriving.set(body, { startedAt, bytes: 0 })
  }

  receive(body: ArrivingBody, bytes: number): void {
    const progress = this.#arriving.get(body)
    if (progress === undefined) return
    progress.bytes += bytes
    this.#bytes += bytes
    while (this.#bytes > this.#bounds.bytes) {
      const [oldest] = this.#arriving.keys()
      this.#drop(slowest(this.#slow) ?? oldest!, "BYTES", tooManyBytes(this.#bounds.bytes))
    }
  }

  /** Marks bodies slow after the grace period, and drops late ones. */
  sweep(instant: number): void {
    for (const [body, { startedAt }] of this.#arriving) {
      const age = instant - startedAt
      // All others are younger.
      if (age < limits.bodyGrace) return
      const most = body.isAnonymous ? limits.anonymousBodyArrival : limits.bodyArrival
      if (age >= most) this.#drop(body, "LATE", late(most))
      else if (!this.#slow.has(body)) this.#markSlow(body)
    }
  }

  /** Removes a body that has arrived, or whose client has disconnected. */
  remove(body: ArrivingBody): void {
    this.#bytes -= this.#arriving.get(body)?.bytes ?? 0
    this.#arriving.delete(body)
    this.#slow.delete(body)
  }

  #markSlow(body: ArrivingBody): void {
    this.#slow.add(body)
    const sameNetwork = [...this.#slow].filter(({ network }) => network === body.network)
    if (sameNetwork.length > this.#bounds.slowPerAddress) {
      this.#drop(slowest(sameNetwork)!, "ADDRESS", tooManyOfAddress(this.#bounds.slowPerAddress))
    }
    if (this.#slow.size > this.#bounds.slow) {
      this.#drop(slowest(this.#slow)!, "PROCESS", tooMany(this.#bounds.slow))
    }
  }

  #drop(body: ArrivingBody, reason: DropReason, refused: Refusal): void {
    this.remove(body)
    this.#onDrop(reason)
    body.drop(refused)
  }
}

const slowest = (bodies: Iterable<ArrivingBody>): ArrivingBody | undefined => {
  const [first, ...others] = bodies
  return [first, ...others].find((body) => body?.isAnonymous) ?? first
}

const late = (most: number) =>
  refusalOf(`The request body took longer than ${most / 1000} seconds to arrive; send it at once.`)

const tooManyOfAddress = (most: number) =>
  refusalOf(`Limit reached: ${most} slow request bodies from one address; send the whole body at once.`)

const tooMany = (most: number) =>
  refusalOf(`Limit reached: ${most} slow request bodies in this process; send the whole body at once.`)

const tooManyBytes = (most: number) =>
  refusalOf(`Limit reached: ${most} bytes of request bodies still arriving in this process; retry the saved request.`)

const refusalOf = (detail: string) => refusal("TEMPORARILY_UNAVAILABLE", { detail })
