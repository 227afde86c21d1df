/** One step: what it does, whether that was as expected, and what it keeps. */
import { Clock, Data, Effect } from "effect"
import type { SecureRandom } from "effect/crypto"
import { Signer } from "../src/ports/signer.ts"
import { now, toMilliseconds } from "../src/vocabulary/instant.ts"
import { errorBody, refusals } from "../src/vocabulary/refusals.ts"
import { type Difference, differencesFrom } from "./compare.ts"
import type { Directory } from "./directory.ts"
import { apiOperations } from "./operations/api.ts"
import { NotRead } from "./operations/knowledge.ts"
import { verifyOffline } from "./operations/verify.ts"
import { personActs } from "./people.ts"
import type { Recorder } from "./recorder.ts"
import { planRequest } from "./request.ts"
import { asJson, isObject, valueAt, type Json, type JsonObject } from "./script/json.ts"
import { resolve, Unresolved } from "./script/references.ts"
import type { Act, Step } from "./script/scenario.ts"
import type { Request, World } from "./world.ts"

/** What the steps of one scenario share. */
export interface Journey {
  readonly world: World
  readonly recorder: Recorder
  readonly directory: Directory
  /** Requests by the id of their step, to be sent again to the letter. */
  readonly sent: Map<string, Sent>
}

interface Sent {
  readonly operation: string
  readonly request: Request
}

/** Why a scenario ends at this step. */
export class StepEnded extends Data.TaggedError("StepEnded")<{
  readonly verdict: "FAILED" | "UNUSABLE"
  readonly reason: string
}> {}

/** An answer as its actor saw it. */
interface Answer {
  readonly status: number
  readonly body: Json | undefined
}

type Doing = Effect.Effect<Answer | undefined, StepEnded, SecureRandom.SecureRandom>

export const runStep = Effect.fnUntraced(function* (step: Step, journey: Journey) {
  const { recorder, directory } = journey
  const repeated = step.kind === "retry" ? journey.sent.get(step.step) : undefined
  const actor = step.kind === "act" ? step.as : repeated?.request.actor
  const operation = step.kind === "act" ? step.operation : (repeated?.operation ?? step.kind)
  const repeats = step.kind === "retry" ? step.step : undefined
  recorder.observe({ kind: "step", step: step.number, actor, operation, repeats })

  const answer = yield* doStep(step, journey)
  if (answer === undefined) return
  const expected = yield* usable(() => resolve(step.expect.body ?? {}, directory.names))
  const differences = differencesOf(answer, step.expect, expected)
  recorder.observe({ kind: "expectation", step: step.number, differences })
  if (differences.length > 0) return yield* new StepEnded({ verdict: "FAILED", reason: "the answer is another" })
  for (const [name, path] of step.keep) {
    const kept = valueAt(answer.body ?? null, path)
    if (kept === undefined) {
      return yield* new StepEnded({ verdict: "UNUSABLE", reason: `the answer has no ${path} to keep as ${name}` })
    }
    directory.names.set(name, kept)
  }
})

const doStep = (step: Step, journey: Journey): Doing => {
  switch (step.kind) {
    case "say":
      return Effect.succeed(undefined)
    case "advance":
      return passTo(journey, (now) => now + step.milliseconds)
    case "until":
      return passTo(journey, () => toMilliseconds(step.moment))
    case "retry": {
      const sent = journey.sent.get(step.step)
      if (sent === undefined) return unusable(`step ${step.step} sent nothing that could be sent again`)
      return send(sent, step.inject, journey)
    }
    case "act":
      return act(step, step.id, journey)
  }
}

const passTo = (journey: Journey, moment: (now: number) => number): Doing =>
  Effect.gen(function* () {
    const current = yield* Clock.currentTimeMillis
    const target = moment(current)
    if (target < current) return yield* unusable("that moment has passed")
    yield* Effect.sleep(target - current)
    journey.recorder.observe({ kind: "time", to: yield* now })
    return undefined
  })

const act = (step: Act, id: string | undefined, journey: Journey): Doing =>
  Effect.gen(function* () {
    const { directory } = journey
    const on = yield* usable(() => resolveText(step.on, directory))
    const input = yield* usable(() => resolve(step.input ?? {}, directory.names))
    const given = isObject(input) ? input : {}
    const api = apiOperations[step.operation]
    if (api === undefined) return yield* actAsPerson(step, on, given, journey)
    const envelope = yield* usable(() => resolve(step.envelope, directory.names))
    const request = yield* usable(() =>
      planRequest(api, { actor: step.as, on, given, envelope: isObject(envelope) ? envelope : {} }, directory)
    )
    const sent = { operation: step.operation, request }
    if (id !== undefined) journey.sent.set(id, sent)
    return yield* send(sent, step.inject, journey)
  })

/** A request that is lost never arrives; where the answer is lost it did, and its sender cannot know. */
const send = ({ operation, request }: Sent, inject: Act["inject"], { world, recorder, directory }: Journey): Doing =>
  Effect.gen(function* () {
    const { actor, method, path, body } = request
    recorder.observe({ kind: "request", actor, method, path, body, lost: inject === "lost-request" })
    if (inject === "lost-request") return undefined
    const answer = yield* world.send(request)
    const lost = inject === "lost-answer"
    recorder.observe({ kind: "response", actor, status: answer.status, body: answer.body, lost })
    if (lost) return undefined
    if (answer.status < 300) directory.knowledgeOf(actor).learn(operation, answer.body ?? null)
    return answer
  })

const actAsPerson = (step: Act, on: string | undefined, input: JsonObject, journey: Journey): Doing =>
  Effect.gen(function* () {
    const { world, recorder, directory } = journey
    const actor = step.as
    const isVerification = step.operation === "verify"
    recorder.observe({ kind: "act", actor, operation: step.operation, on, input: isVerification ? {} : input })
    if (isVerification) {
      const { keys } = yield* world.act(actor, Effect.service(Signer))
      const body = verifyOffline(input, keys, yield* now)
      recorder.observe({ kind: "answer", actor, refused: undefined, body })
      return { status: 200, body }
    }
    const doing = personActs[step.operation]
    if (doing === undefined) return yield* unusable(`nobody can do ${step.operation} yet`)
    const { refused, body } = yield* world.act(actor, doing({ actor, on, input }, directory, recorder)).pipe(
      Effect.map((body) => ({ refused: undefined, body })),
      Effect.catchTag("Refused", (refused) =>
        Effect.succeed({ refused: refused.code, body: asJson(errorBody(refused)) })
      )
    )
    recorder.observe({ kind: "answer", actor, refused, body })
    return { status: refused === undefined ? 200 : refusals[refused].status, body }
  })

const differencesOf = (answer: Answer, expect: Step["expect"], body: Json): ReadonlyArray<Difference> => {
  const status = expect.status ?? statusOfRefusal(expect.error)
  const isExpected = status === undefined ? answer.status >= 200 && answer.status < 300 : answer.status === status
  const actual = answer.body ?? null
  return [
    ...(isExpected ? [] : [{ path: "status", expected: status ?? "2xx", actual: answer.status }]),
    ...(expect.error === undefined ? [] : differencesFrom({ error: expect.error }, actual)),
    ...differencesFrom(isObject(body) ? body : {}, actual)
  ]
}

const statusOfRefusal = (code: string | undefined): number | undefined =>
  Object.entries(refusals).find(([known]) => known === code)?.[1].status

const resolveText = (text: string | undefined, directory: Directory): string | undefined => {
  if (text === undefined) return undefined
  const resolved = resolve(text, directory.names)
  if (typeof resolved === "string") return resolved
  throw new Unresolved(`${text} is not a text`)
}

/** What only shows while the scenario runs: a path that leads nowhere, a project its actor never read. */
const usable = <A>(evaluate: () => A): Effect.Effect<A, StepEnded> =>
  Effect.suspend(() => {
    try {
      return Effect.succeed(evaluate())
    } catch (error) {
      return error instanceof Unresolved || error instanceof NotRead ? unusable(error.message) : Effect.die(error)
    }
  })

const unusable = (reason: string) => Effect.fail(new StepEnded({ verdict: "UNUSABLE", reason }))
