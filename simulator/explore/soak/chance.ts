/** Random numbers of one iteration: a function of the search seed and a purpose. */
import { hash } from "node:crypto"
import { Dice } from "../../generate/dice.ts"

export const seedFor = (seed: number, what: string): number =>
  hash("sha256", `${seed} ${what}`, "buffer").readUInt32BE(0) >>> 1

export const diceFor = (seed: number, what: string): Dice => new Dice(seedFor(seed, what))
