/** The shell command that repeats a run exactly. */

export interface RunOptions {
  readonly storage: "memory" | "postgres"
  /** Undefined if the scenario's own seed was used. */
  readonly seed?: number | undefined
  readonly check: boolean
}

export const replayCommand = (file: string, { storage, seed, check }: RunOptions): string =>
  [
    "npm run -s simulate -- run",
    shellQuote(file.startsWith("-") ? `./${file}` : file),
    ...(storage === "memory" ? [] : [`--storage ${storage}`]),
    ...(seed === undefined ? [] : [`--seed ${seed}`]),
    ...(check ? ["--check"] : [])
  ].join(" ")

export const shellQuote = (text: string): string =>
  /^[A-Za-z0-9_./-]+$/.test(text) ? text : `'${text.replaceAll("'", String.raw`'\''`)}'`
