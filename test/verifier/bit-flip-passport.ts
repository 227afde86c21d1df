/** Flips bits of a passport and of a status file for it, and verifies each result. */
import type { Report } from "../../src/verifier/report.ts"
import { verifyResultFiles } from "../../src/verifier/verify.ts"
import { type Flip, flipEach, partsOf, statementsOf } from "./bit-flips.ts"
import { checkedAt } from "./sample.ts"
import { makePassport } from "./sample-passport.ts"

export const flippedPassport = makePassport()

const trust = flippedPassport.bytes(flippedPassport.trust)
const verify = (artifact: Uint8Array, status?: Uint8Array): Report =>
  verifyResultFiles({ artifact, trust, status, checkedAt })

/** The signed manifest, the summaries, the statements, the white space, and the rest. */
const partOfPassport = (part: string): string => {
  const [first, index] = part.split(".")
  if (part === "white space" || first === "manifest") return first!
  return index === undefined || (first !== "summaries" && first !== "statuses") ? "envelope" : first
}

export const flipPassport = (text: string, flipsOf: (parts: ReadonlyArray<string>) => ReadonlyArray<Flip>) => {
  const bytes = Buffer.from(text)
  const parts = partsOf(text).map(partOfPassport)
  const original = verify(bytes)
  const violation = (verified: Report, part: string): string | undefined => {
    if (part !== "statuses" && part !== "white space") return "it verifies"
    if (statementsOf(verified) !== statementsOf(original)) return "another passport verifies"
    if (verified.artifact.sha256 === original.artifact.sha256) return "the report names the same file"
    return part === "statuses" ? changedStatus(verified) : undefined
  }
  return flipEach(bytes, flipsOf(parts), (place) => parts[place]!, verify, violation)
}

/** Flips in the status file never change the verdict, and none lets a changed statement hold. */
export const flipStatuses = (flipsOf: (length: number) => ReadonlyArray<Flip>) => {
  const bytes = Buffer.from(JSON.stringify(flippedPassport.statuses))
  const passport = flippedPassport.bytes({ ...flippedPassport.file, statuses: [] })
  return flipEach(
    bytes,
    flipsOf(bytes.length),
    () => "statuses",
    (status) => verify(passport, status),
    changedStatus
  )
}

/** A statement that was changed makes the status of its publication unknown, and changes no other. */
const changedStatus = ({ currentStatus, passport }: Report): string | undefined => {
  if (currentStatus.outcome === "PROVEN") return "a changed statement is proven"
  const known = passport!.entries.filter(({ status }) => status !== "UNKNOWN")
  return known.some(({ status }) => status !== "AVAILABLE") ? "a changed statement holds" : undefined
}
