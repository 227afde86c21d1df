/**
 * The request bodies that are still arriving, in this process. At a bound the body that has been slow for longest is
 * dropped, and never the newest: a client that sends its body at once is served while others hold theirs back.
 */
import { limits } from "../vocabulary/limits.ts"
import { refusal, type Refused } from "../vocabulary/refusals.ts"

export interface Bounds {
  readonly slow: number
  readonly slowPerAddress: number
  /** Bytes received of all bodies together. */
  readonly bytes: number
}

export interface ArrivingBody {
  /** The client's address as it is counted: `networkOf`. */
  readonly network: string
  /** True where no credential was checked before the body; such bodies are dropped first. */
  readonly isAnonymous: boolean
  /** Called at most once, when this body is dropped. */
  readonly drop: (refused: Refused) => void
}

/** Why a body was dropped: it was late, or it exceeded a bound of its address, of this process, or of bytes. */
export type DropReason = "LATE" | "ADDRESS" | "PROCESS" | "BYTES"

interface Progress {
  readonly startedAt: number
  bytes: number
}

export class ArrivingBodies {
  readonly #bounds: Bounds
  readonly #dropped: (reason: DropReason) => void
  /** The oldest first. */
  readonly #arriving = new Map<ArrivingBody, Progress>()
  /** Those that have been arriving for longer than the grace, the slowest first. */
  readonly #slow = new Set<ArrivingBody>()
  #bytes = 0

  constructor(bounds: Bounds, dropped: (reason: DropReason) => void = () => {}) {
    this.#bounds = bounds
    this.#dropped = dropped
  }

  /** Bodies that are arriving now. */
  get count(): number {
    return this.#arriving.size
  }

  get slowCount(): number {
    return this.#slow.size
  }

  get bytes(): number {
    return this.#bytes
  }

  /** Instants are in milliseconds on a clock that never goes back. */
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

  /** Counts as slow what has been arriving for longer than the grace, and drops what is late. */
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

  /** Forgets a body that has arrived, or whose client is gone. */
  remove(body: ArrivingBody): void {
    this.#bytes -= this.#arriving.get(body)?.bytes ?? 0
    this.#arriving.delete(body)
    this.#slow.delete(body)
  }

  #markSlow(body: ArrivingBody): void {
    this.#slow.add(body)
    const alike = [...this.#slow].filter(({ network }) => network === body.network)
    if (alike.length > this.#bounds.slowPerAddress) {
      this.#drop(slowest(alike)!, "ADDRESS", tooManyOfAddress(this.#bounds.slowPerAddress))
    }
    if (this.#slow.size > this.#bounds.slow) {
      this.#drop(slowest(this.#slow)!, "PROCESS", tooMany(this.#bounds.slow))
    }
  }

  #drop(body: ArrivingBody, reason: DropReason, refused: Refused): void {
    this.remove(body)
    this.#dropped(reason)
    body.drop(refused)
  }
}

const slowest = (bodies: Iterable<ArrivingBody>): ArrivingBody | undefined => {
  const [first, ...others] = bodies
  return [first, ...others].find((body) => body?.isAnonymous) ?? first
}

const late = (most: number) =>
  dropped(`The request body took longer than ${most / 1000} seconds to arrive; send it at once.`)

const tooManyOfAddress = (most: number) =>
  dropped(`Limit reached: ${most} slow request bodies from one address, of which this was the slowest.`)

const tooMany = (most: number) =>
  dropped(`Limit reached: ${most} slow request bodies in this process, of which this was the slowest.`)

const tooManyBytes = (most: number) =>
  dropped(`Limit reached: ${most} bytes of request bodies that are still arriving.`)

const dropped = (detail: string) => refusal("TEMPORARILY_UNAVAILABLE", { detail })
