/** The test vectors of this folder, each with the verdict of docs/records.md. */
import { readFileSync } from "node:fs"
import { join } from "node:path"

export interface Vector {
  readonly number: number
  readonly key: string
  readonly sig: string
  readonly msg: string
  readonly flags: ReadonlyArray<string> | null
}

export const vectorsFile = join(import.meta.dirname, "ed25519vectors.json")

export const vectors = JSON.parse(readFileSync(vectorsFile, "utf8")) as ReadonlyArray<Vector>

const has = ({ flags }: Vector, ...some: ReadonlyArray<string>): boolean =>
  some.some((flag) => flags?.includes(flag) ?? false)

const isRejectedByPoints = (vector: Vector): boolean =>
  has(vector, "low_order_A", "low_order_R", "non_canonical_A", "non_canonical_R")

/** By the equation without the cofactor. */
export const isValid = (vector: Vector): boolean => !isRejectedByPoints(vector) && !has(vector, "low_order_residue")

/** True where the two equations disagree: valid with the cofactor, invalid without. */
export const distinguishesEquations = (vector: Vector): boolean =>
  !isRejectedByPoints(vector) && has(vector, "low_order_residue")
