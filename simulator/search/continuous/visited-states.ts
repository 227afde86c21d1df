/**
 * The visited states by bitstate hashing (as in SPIN): one bit for each, small enough to be written every second. Two
 * states can share a bit, so that the number of new states is a lower bound.
 */
import { hash } from "node:crypto"
import type { Outcome } from "../search-run.ts"

export class VisitedStates {
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

/** In bytes: eight bits each. */
const size = 2 ** 18

/** The bit of a final state of a script. */
export const stateBit = (script: string, outcome: Outcome): number => {
  const digest = hash("sha256", JSON.stringify([script, outcome]), "buffer")
  return digest.readUInt32BE(0) % (size * 8)
}
