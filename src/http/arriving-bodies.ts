/**
 * The request bodies that are still arriving, in this process. At a bound the body that has been slow for longest is
 * dropped, and never the newest: a client that sends its body at once is served while others hold theirs back.
 */
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

export class ArrivingBodies {
  readonly #bounds: Bounds
  /** The bytes received of each, the oldest first. */
  readonly #received = new Map<ArrivingBody, number>()
  /** Those that have been arriving for longer than the grace, the slowest first. */
  readonly #slow = new Set<ArrivingBody>()
  #bytes = 0

  constructor(bounds: Bounds) {
    this.#bounds = bounds
  }

  /** Bodies that are arriving now. */
  get count(): number {
    return this.#received.size
  }

  get bytes(): number {
    return this.#bytes
  }

  /** True at the bound of slow bodies or of bytes. */
  get isFull(): boolean {
    return this.#slow.size >= this.#bounds.slow || this.#bytes >= this.#bounds.bytes
  }

  add(body: ArrivingBody): void {
    this.#received.set(body, 0)
  }

  receive(body: ArrivingBody, bytes: number): void {
    const received = this.#received.get(body)
    if (received === undefined) return
    this.#received.set(body, received + bytes)
    this.#bytes += bytes
    while (this.#bytes > this.#bounds.bytes) {
      const [oldest] = this.#received.keys()
      this.#drop(slowest(this.#slow) ?? oldest!, tooManyBytes(this.#bounds.bytes))
    }
  }

  /** Counts a body as a slow one from now on. */
  markSlow(body: ArrivingBody): void {
    if (!this.#received.has(body)) return
    this.#slow.add(body)
    const alike = [...this.#slow].filter(({ network }) => network === body.network)
    if (alike.length > this.#bounds.slowPerAddress) {
      this.#drop(slowest(alike)!, tooManyOfAddress(this.#bounds.slowPerAddress))
    }
    if (this.#slow.size > this.#bounds.slow) this.#drop(slowest(this.#slow)!, tooMany(this.#bounds.slow))
  }

  /** Forgets a body that has arrived, or whose client is gone. */
  remove(body: ArrivingBody): void {
    this.#bytes -= this.#received.get(body) ?? 0
    this.#received.delete(body)
    this.#slow.delete(body)
  }

  #drop(body: ArrivingBody, refused: Refused): void {
    this.remove(body)
    body.drop(refused)
  }
}

const slowest = (bodies: Iterable<ArrivingBody>): ArrivingBody | undefined => {
  const [first, ...others] = bodies
  return [first, ...others].find((body) => body?.isAnonymous) ?? first
}

const tooManyOfAddress = (most: number) =>
  dropped(`Limit reached: ${most} slow request bodies from one address, of which this was the slowest.`)

const tooMany = (most: number) =>
  dropped(`Limit reached: ${most} slow request bodies in this process, of which this was the slowest.`)

const tooManyBytes = (most: number) =>
  dropped(`Limit reached: ${most} bytes of request bodies that are still arriving.`)

const dropped = (detail: string) => refusal("TEMPORARILY_UNAVAILABLE", { detail })
