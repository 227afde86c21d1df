/** What a source of leaks is: a function or a value of the runtime, and which of its uses count. */

export type LeakKind =
  | "real time"
  | "real randomness"
  | "real timer"
  | "network"
  | "child process"
  | "time zone"
  | "locale"
  | "environment"

export interface Source {
  readonly owner: object
  readonly key: string
  /** As a reader would write it: `Math.random`. */
  readonly name: string
  /** Which kind of leak a use with these parameters is; undefined where it is none. */
  readonly kindOf: (use: Use) => LeakKind | undefined
}

export interface Use {
  readonly parameters: ReadonlyArray<unknown>
  /** Whether `new` stands before it. */
  readonly constructs: boolean
}

/** Every use of these members is a leak. */
export const always = (
  kind: LeakKind,
  owner: object,
  ownerName: string,
  keys: ReadonlyArray<string>
): ReadonlyArray<Source> =>
  keys.map((key) => ({ owner, key, name: ownerName === "" ? key : `${ownerName}.${key}`, kindOf: () => kind }))
