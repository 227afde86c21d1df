/**
 * Which worlds were come to, in so little room that it can be written down every second: one bit for each. Two worlds
 * may share one, so that the number of new worlds is a lower bound.
 */
import { hash } from "node:crypto"
import type { Outcome } from "../attempt.ts"

export class SeenWorlds {
  readonly #bits: Uint8Array

  constructor(written: string) {
    this.#bits = written === "" ? new Uint8Array(size) : new Uint8Array(Buffer.from(written, "base64"))
  }

  has(world: number): boolean {
    return ((this.#bits[world >> 3] ?? 0) & (1 << (world & 7))) !== 0
  }

  add(world: number): void {
    this.#bits[world >> 3] = (this.#bits[world >> 3] ?? 0) | (1 << (world & 7))
  }

  get written(): string {
    return Buffer.from(this.#bits).toString("base64")
  }
}

/** Of so many bytes; eight times as many worlds can be told apart. */
const size = 2 ** 18

/** What came of a script in one run, as a number. */
export const worldOf = (script: string, outcome: Outcome): number => {
  const digest = hash("sha256", JSON.stringify([script, outcome]), "buffer")
  return digest.readUInt32BE(0) % (size * 8)
}
