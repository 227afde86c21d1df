/** Edits of bytes, independent of their meaning. */
import type { Choices } from "./choices.ts"

export type ByteEdit = (bytes: Uint8Array, choices: Choices, others: ReadonlyArray<Uint8Array>) => Uint8Array

const cut = (
  bytes: Uint8Array,
  choices: Choices
): readonly [before: Uint8Array, slice: Uint8Array, after: Uint8Array] => {
  const from = choices.below(bytes.length + 1)
  const to = Math.min(bytes.length, from + choices.below(choices.oneOf([4, 64, bytes.length])))
  return [bytes.subarray(0, from), bytes.subarray(from, to), bytes.subarray(to)]
}

export const byteEdits: Readonly<Record<string, ByteEdit>> = {
  flip: (bytes, choices) => {
    const copy = Uint8Array.from(bytes)
    copy[choices.below(copy.length)]! ^= 1 << choices.below(8)
    return copy
  },
  insert: (bytes, choices) => {
    const [before, , after] = cut(bytes, choices)
    const inserted = Array.from({ length: 1 + choices.below(4) }, () =>
      choices.oneOf([0, 9, 10, 32, 34, 44, 46, 92, 123, 125, 0xc0, 0xed, 0xff, choices.below(256)])
    )
    return Buffer.concat([before, Buffer.from(inserted), after])
  },
  delete: (bytes, choices) => {
    const [before, , after] = cut(bytes, choices)
    return Buffer.concat([before, after])
  },
  duplicate: (bytes, choices) => {
    const [before, slice, after] = cut(bytes, choices)
    return Buffer.concat([before, slice, slice, after])
  },
  truncate: (bytes, choices) => bytes.subarray(0, choices.below(bytes.length)),
  splice: (bytes, choices, others) => {
    const [before] = cut(bytes, choices)
    const [, , after] = cut(choices.oneOf(others), choices)
    return Buffer.concat([before, after])
  }
}
