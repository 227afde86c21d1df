/** `admin check`: one page of one kind at a time, each on a snapshot of its own, so that a pass can stop and resume. */
import { Effect } from "effect"
import { inView } from "../ports/storage/run.ts"
import { Signer } from "../ports/signer.ts"
import { now } from "../vocabulary/instant.ts"
import { limits } from "../vocabulary/limits.ts"
import { refuse } from "../vocabulary/refusals.ts"
import { traced } from "../vocabulary/traced.ts"
import { grants, projects, proposals } from "./chained-subjects.ts"
import { attempts, orders } from "./payment-subjects.ts"
import { credits, subscriptions } from "./queued-subjects.ts"
import type { Problem, Subject } from "./subject.ts"

/** In the order of a pass. */
const subjects: ReadonlyArray<Subject> = [projects, proposals, grants, credits, subscriptions, orders, attempts]

/** Where a pass continues: after this id of this kind. */
export interface PassPosition {
  readonly kind: string
  readonly after: string | undefined
}

export const startOfPass: PassPosition = { kind: subjects[0]!.name, after: undefined }

export interface Finding {
  readonly check: string
  readonly kind: string
  readonly id: string
  readonly problem: string
  readonly look: string
}

export interface CheckedPage {
  readonly findings: ReadonlyArray<Finding>
  readonly checked: number
  /** Undefined at the end of the pass. */
  readonly next: PassPosition | undefined
}

/** The position as `--resume` takes it: ids hold no slash. */
export const cursorOf = ({ kind, after }: PassPosition): string => (after === undefined ? kind : `${kind}/${after}`)

export const positionFrom = (cursor: string) => {
  const [kind = "", after, ...more] = cursor.split("/")
  return more.length === 0 && after !== "" && subjects.some(({ name }) => name === kind)
    ? Effect.succeed<PassPosition>({ kind, after })
    : refuse("INVALID_REQUEST", { detail: "--resume is not a cursor; use the one that an earlier check printed." })
}

/** Checks the rows after the position. All rows that are compared with each other are read on one snapshot. */
export const checkPage = traced("integrity.checkPage")(function* ({ kind, after }: PassPosition) {
  const index = subjects.findIndex(({ name }) => name === kind)
  const subject = subjects[index]!
  const context = { keys: (yield* Signer).keys, at: yield* now }
  const { rows, checks } = yield* inView(function* (reader) {
    const range = { prefix: [], limit: limits.checkedOnPage, ...(after === undefined ? {} : { after: [after] }) }
    const rows: ReadonlyArray<Readonly<Record<string, unknown>>> = yield* reader.range(subject.table, "key", range)
    return { rows, checks: yield* Effect.forEach(rows, (row) => subject.load(reader, row, context)) }
  })
  const idColumn = subject.table.key[0]!
  const ids = rows.map((row) => String(row[idColumn]))
  const findings = checks.flatMap((check, position) => findingsOf(subject, ids[position]!, check))
  const following = subjects[index + 1]
  const next =
    rows.length === limits.checkedOnPage
      ? { kind, after: ids.at(-1) }
      : following && { kind: following.name, after: undefined }
  return { findings, checked: rows.length, next } satisfies CheckedPage
})

const findingsOf = ({ name, look }: Subject, id: string, check: () => ReadonlyArray<Problem>): ReadonlyArray<Finding> =>
  judged(id, check).flatMap(({ check, problem }) => (problem ? [{ check, kind: name, id, problem, look }] : []))

/** A row whose content cannot be parsed is a finding, too; the parser's own words could quote it. */
const judged = (id: string, check: () => ReadonlyArray<Problem>): ReadonlyArray<Problem> => {
  try {
    return check()
  } catch {
    return [{ check: "content", problem: `a row of ${id} holds no canonical JSON, or a signature that cannot be read` }]
  }
}
