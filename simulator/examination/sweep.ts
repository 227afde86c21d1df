/** The sweep: every request of an agent with every single fault, one in a run, each judged by the lesson and by the properties. */
import { firstDifference } from "../observation/trace.ts"
import { properties } from "../properties/all-properties.ts"
import { operationOfRequest } from "../scenario/operations/operation-of-request.ts"
import type { Session } from "../scenario/session.ts"
import type { Worlds } from "../serve/worlds.ts"
import { examine, type ExamOptions, type LessonResult } from "./examine.ts"
import { judgedIn } from "./judge.ts"
import type { Lesson } from "./lesson.ts"
import { planOf, type RequestFault, type RequestFaultKind } from "./agent-faults.ts"

/** A fault after which the agent does not pass, or a property of the service does not hold. */
export interface FailedFault {
  readonly fault: RequestFault
  /** The operation of the request; its method and path where it has none. */
  readonly operation: string
  readonly result: LessonResult
  /** The property of the service that does not hold, in words. */
  readonly violation: string | undefined
}

export type SweepResult =
  /** The agent does not pass without a fault. */
  | { readonly kind: "CALM_RUN_FAILS"; readonly result: LessonResult }
  /** Two runs without a fault differ, so that a request has no position. */
  | { readonly kind: "RUNS_DIFFER"; readonly difference: string }
  | {
      readonly kind: "COMPLETE"
      readonly runs: number
      readonly requests: number
      readonly failed: ReadonlyArray<FailedFault>
    }

/** The faults of a sweep. */
export const sweptKinds = [
  "request-lost",
  "answer-lost",
  "answered-503",
  "agent-ended"
] as const satisfies ReadonlyArray<RequestFaultKind>

/** `together` is the number of runs at the same time. */
export const sweep = async (
  lesson: Lesson,
  worlds: Worlds,
  options: ExamOptions & { readonly together: number }
): Promise<SweepResult> => {
  const calm = await examine(lesson, worlds, options)
  if (calm.verdict !== "PASS") return { kind: "CALM_RUN_FAILS", result: calm }
  const again = await examine(lesson, worlds, options)
  const difference = firstDifference(calm.session.trace, again.session.trace, ["first run", "second run"])
  if (difference !== undefined) return { kind: "RUNS_DIFFER", difference }
  const operations = operationsOf(lesson, calm.session)
  const faults = operations.flatMap((operation, index) =>
    sweptKinds.map((kind) => ({ operation, fault: { kind, request: index + 1 } }))
  )
  const failed: Array<FailedFault> = []
  const waiting = [...faults]
  const runAll = async () => {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
      const result = await examine(lesson, worlds, { ...options, faults: planOf([next.fault]) })
      const violation = violationIn(result.session)
      if (result.verdict !== "PASS" || violation !== undefined) failed.push({ ...next, result, violation })
    }
  }
  await Promise.all(Array.from({ length: options.together }, runAll))
  failed.sort((one, other) => faults.findIndex(isOf(one)) - faults.findIndex(isOf(other)))
  return { kind: "COMPLETE", runs: faults.length, requests: operations.length, failed }
}

const isOf =
  ({ fault: { kind, request } }: FailedFault) =>
  ({ fault }: { readonly fault: RequestFault }): boolean =>
    fault.kind === kind && fault.request === request

/** The operations of the agent's requests, in order. */
export const operationsOf = ({ form: { agent } }: Lesson, { observations }: Session): ReadonlyArray<string> =>
  observations.flatMap((one) =>
    one.kind === "request" && one.actor === agent
      ? [operationOfRequest(one.method, one.path) ?? `${one.method} ${one.path}`]
      : []
  )

/** The first property of the service that a session violates. */
const violationIn = (session: Session): string | undefined => {
  const { violation } = judgedIn(properties, session)
  return violation && `${violation.property}: ${violation.words}`
}
