/** Executes an act step: as a request, or directly if the operation has no request. */
import { Effect } from "effect"
import type { SecureRandom } from "effect/crypto"
import { Signer } from "../../src/ports/signer.ts"
import { StorageUnavailable } from "../../src/ports/storage.ts"
import { now } from "../../src/vocabulary/instant.ts"
import { refusals } from "../../src/vocabulary/refusal-rules.ts"
import { errorBody, refuse } from "../../src/vocabulary/refusals.ts"
import type { NameRegistry } from "../clients/name-registry.ts"
import {
  type StepEffect,
  type ScenarioContext,
  type SentRequest,
  type StepEnded,
  unusable,
  orUnusable
} from "./scenario-context.ts"
import { apiOperations, publicOperations } from "./operations/agent-api.ts"
import type { ApiOperation } from "./operations/api-operation.ts"
import { verifyOffline } from "./operations/verify-offline.ts"
import { personCommands, type WorkspaceCall } from "./operations/person-commands.ts"
import { workspaceOperations } from "./operations/workspace-api.ts"
import { acts } from "./people.ts"
import { planRequest } from "./request.ts"
import { asJson, isObject, type JsonObject } from "../vocabulary/json.ts"
import { paymentProvider } from "./format/check-context.ts"
import { resolve, resolveText } from "./format/references.ts"
import type { OperationAction, Step } from "./format/scenario.ts"
import { plannedNotification } from "./notify.ts"
import { send } from "./send.ts"

/** Runs a step during a held request. */
type RunStep = (step: Step, context: ScenarioContext) => Effect.Effect<void, StepEnded, SecureRandom.SecureRandom>

export const act = (step: OperationAction & Step, context: ScenarioContext, runStep: RunStep): StepEffect =>
  Effect.gen(function* () {
    const { directory } = context
    const on = yield* orUnusable(() => (step.on === undefined ? undefined : resolveText(step.on, directory.names)))
    const input = yield* orUnusable(() => resolveObject(step.input ?? {}, directory))
    if (step.operation === "notify") {
      const sent = yield* plannedNotification(step, on, input, context)
      if (step.id !== undefined) context.sentRequests.set(step.id, sent)
      return yield* send(sent, step.inject, context)
    }
    const target = requestOf(step, on, input, directory)
    if (target === undefined) return yield* actDirectly(step, on, input, context)
    const sent = yield* orUnusable(() => plannedBy(step, target, directory))
    if (step.id !== undefined) context.sentRequests.set(step.id, sent)
    const held = context.holdRequest(step)
    if (step.meanwhile.length === 0 && held === undefined) return yield* send(sent, step.inject, context)
    const { number, as: actor, operation } = step
    const steps =
      step.meanwhile.length === 0
        ? undefined
        : Effect.forEach(step.meanwhile, (inner) => runStep(inner, context), { discard: true })
    const resumed = Effect.sync(() => context.recorder.observe({ kind: "resumed", step: number, actor, operation }))
    return yield* send(sent, step.inject, context, { steps, held, resumed })
  })

interface PlannedRequest extends WorkspaceCall {
  readonly form: ApiOperation
}

/** The request of a step; undefined if it sends none, or if an operator acts for a person. */
const requestOf = (
  { as, operation }: OperationAction,
  on: string | undefined,
  input: JsonObject,
  directory: NameRegistry
): PlannedRequest | undefined => {
  const sendsRequests = directory.people.get(as)?.session !== undefined || directory.agents.has(as)
  if (acts[operation] !== undefined && !sendsRequests) return undefined
  const target = personCommands[operation]?.(input, directory) ?? { operation, on, input }
  const form = formOf(target.operation)
  return form === undefined ? undefined : { ...target, form }
}

const formOf = (operation: string): ApiOperation | undefined =>
  apiOperations[operation] ?? publicOperations[operation] ?? workspaceOperations[operation]

const plannedBy = (
  step: OperationAction & Step,
  { operation, form, on, input, tokenRecipient }: PlannedRequest,
  directory: NameRegistry
): SentRequest => {
  const envelope = resolveObject(step.envelope, directory)
  const shows = step.with === undefined ? undefined : resolveText(step.with, directory.names)
  const request = planRequest(form, { actor: step.as, on, input, envelope, token: shows }, directory)
  return {
    operation,
    inScenario: { id: step.id, operation: step.operation },
    request,
    step: step.number,
    isConcurrent: step.isConcurrent,
    ...(tokenRecipient === undefined ? {} : { tokenFor: tokenRecipient })
  }
}

const actDirectly = (
  step: OperationAction & Step,
  on: string | undefined,
  input: JsonObject,
  context: ScenarioContext
): StepEffect =>
  Effect.gen(function* () {
    const { world, recorder, ledger } = context
    const { as: actor, operation } = step
    if (step.inject !== undefined || step.meanwhile.length > 0) {
      return yield* unusable(`${actor} is not signed in, so the step sends no request for its inject or meanwhile`)
    }
    const isVerification = operation === "verify"
    recorder.observe(
      { kind: "act", actor, operation, on, input: isVerification ? {} : input },
      { isUnauthorized: ledger.isUnauthorized(actor) }
    )
    if (isVerification) {
      const { keys } = yield* world.act(actor, Effect.service(Signer))
      const body = verifyOffline(input, keys, yield* now)
      recorder.observe({ kind: "answer", actor, refused: undefined, body })
      return { status: 200, body }
    }
    const run = acts[operation]
    if (run === undefined) return yield* unusable(`the operation ${operation} does not exist`)
    // In a concurrent step its position is a scheduling choice.
    const turn = step.isConcurrent ? world.scheduler.park(operation) : Effect.void
    const done = Effect.andThen(
      turn,
      Effect.suspend(() => run({ actor, on, input }, context))
    )
    const { refused, body } = yield* world.act(actor, done).pipe(
      Effect.map((body) => ({ refused: undefined, body })),
      // The command line reports an unavailable database as the API does.
      Effect.catchDefect((defect) =>
        defect instanceof StorageUnavailable ? refuse("TEMPORARILY_UNAVAILABLE") : Effect.die(defect)
      ),
      Effect.catchTags({
        Refusal: (refused) => Effect.succeed({ refused: refused.code, body: asJson(errorBody(refused)) }),
        ImpossibleAct: ({ reason }) => unusable(reason)
      })
    )
    const ofProvider = actor === paymentProvider ? world.payments?.provider.state : undefined
    recorder.observe(
      { kind: "answer", actor, refused, body },
      { ofRequest: { id: step.id, operation }, ...(ofProvider === undefined ? {} : { ofProvider }) }
    )
    return { status: refused === undefined ? 200 : refusals[refused].status, body }
  })

const resolveObject = (given: JsonObject, directory: NameRegistry): JsonObject => {
  const resolved = resolve(given, directory.names)
  return isObject(resolved) ? resolved : {}
}
