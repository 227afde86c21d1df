/**
 * Deterministic randomness: a function of the seed and a stream name. Streams are independent, so that an additional
 * draw from one never changes another.
 */
import { hash } from "node:crypto"
import { Context, Effect, Fiber, Random } from "effect"
import { SecureRandom } from "effect/crypto"

/** The random stream of a fiber; each request has its own. */
export const RandomStream: Context.Reference<string> = Context.Reference("countersign/simulator/RandomStream", {
  defaultValue: () => "world"
})

/** All streams of one world. The state of a stream is the number of bytes drawn. */
export class RandomStreams {
  readonly #seed: number
  readonly #drawn = new Map<string, number>()
  #sinceMark = new Map<string, number>()
  #last: { readonly name: string; readonly block: Uint8Array } = { name: "", block: new Uint8Array() }

  constructor(seed: number) {
    this.#seed = seed
  }

  /** The next `size` bytes of a stream: SHA-256 of seed, name and block number. */
  bytes(stream: string, size: number): Uint8Array {
    const from = this.#drawn.get(stream) ?? 0
    this.skip(stream, size)
    const bytes = new Uint8Array(size)
    for (let filled = 0; filled < size;) {
      const position = from + filled
      const block = this.#block(stream, Math.floor(position / blockSize))
      const piece = block.subarray(position % blockSize, (position % blockSize) + size - filled)
      bytes.set(piece, filled)
      filled += piece.length
    }
    return bytes
  }

  /** Continues a stream after so many bytes. */
  skip(stream: string, size: number): void {
    this.#drawn.set(stream, (this.#drawn.get(stream) ?? 0) + size)
    this.#sinceMark.set(stream, (this.#sinceMark.get(stream) ?? 0) + size)
  }

  /** Begins to count the bytes anew. */
  mark(): void {
    this.#sinceMark = new Map()
  }

  /** The number of bytes drawn from each stream since the last mark. */
  get drawnSinceMark(): ReadonlyMap<string, number> {
    return this.#sinceMark
  }

  /** The number of bytes drawn from each stream. */
  get drawn(): ReadonlyMap<string, number> {
    return this.#drawn
  }

  /** Continues at the positions of other streams with the same seed. */
  copyStateFrom(earlier: RandomStreams): void {
    for (const [name, bytes] of earlier.drawn) this.#drawn.set(name, bytes)
  }

  /** Between 0 and 1, with 53 random bits. */
  fraction(stream: string): number {
    const bytes = this.bytes(stream, 8)
    return Number(new DataView(bytes.buffer).getBigUint64(0) >> 11n) / 2 ** 53
  }

  /** A version 4 UUID. */
  uuid(stream: string): string {
    return Effect.runSync(SecureRandom.make((size) => this.bytes(stream, size)).uuidV4())
  }

  /** Effect's own services on the stream of the calling fiber. */
  readonly random: Random.Random = {
    nextDoubleUnsafe: () => this.fraction(currentStream()),
    nextIntUnsafe: () => Math.floor((this.fraction(currentStream()) * 2 - 1) * Number.MAX_SAFE_INTEGER)
  }

  readonly secureRandom: SecureRandom.SecureRandom["Service"] = SecureRandom.make((size) =>
    this.bytes(currentStream(), size)
  )

  #block(stream: string, index: number): Uint8Array {
    const name = `${this.#seed}\n${stream}\n${index}`
    // Two consecutive ids share a block.
    if (this.#last.name !== name) this.#last = { name, block: hash("sha256", name, "buffer") }
    return this.#last.block
  }
}

const blockSize = 32

const currentStream = (): string => Fiber.getCurrent()?.getRef(RandomStream) ?? "world"

/** Numbers equal names: the second stream of `scout` is `scout#2`. */
export class StreamNames {
  readonly #seen = new Map<string, number>()

  number(name: string): string {
    const occurrence = (this.#seen.get(name) ?? 0) + 1
    this.#seen.set(name, occurrence)
    return `${name}#${occurrence}`
  }

  copyStateFrom(earlier: StreamNames): void {
    for (const [name, occurrence] of earlier.#seen) this.#seen.set(name, occurrence)
  }
}
