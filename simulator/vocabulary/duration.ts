/** Durations as a script writes them: `15s`, `90m`, `1d 6h`. */

const unitsInMilliseconds: { readonly [unit: string]: number } = {
  ms: 1,
  s: 1000,
  m: 60_000,
  h: 3_600_000,
  d: 86_400_000
}

const form = /^\d+(ms|s|m|h|d)( ?\d+(ms|s|m|h|d))*$/

export const isDuration = (text: string): boolean => form.test(text) && durationInMilliseconds(text) > 0

export const durationInMilliseconds = (text: string): number => {
  let total = 0
  for (const [, count, unit] of text.matchAll(/(\d+)(ms|s|m|h|d)/g)) {
    total += Number(count) * (unitsInMilliseconds[unit ?? ""] ?? 0)
  }
  return total
}

/** The largest units first; empty for zero. */
export const durationText = (milliseconds: number): string => {
  const parts: Array<string> = []
  let rest = milliseconds
  for (const [unit, size] of Object.entries(unitsInMilliseconds).toReversed()) {
    const whole = Math.floor(rest / size)
    if (whole > 0) parts.push(`${whole}${unit}`)
    rest -= whole * size
  }
  return parts.join(" ")
}

const signedForm = /^[+-]?\d+(ms|s|m|h|d)( ?\d+(ms|s|m|h|d))*$/

/** A clock offset: `+400ms` is ahead, `-10m` behind. */
export const isOffset = (text: string): boolean => signedForm.test(text)

export const offsetInMilliseconds = (text: string): number =>
  durationInMilliseconds(text) * (text.startsWith("-") ? -1 : 1)
