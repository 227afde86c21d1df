/**
 * What has to hold in every order in which things can happen. An invariant is a fold over what is observed, and reads
 * the trace and the stored rows alone: never the operation that it judges. What it remembers is plain JSON, small, and
 * part of what tells two worlds apart: a run is judged by everything that led to it.
 */
import type { Signer } from "../../src/ports/signer.ts"
import type { KeyValue } from "../../src/ports/storage.ts"
import type { AnyTable, RowOf } from "../../src/ports/table.ts"
import type { Directory } from "../directory.ts"
import { allRows, type Content, rowAt, rowsIn } from "../memory-storage/content.ts"
import type { Observed } from "../observation.ts"
import type { Json } from "../script/json.ts"

/**
 * `always` holds after everything that is observed. `sometimes` has to come about in at least one order. `eventually`
 * holds at the end of a script, when nothing goes wrong any more.
 */
export type Kind = "always" | "sometimes" | "eventually"

export interface Invariant<S extends Json = Json> {
  /** As reports and scripts call it. */
  readonly name: string
  readonly kind: Kind
  /** What it promises, one sentence. */
  readonly says: string
  /** What it remembers before anything was observed. */
  readonly begins: S
  /** What it remembers from here on; `broken` or `reached` where that is decided now. */
  readonly sees: (remembered: S, moment: Moment) => S | Broken | Reached
  /** Once the script has ended. */
  readonly ends?: (remembered: S, moment: Moment) => Broken | Reached | undefined
}

/** Something observed, with the rows right after it. */
export interface Moment {
  readonly observed: Observed
  /** The request that was answered or that committed, where there is one. */
  readonly request: RequestSeen | undefined
  /** The rows before what was observed last; equal to those after it but for a commit. */
  readonly before: Rows
  readonly rows: Rows
  /** Who is meant by names. */
  readonly directory: Directory
  /** How long time has passed so far while somebody was slow, in milliseconds: no wait of theirs counts that. */
  readonly idled: number
  /** The issuer's keys, as everybody knows them. */
  readonly keys: Signer["Service"]["keys"]
}

export type RequestSeen = Extract<Observed, { readonly kind: "request" }>

/** Who waits for the answer, and in which step: one request each at a time. A step that goes on alone has no number. */
export const askedBy = ({ actor, step }: Pick<RequestSeen, "actor" | "step">): string => `${actor} ${step ?? ""}`

export class Broken {
  readonly words: string

  /** One sentence: what was seen that must not be. */
  constructor(words: string) {
    this.words = words
  }
}

/** A reachability property holds from here on; one that continues to count has its memory in `remembered`. */
export class Reached {
  readonly remembered: Json | undefined

  constructor(remembered?: Json) {
    this.remembered = remembered
  }
}

export const broken = (words: string): Broken => new Broken(words)
export const reached = new Reached()

/** The rows of all tables at one moment. */
export class Rows {
  readonly content: Content

  constructor(content: Content) {
    this.content = content
  }

  /** In the order of the key. */
  of<T extends AnyTable>(table: T): ReadonlyArray<RowOf<T>> {
    return allRows(this.content, table) as ReadonlyArray<RowOf<T>>
  }
}

export const rowIn = <T extends AnyTable>(
  { content }: Rows,
  table: T,
  key: ReadonlyArray<KeyValue>
): RowOf<T> | undefined => rowAt(content, table, "key", key) as RowOf<T> | undefined

/** The rows whose key, or whose place in an index, begins like this; in that order. */
export const rowsUnder = <T extends AnyTable>(
  { content }: Rows,
  table: T,
  prefix: ReadonlyArray<KeyValue>,
  index: (keyof T["ordered"] & string) | "key" = "key"
): ReadonlyArray<RowOf<T>> =>
  rowsIn(content, table, index, { prefix, limit: Number.MAX_SAFE_INTEGER }) as ReadonlyArray<RowOf<T>>

/** Keeps what an invariant remembers typed where it is written, and plain where it is run. */
export const invariant = <S extends Json>(given: Invariant<S>): Invariant => given as unknown as Invariant
