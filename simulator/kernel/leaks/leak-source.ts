/** A leak source: a function or value of the runtime, with the uses that are leaks. */

export type LeakKind =
  | "real time"
  | "real randomness"
  | "real timer"
  | "network"
  | "child process"
  | "time zone"
  | "locale"
  | "environment"

export interface LeakSource {
  readonly owner: object
  readonly key: string
  /** The name in source form: `Math.random`. */
  readonly name: string
  /** The kind of leak of a use with these parameters; undefined if it is none. */
  readonly kindOf: (use: SourceUse) => LeakKind | undefined
}

export interface SourceUse {
  readonly parameters: ReadonlyArray<unknown>
  /** True for a call with `new`. */
  readonly constructs: boolean
}

/** Every use of these members is a leak. */
export const alwaysLeaks = (
  kind: LeakKind,
  owner: object,
  ownerName: string,
  keys: ReadonlyArray<string>
): ReadonlyArray<LeakSource> =>
  keys.map((key) => ({ owner, key, name: ownerName === "" ? key : `${ownerName}.${key}`, kindOf: () => kind }))
