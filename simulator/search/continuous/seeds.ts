/** Random numbers of one iteration: a function of the search seed and a purpose. */
import { hash } from "node:crypto"
import { SeededChoice } from "../../generation/seeded-choice.ts"

export const deriveSeed = (seed: number, what: string): number =>
  hash("sha256", `${seed} ${what}`, "buffer").readUInt32BE(0) >>> 1

export const deriveRandom = (seed: number, what: string): SeededChoice => new SeededChoice(deriveSeed(seed, what))
