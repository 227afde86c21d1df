/** What Postgres was asked around one event of a run: the run once more, with every statement in the server's log. */
import * as fs from "node:fs"
import { Effect } from "effect"
import type { Storage } from "../../src/ports/storage.ts"
import { type DatabaseServer, openDatabase } from "../databases.ts"
import { isObject } from "../script/json.ts"
import type { Scenario } from "../script/scenario.ts"
import { simulateOn } from "../simulate.ts"
import { readTrace } from "../trace.ts"

/** The statements of the request around a line of the trace, from 0; nothing where the log cannot be read here. */
export const statementsAround = Effect.fnUntraced(function* (
  server: DatabaseServer,
  { instances, file, scenario, line }: Place
): Effect.fn.Return<ReadonlyArray<string>, Error> {
  const { log } = server
  if (log === undefined) return ["the log of that server cannot be read here, so its statements are not shown"]
  return yield* Effect.gen(function* () {
    const { storages, logStatements } = yield* openDatabase(server, instances)
    yield* logStatements
    const calls: Array<Call> = []
    let answered = 0
    const noting = storages.map((storage) =>
      noteCalls(storage, log, (call) => calls.push({ ...call, request: answered }))
    )
    const { trace } = yield* Effect.promise(() =>
      simulateOn(noting, scenario, { file, answered: () => void (answered += 1) })
    )
    const before = readTrace(trace).slice(0, line + 1)
    const request = before.filter((event) => isObject(event) && event["kind"] === "request").length - 1
    const text = fs.readFileSync(log)
    const around = calls.filter((call) => call.request === Math.max(request, 0))
    return [
      "what Postgres was asked by the request around it:",
      ...around.flatMap(({ from, to }) => statementsIn(text.subarray(from, to).toString("utf8")))
    ].slice(0, linesMax)
  }).pipe(Effect.scoped)
})

export interface Place {
  readonly instances: number
  readonly file: string
  readonly scenario: Scenario
  readonly line: number
}

const linesMax = 60
const charactersMax = 300

/** Where in the log a call of the store stands, and how many requests had been answered when it began. */
interface Call {
  readonly from: number
  readonly to: number
  readonly request: number
}

const noteCalls = (
  storage: Storage["Service"],
  log: string,
  note: (call: Omit<Call, "request">) => void
): Storage["Service"] => {
  const noted = <A, E, R>(asked: Effect.Effect<A, E, R>) =>
    Effect.suspend(() => {
      const from = fs.statSync(log).size
      return Effect.onExit(asked, () => Effect.sync(() => note({ from, to: fs.statSync(log).size })))
    })
  return {
    ...storage,
    transaction: (plan, body) => noted(storage.transaction(plan, body)),
    view: (body) => noted(storage.view(body)),
    claim: (table, claim) => noted(storage.claim(table, claim))
  }
}

const statementsIn = (log: string): ReadonlyArray<string> =>
  [...log.matchAll(/LOG: {2}(?:statement|execute [^:]*): (.*)|DETAIL: {2}(Parameters: .*)/g)].map(
    ([, statement, parameters]) => `  ${statement ?? `  ${parameters ?? ""}`}`.slice(0, charactersMax)
  )
