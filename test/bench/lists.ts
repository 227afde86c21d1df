/** The page of projects of an organization with 10,000 projects, against that of one with 10. */
import { PgConnection } from "@effect/sql-pg"
import { Effect } from "effect"
import type { ConnectionOptions } from "../../src/adapters/postgres-storage/connections.ts"
import { readPage } from "../support/page-forms.ts"
import { createAgreementAsPerson } from "../support/person-commands.ts"
import { copyProject } from "../support/project-copies.ts"
import { signInNewPerson } from "../support/sessions.ts"
import type { Extent } from "./extent.ts"
import { readable, type Figure, type Section } from "./figure.ts"
import { millisecondsOf, percentile } from "./measure.ts"

interface Sizes {
  readonly few: number
  readonly many: number
}

const fullSizes: Sizes = { few: 10, many: 10_000 }

/** What a person opens: the list as it is, and narrowed. */
const queries = { "the list": "", "the list of one state": "?state=SUBMITTED", "a search": "?q=logo" }

/** Both organizations in turns, in one process; the first half of the turns warms both up. */
export const measureLists = Effect.fnUntraced(function* (
  database: ConnectionOptions,
  { seconds, rounds }: Extent,
  { few, many } = fullSizes
) {
  const [small, large] = [yield* buyerOf(database, few), yield* buyerOf(database, many)]
  yield* Effect.scoped(Effect.flatMap(PgConnection.make(database), (session) => session.query("analyze")))
  const figures = yield* Effect.forEach(
    Object.entries(queries),
    Effect.fnUntraced(function* ([what, query]) {
      const path = `/workspace/projects${query}`
      const durations: { readonly few: Array<number>; readonly many: Array<number> } = { few: [], many: [] }
      const began = performance.now()
      while (performance.now() - began < seconds * rounds * 1000 || durations.many.length < 2) {
        durations.few.push(yield* millisecondsOf(readPage(small, path)))
        durations.many.push(yield* millisecondsOf(readPage(large, path)))
      }
      const half = durations.few.length >> 1
      const [fewer, more] = [durations.few, durations.many].map((all) => percentile(all.slice(half), 0.99)) as [
        number,
        number
      ]
      return {
        what: `p99 of ${what} among ${many.toLocaleString("en")} projects, against ${few}`,
        measured: `${readable(more)} ms`,
        against: `${readable(fewer)} ms`,
        ratio: more / fewer,
        ...(query === "" ? { aim: { atMost: 2 } } : {})
      } satisfies Figure
    })
  )
  return [{ title: "Pages of a list of projects", figures }] satisfies ReadonlyArray<Section>
})

/** A person whose organization has so many projects. */
const buyerOf = Effect.fnUntraced(function* (database: ConnectionOptions, projects: number) {
  const buyer = yield* signInNewPerson("Dana")
  const projectId = yield* createAgreementAsPerson(buyer, yield* signInNewPerson("Sam"))
  yield* copyProject(database, projectId, projects - 1)
  return buyer
})
