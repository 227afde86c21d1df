/** Flips single bits of a file, and counts the verdicts by the part of the file that each bit belongs to. */
import { type Node, parseTree } from "jsonc-parser"
import type { Report } from "../../src/verifier/report.ts"
import { provenStatements } from "./proven-statements.ts"

/**
 * For every byte of a JSON text, the innermost value that it belongs to, such as `keys.0.validFrom`, or `white space` between
 * values. Names and punctuation belong to their object; those of the outermost object have the name "".
 */
export const partsOf = (text: string): ReadonlyArray<string> => {
  if (Buffer.byteLength(text) !== text.length) throw new Error("the text has characters of several bytes")
  const parts = Array.from({ length: text.length }, () => "white space")
  const fill = (node: Node, path: ReadonlyArray<string>): void => {
    parts.fill(path.join("."), node.offset, node.offset + node.length)
    for (const [index, child] of (node.children ?? []).entries()) {
      const [name, value] = child.type === "property" ? child.children! : [{ value: index }, child]
      fill(value!, [...path, String(name!.value)])
    }
  }
  fill(parseTree(text)!, [])
  for (const { 0: token, index } of text.matchAll(/"(?:[^"\\]|\\.)*"|\s+/g)) {
    if (!token.startsWith('"')) parts.fill("white space", index, index + token.length)
  }
  return parts
}

export interface Flip {
  readonly place: number
  readonly bit: number
}

/** One bit of every nth byte, determined by its position. */
export const oneBitPerByte = (length: number, step = 1): ReadonlyArray<Flip> =>
  Array.from({ length: Math.ceil(length / step) }, (_, at) => ({ place: at * step, bit: bitAt(at * step) }))
/** All bits of these bytes. */
export const everyBitOf = (places: ReadonlyArray<number>): ReadonlyArray<Flip> =>
  places.flatMap((place) => Array.from({ length: 8 }, (_, bit) => ({ place, bit })))

const bitAt = (place: number): number => Math.imul(place + 1, 0x9e3779b1) >>> 29

export interface Tally {
  flips: number
  verified: number
}

/** The statements of a report on the record and its history, on a passport, a payment or a closure, without the status. */
export const statementsOf = (report: Report): string => {
  const objects = report.objects.filter(({ kind }) => kind !== "status" && !kind.endsWith("-status"))
  return JSON.stringify([provenStatements(report), objects, report.completeness])
}

/** Flips each bit, one at a time. Returns the counts of each part, and the violations. */
export const flipEach = (
  bytes: Uint8Array,
  flips: ReadonlyArray<Flip>,
  partAt: (place: number) => string,
  verify: (bytes: Uint8Array) => Report,
  wrongIn: (verified: Report, part: string) => string | undefined
) => {
  const tallies: { [part: string]: Tally } = {}
  const wrong: Array<string> = []
  for (const { place, bit } of flips) {
    const part = partAt(place)
    const tally = (tallies[part] ??= { flips: 0, verified: 0 })
    tally.flips++
    const flipped = Uint8Array.from(bytes)
    flipped[place]! ^= 1 << bit
    const report = verify(flipped)
    if (report.verdict !== "VERIFIED_WITH_LIMITATIONS") continue
    tally.verified++
    const violation = wrongIn(report, part)
    if (violation !== undefined) wrong.push(`bit ${bit} of byte ${place}, in ${part}: ${violation}`)
  }
  return { tallies, wrong }
}
