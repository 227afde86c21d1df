/** The statements around one event of a run on Postgres: the run is repeated with statement logging. */
import * as fs from "node:fs"
import { Effect } from "effect"
import type { Storage } from "../../src/ports/storage.ts"
import { type DatabaseServer, openDatabase } from "../storage/databases.ts"
import { isObject } from "../vocabulary/json.ts"
import type { Scenario } from "../scenario/format/scenario.ts"
import { simulateOn } from "../scenario/simulate.ts"
import { readTrace } from "../observation/trace.ts"

/** The statements of the request around a line of the trace, from 0; a note if the log is not readable. */
export const statementsAround = Effect.fnUntraced(function* (
  server: DatabaseServer,
  { instances, file, scenario, line }: TracePosition
): Effect.fn.Return<ReadonlyArray<string>, Error> {
  const { log } = server
  if (log === undefined) return ["the statements are not shown, since the log of that server is not readable here"]
  return yield* Effect.gen(function* () {
    const { storages, logStatements } = yield* openDatabase(server, instances)
    yield* logStatements
    const calls: Array<Call> = []
    let answered = 0
    const recording = storages.map((storage) =>
      recordCalls(storage, log, (call) => calls.push({ ...call, request: answered }))
    )
    const { trace } = yield* Effect.promise(() =>
      simulateOn(recording, scenario, { file, onResult: () => void (answered += 1) })
    )
    const before = readTrace(trace).slice(0, line + 1)
    const request = before.filter((event) => isObject(event) && event["kind"] === "request").length - 1
    const text = fs.readFileSync(log)
    const around = calls.filter((call) => call.request === Math.max(request, 0))
    return [
      "statements of the request around it:",
      ...around.flatMap(({ from, to }) => statementsIn(text.subarray(from, to).toString("utf8")))
    ].slice(0, linesMax)
  }).pipe(Effect.scoped)
})

export interface TracePosition {
  readonly instances: number
  readonly file: string
  readonly scenario: Scenario
  readonly line: number
}

const linesMax = 60
const charactersMax = 300

/** The range of a storage call in the log, and the number of requests answered before it. */
interface Call {
  readonly from: number
  readonly to: number
  readonly request: number
}

const recordCalls = (
  storage: Storage["Service"],
  log: string,
  note: (call: Omit<Call, "request">) => void
): Storage["Service"] => {
  const recorded = <A, E, R>(effect: Effect.Effect<A, E, R>) =>
    Effect.suspend(() => {
      const from = fs.statSync(log).size
      return Effect.onExit(effect, () => Effect.sync(() => note({ from, to: fs.statSync(log).size })))
    })
  return {
    ...storage,
    transaction: (plan, body) => recorded(storage.transaction(plan, body)),
    view: (body) => recorded(storage.view(body)),
    claim: (table, claim) => recorded(storage.claim(table, claim))
  }
}

const statementsIn = (log: string): ReadonlyArray<string> =>
  [...log.matchAll(/LOG: {2}(?:statement|execute [^:]*): (.*)|DETAIL: {2}(Parameters: .*)/g)].map(
    ([, statement, parameters]) => `  ${statement ?? `  ${parameters ?? ""}`}`.slice(0, charactersMax)
  )
