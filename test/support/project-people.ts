/** Callers in decision tests: people of both sides, and their agents. */
import type { Acting } from "../../src/projects/obstacles.ts"

/** A lower-case UUID v4 that ends in `n`. */
export const uuidOf = (n: number): string => `00000000-0000-4000-8000-${n.toString(16).padStart(12, "0")}`
export const digestOfLetter = (letter: string): string => letter.repeat(64)

const person = (n: number, side: Acting["side"]): Acting => ({ personId: `person_${uuidOf(n)}`, side, isPerson: true })

/** The buyer who created the agreement and signs it if required. */
export const dana = person(1, "BUYER")
/** The named representative of the supplier. */
export const sam = person(2, "SUPPLIER")
/** Another member of the supplier's organization. */
export const member = person(3, "SUPPLIER")
/** Another member of the buyer's organization. */
export const lee = person(4, "BUYER")

/** An agent of that person. */
export const agent = (by: Acting): Acting => ({ ...by, isPerson: false })
