/** Sends the request of a step and updates the client state from its response. */
import { Effect, Fiber } from "effect"
import type { SecureRandom } from "effect/crypto"
import type { NameRegistry } from "../clients/name-registry.ts"
import {
  type StepResponse,
  type StepEffect,
  type HeldRequest,
  type ScenarioContext,
  type SentRequest,
  type StepEnded,
  unusable,
  orUnusable
} from "./scenario-context.ts"
import { withMembers } from "./answer-changes.ts"
import type { Loss } from "../environment/faults/armed-faults.ts"
import { InterleavingHook } from "../environment/interleaving-hook.ts"
import { isObject, valueAt, type Json } from "../vocabulary/json.ts"
import { operationOfRequest } from "./operations/operation-of-request.ts"
import { resolve, resolveText } from "./format/references.ts"
import type { RequestFault, SendAction, Step } from "./format/scenario.ts"
import type { Response } from "./read-answer.ts"
import { secretsIn } from "../observation/secrets.ts"

/** Steps that run while an authenticated request is held. */
export interface DuringHold {
  /** The scenario's meanwhile steps; the request must reach its transaction. */
  readonly steps: Effect.Effect<void, StepEnded, SecureRandom.SecureRandom> | undefined
  readonly held: HeldRequest | undefined
  readonly resumed: Effect.Effect<unknown>
}

/** A lost request never arrives; with a lost response it arrived, which its caller cannot know. */
export const send = (
  sent: SentRequest,
  fault: RequestFault | undefined,
  context: ScenarioContext,
  duringHold?: DuringHold
): StepEffect =>
  Effect.gen(function* () {
    const { step } = sent
    const disarm =
      fault === undefined ? undefined : context.world.faults.arm({ ...fault, of: sent.request.actor, step })
    const answer = yield* duringHold === undefined ? exchange(sent, context) : exchangeDuring(sent, context, duringHold)
    if (disarm?.() === false) return yield* unusable("the injected fault did not occur")
    return answer
  })

/** Runs other steps while the request is held, even if its process ends meanwhile. */
const exchangeDuring = Effect.fnUntraced(function* (
  sent: SentRequest,
  context: ScenarioContext,
  { steps, held, resumed }: DuringHold
) {
  const meanwhile = new InterleavingHook()
  const exchanging = yield* Effect.forkDetach(exchange(sent, context, meanwhile))
  if (held !== undefined) exchanging.addObserver(held.onEnd)
  const isHeld = yield* Effect.raceFirst(Effect.as(meanwhile.reached, true), Effect.as(Fiber.await(exchanging), false))
  if (!isHeld && steps !== undefined)
    return yield* unusable("the request ended before its transaction, so its meanwhile steps cannot run")
  if (isHeld && steps !== undefined) yield* steps
  if (isHeld && held !== undefined) yield* held.wait
  if (isHeld && (steps !== undefined || held?.hadSteps() === true)) yield* resumed
  yield* meanwhile.resume
  return yield* Fiber.join(exchanging)
})

/** One request and its response; undefined if the caller gets none. */
export const exchange = (
  sent: SentRequest,
  { world, recorder, directory, ledger, onResult }: ScenarioContext,
  meanwhile?: InterleavingHook
): Effect.Effect<StepResponse | undefined, never, SecureRandom.SecureRandom> =>
  Effect.gen(function* () {
    const { actor, method, path, tokenOverride, body, raw } = sent.request
    const step = sent.isConcurrent ? sent.step : undefined
    const operation = operationOfRequest(method, path)
    const target = { actor, scenarioName: actor, step: sent.step, operation }
    const before = world.faults.takeLoss(target)
    const ofSend = ledger.send(sent.request, world.scheduler.now)
    const text = raw?.text
    const headers = raw === undefined || Object.keys(raw.headers).length === 0 ? undefined : raw.headers
    const isLost = before?.lost === "request"
    recorder.observe(
      { kind: "request", step, actor, method, path, with: tokenOverride, headers, body: text ?? body, lost: isLost },
      { ofSend }
    )
    const lose = (loss: Loss) => {
      const answer = loss.edge === undefined ? undefined : pageOfEdge(loss.edge)
      if (answer !== undefined) {
        const { status, body } = answer
        recorder.observe({ kind: "response", step, actor, status, body, lost: false }, { ofRequest: sent.inScenario })
      }
      onResult(sent.step, answer ?? (loss.lost === "request" ? "LOST_REQUEST" : "LOST_ANSWER"))
      return answer
    }
    if (isLost) return lose(before)
    const answered = yield* world.send(sent.request, { step: sent.step, meanwhile })
    if (answered === undefined) {
      onResult(sent.step, "GONE")
      return undefined
    }
    const answer = withMembers(answered, world.environment.answerChanges.get(actor) ?? {})
    for (const { secret, kind } of secretsIn(answer.body ?? null)) {
      recorder.hide(secret, `${kind} of ${kind === "token" ? (sent.tokenFor ?? actor) : actor}`)
    }
    const loss = before ?? (tookEffect(answer) ? world.faults.takeAnswerLoss(target) : undefined)
    recorder.observe(
      { kind: "response", step, actor, status: answer.status, body: answer.body, lost: loss !== undefined },
      { ofRequest: sent.inScenario }
    )
    if (loss !== undefined) return lose(loss)
    onResult(sent.step, answer)
    ledger.answer(sent.request, answer, world.scheduler.now)
    if (answer.status < 300) learn(sent, answer.body ?? null, directory)
    return answer
  })

/** What an edge in front of the service sends by itself: it says nothing about the request. */
const pageOfEdge = (status: number): Response => {
  const body = `<!doctype html><title>${status}</title><h1>${status}</h1>`
  return { status, body, bytes: new TextEncoder().encode(body), headers: { "content-type": "text/html" } }
}

/** A replay had its effect before. */
const tookEffect = ({ status, body }: StepResponse): boolean =>
  status < 300 && valueAt(body ?? null, "replayed") !== true

/** Sends a raw request, also one that a careful client would never send. */
export const sendRaw = (step: SendAction & Step, context: ScenarioContext): StepEffect =>
  Effect.gen(function* () {
    const { directory } = context
    const sent = yield* orUnusable((): SentRequest => {
      const { names } = directory
      const headers = Object.entries(step.headers).map(([name, value]) => [
        name.toLowerCase(),
        resolveText(value, names)
      ])
      const text = step.body !== undefined && "text" in step.body ? resolveText(step.body.text, names) : undefined
      const json = step.body !== undefined && "json" in step.body ? resolve(step.body.json, names) : undefined
      const operation = `${step.method} ${step.path}`
      return {
        operation,
        inScenario: {
          id: step.id,
          operation: operationOfRequest(step.method, resolveText(step.path, names)) ?? operation
        },
        step: step.number,
        isConcurrent: step.isConcurrent,
        request: {
          actor: step.as,
          method: step.method,
          path: resolveText(step.path, names),
          token: directory.agents.get(step.as)?.token,
          tokenOverride: undefined,
          session: directory.people.get(step.as)?.session,
          body: json,
          raw: { headers: Object.fromEntries(headers), ...(text === undefined ? {} : { text }) }
        }
      }
    })
    if (step.id !== undefined) context.sentRequests.set(step.id, sent)
    return yield* send(sent, step.inject, context)
  })

/** Stores an agent's user code, and its new token, from its own poll or from a person. */
const learn = (
  { operation, inScenario, request: { actor, body }, tokenFor }: SentRequest,
  answer: Json,
  directory: NameRegistry
): void => {
  directory.clientStateOf(actor).learn(operation, answer)
  const userCode = valueAt(answer, "userCode")
  if (inScenario.operation === "startConnection" && typeof userCode === "string") {
    directory.setUserCode(actor, userCode)
  }
  const person = directory.people.get(actor)
  const credential = operation === "pollConnection" ? valueAt(answer, "credential") : answer
  const agent = operation === "pollConnection" ? actor : tokenFor
  if (agent !== undefined && isObject(credential)) {
    const { agentId, grantId, token } = credential
    const role = valueAt(body ?? null, "role")
    directory.addAgent(agent, {
      ...directory.agents.get(agent),
      id: String(agentId),
      grantId: String(grantId),
      token: String(token),
      ...(typeof role === "string" ? { role } : {}),
      ...(person === undefined ? {} : { personId: person.id })
    })
  }
  if (operation === "acceptMembership" && isObject(answer)) {
    const organization = directory.nameOfOrganization(String(answer["organizationId"]))
    if (organization !== undefined) person?.memberships.set(organization, String(answer["membershipId"]))
  }
}
