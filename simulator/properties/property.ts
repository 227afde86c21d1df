/**
 * A property that every schedule must satisfy. It is a fold over observations and reads only the trace and the stored
 * rows, never the operation under test. Its state is small, plain JSON and part of the state hash, since the verdict
 * on a run depends on its whole history.
 */
import type { Signer } from "../../src/ports/signer.ts"
import type { IndexOf, KeyValue } from "../../src/ports/storage.ts"
import type { AnyTable, RowOf } from "../../src/ports/table.ts"
import type { NameRegistry } from "../clients/name-registry.ts"
import { allRows, type Content, rowAt, rowsIn } from "../storage/memory-storage/content.ts"
import type { TimedObservation } from "../observation/observation.ts"
import type { Json } from "../vocabulary/json.ts"

/**
 * `always` is a safety property and holds after each observation. `sometimes` is a reachability property: at least one
 * schedule must reach it. `eventually` is a liveness property and holds at the end of a scenario, after the last fault.
 */
export type Kind = "always" | "sometimes" | "eventually"

export interface MonitoredProperty<S extends Json = Json> {
  /** The name in reports and scenarios. */
  readonly name: string
  readonly kind: Kind
  /** Its specification, one sentence. */
  readonly says: string
  /** What it judges; everything if absent. Its state does not change at other observations. */
  readonly judges?: Judged
  /** The initial state. */
  readonly initial: S
  /** The next state, a violation, or a witness. */
  readonly next: (remembered: S, moment: Moment) => S | PropertyViolation | Witness
  /** Called at the end of the scenario. */
  readonly atEnd?: (remembered: S, moment: Moment) => PropertyViolation | Witness | undefined
}

/** The observations that a property judges. */
export interface Judged {
  readonly kinds: ReadonlyArray<TimedObservation["kind"]>
  /** Without `commit` among the kinds: the commits that write a row of one of these tables. */
  readonly commitsTo?: ReadonlyArray<AnyTable>
}

/** An observation with the rows after it. */
export interface Moment {
  readonly observed: TimedObservation
  /** The request that this observation belongs to, if any. */
  readonly request: RequestObservation | undefined
  /** The rows before the observation; they differ from `rows` only for a commit. */
  readonly before: Rows
  readonly rows: Rows
  /** Ids by name. */
  readonly directory: NameRegistry
  /** Virtual time that passed during injected delays so far, in milliseconds: excluded from measured waits. */
  readonly delayed: number
  /** The issuer's published keys. */
  readonly keys: Signer["Service"]["keys"]
}

export type RequestObservation = Extract<TimedObservation, { readonly kind: "request" }>

/** Key of a pending request: actor and step, one request each at a time. A detached step has no number. */
export const pendingRequestKey = ({ actor, step }: Pick<RequestObservation, "actor" | "step">): string =>
  `${actor} ${step ?? ""}`

export class PropertyViolation {
  readonly words: string

  /** `words`: the violation, one sentence. */
  constructor(words: string) {
    this.words = words
  }
}

/** The reachability property holds; a property that continues returns its next state in `remembered`. */
export class Witness {
  readonly remembered: Json | undefined

  constructor(remembered?: Json) {
    this.remembered = remembered
  }
}

export const violation = (words: string): PropertyViolation => new PropertyViolation(words)
export const witness = new Witness()

/** The rows of all tables after one observation. */
export class Rows {
  readonly content: Content

  constructor(content: Content) {
    this.content = content
  }

  /** In key order. */
  of<T extends AnyTable>(table: T): ReadonlyArray<RowOf<T>> {
    return allRows(this.content, table) as ReadonlyArray<RowOf<T>>
  }
}

export const rowIn = <T extends AnyTable>(
  { content }: Rows,
  table: T,
  key: ReadonlyArray<KeyValue>
): RowOf<T> | undefined => rowAt(content, table, "key", key) as RowOf<T> | undefined

/** The rows with this prefix of the key or of an index, in that order. */
export const rowsWithPrefix = <T extends AnyTable>(
  { content }: Rows,
  table: T,
  prefix: ReadonlyArray<KeyValue>,
  index: IndexOf<T> = "key"
): ReadonlyArray<RowOf<T>> =>
  rowsIn(content, table, index, { prefix, limit: Number.MAX_SAFE_INTEGER }) as ReadonlyArray<RowOf<T>>

/** Types the state of a property at its definition and erases the type for the monitors. */
export const monitoredProperty = <S extends Json>(given: MonitoredProperty<S>): MonitoredProperty =>
  given as unknown as MonitoredProperty
