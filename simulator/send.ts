/** Sends the request of a step and updates the client state from its response. */
import { Effect, Fiber } from "effect"
import type { SecureRandom } from "effect/crypto"
import type { Directory } from "./directory.ts"
import {
  type Answer,
  type Doing,
  type HeldBack,
  type Journey,
  type Sent,
  type StepEnded,
  unusable,
  usable
} from "./journey.ts"
import { Meanwhile } from "./meanwhile.ts"
import { isObject, valueAt, type Json } from "./script/json.ts"
import { resolve, resolveText } from "./script/references.ts"
import type { Mishap, Send, Step } from "./script/scenario.ts"
import { secretsIn } from "./secrets.ts"

/** Steps that run while an authenticated request is held. */
export interface Happening {
  /** The scenario's meanwhile steps; the request must reach its transaction. */
  readonly steps: Effect.Effect<void, StepEnded, SecureRandom.SecureRandom> | undefined
  readonly held: HeldBack | undefined
  readonly resumed: Effect.Effect<unknown>
}

/** A lost request never arrives; with a lost response it arrived, which its caller cannot know. */
export const send = (sent: Sent, mishap: Mishap | undefined, journey: Journey, happening?: Happening): Doing =>
  Effect.gen(function* () {
    const { step } = sent
    const disarm =
      mishap === undefined ? undefined : journey.world.faults.arm({ ...mishap, of: sent.request.actor, step })
    const answer = yield* happening === undefined ? exchange(sent, journey) : exchangeDuring(sent, journey, happening)
    if (disarm?.() === false) return yield* unusable("the injected fault did not occur")
    return answer
  })

/** Runs other steps while the request is held, even if its process ends meanwhile. */
const exchangeDuring = Effect.fnUntraced(function* (sent: Sent, journey: Journey, { steps, held, resumed }: Happening) {
  const meanwhile = new Meanwhile()
  const exchanging = yield* Effect.forkDetach(exchange(sent, journey, meanwhile))
  if (held !== undefined) exchanging.addObserver(held.isOver)
  const isHeld = yield* Effect.raceFirst(Effect.as(meanwhile.reached, true), Effect.as(Fiber.await(exchanging), false))
  if (!isHeld && steps !== undefined)
    return yield* unusable("the request ended before its transaction, so its meanwhile steps cannot run")
  if (isHeld && steps !== undefined) yield* steps
  if (isHeld && held !== undefined) yield* held.wait
  if (isHeld && (steps !== undefined || held?.hasHappened() === true)) yield* resumed
  yield* meanwhile.goOn
  return yield* Fiber.join(exchanging)
})

/** One request and its response; undefined if the caller gets none. */
export const exchange = (
  sent: Sent,
  { world, recorder, directory, answered }: Journey,
  meanwhile?: Meanwhile
): Effect.Effect<Answer | undefined, never, SecureRandom.SecureRandom> =>
  Effect.gen(function* () {
    const { actor, method, path, shows, body, raw } = sent.request
    const step = sent.isBeside ? sent.step : undefined
    const loss = world.faults.loss({ actor, called: actor, step: sent.step })
    const text = raw?.text
    const headers = raw === undefined || Object.keys(raw.headers).length === 0 ? undefined : raw.headers
    recorder.observe({
      kind: "request",
      step,
      actor,
      method,
      path,
      with: shows,
      headers,
      body: text ?? body,
      lost: loss === "request"
    })
    if (loss === "request") {
      answered(sent.step, "LOST_REQUEST")
      return undefined
    }
    const answer = yield* world.send(sent.request, { step: sent.step, meanwhile })
    if (answer === undefined) {
      answered(sent.step, "GONE")
      return undefined
    }
    for (const { secret, kind } of secretsIn(answer.body ?? null)) {
      recorder.hide(secret, `${kind} of ${kind === "token" ? (sent.handsTo ?? actor) : actor}`)
    }
    const lost = loss === "answer"
    recorder.observe(
      { kind: "response", step, actor, status: answer.status, body: answer.body, lost },
      { ofRequest: sent.called }
    )
    answered(sent.step, lost ? "LOST_ANSWER" : answer)
    if (lost) return undefined
    if (answer.status < 300) learn(sent, answer.body ?? null, directory)
    return answer
  })

/** Sends a raw request, also one that a careful client would never send. */
export const sendRaw = (step: Send & Step, journey: Journey): Doing =>
  Effect.gen(function* () {
    const { directory } = journey
    const sent = yield* usable((): Sent => {
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
        called: { id: step.id, operation },
        step: step.number,
        isBeside: step.isBeside,
        request: {
          actor: step.as,
          method: step.method,
          path: resolveText(step.path, names),
          token: directory.agents.get(step.as)?.token,
          shows: undefined,
          session: directory.people.get(step.as)?.session,
          body: json,
          raw: { headers: Object.fromEntries(headers), ...(text === undefined ? {} : { text }) }
        }
      }
    })
    if (step.id !== undefined) journey.sent.set(step.id, sent)
    return yield* send(sent, step.inject, journey)
  })

/** Stores an agent's new token, from its own poll or from a person. */
const learn = ({ operation, request: { actor, body }, handsTo }: Sent, answer: Json, directory: Directory): void => {
  directory.knowledgeOf(actor).learn(operation, answer)
  const person = directory.people.get(actor)
  const credential = operation === "pollConnection" ? valueAt(answer, "credential") : answer
  const agent = operation === "pollConnection" ? actor : handsTo
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
