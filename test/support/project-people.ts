/** Callers in decision tests: people of both sides, and their agents. */
import type { PartyActor } from "../../src/projects/guard-context.ts"

/** A lower-case UUID v4 that ends in `n`. */
export const uuidOf = (n: number): string => `00000000-0000-4000-8000-${n.toString(16).padStart(12, "0")}`
export const digestOfCharacter = (letter: string): string => letter.repeat(64)

const person = (n: number, side: PartyActor["side"]): PartyActor => ({
  personId: `person_${uuidOf(n)}`,
  side,
  isPerson: true
})

/** The buyer who created the agreement and signs it if required. */
export const dana = person(1, "BUYER")
/** The named representative of the supplier. */
export const sam = person(2, "SUPPLIER")
/** Another member of the supplier's organization. */
export const member = person(3, "SUPPLIER")
/** Another member of the buyer's organization. */
export const lee = person(4, "BUYER")

/** An agent of that person. */
export const agent = (by: PartyActor): PartyActor => ({ ...by, isPerson: false })
