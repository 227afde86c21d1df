/** The command that runs one script exactly as it was run, to be pasted into a shell. */

export interface HowItRan {
  readonly storage: "memory" | "postgres"
  /** Absent where the scenario's own was used. */
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
