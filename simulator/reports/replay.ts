/** The shell command that repeats a run exactly. */

export interface HowItRan {
  readonly storage: "memory" | "postgres"
  /** Undefined if the scenario's own seed was used. */
  readonly seed?: number | undefined
  readonly check: boolean
}

export const replayCommand = (file: string, { storage, seed, check }: HowItRan): string =>
  [
    "npm run -s simulate -- run",
    quoted(file.startsWith("-") ? `./${file}` : file),
    ...(storage === "memory" ? [] : [`--storage ${storage}`]),
    ...(seed === undefined ? [] : [`--seed ${seed}`]),
    ...(check ? ["--check"] : [])
  ].join(" ")

export const quoted = (text: string): string =>
  /^[A-Za-z0-9_./-]+$/.test(text) ? text : `'${text.replaceAll("'", String.raw`'\''`)}'`
