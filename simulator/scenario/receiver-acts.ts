/** The operator's acts on webhook receivers, their network and the workers. */
import { Clock, Effect, Schema } from "effect"
import type { SecureRandom } from "effect/crypto"
import {
  AttachProgram,
  ForgeWebhook,
  GoOn,
  ReplayWebhook,
  SetReceiver,
  SetZone,
  SignBytes,
  TakeSecret
} from "./operations/operation-forms.ts"
import { forgedRequest } from "../environment/webhook-receivers/forged-request.ts"
import { offsetInMilliseconds } from "../vocabulary/duration.ts"
import type { JsonObject } from "../vocabulary/json.ts"
import type { World } from "./world.ts"

/** One act with resolved references. */
interface Act {
  readonly actor: string
  readonly input: JsonObject
}

type ActResult = Effect.Effect<JsonObject, never, SecureRandom.SecureRandom>

export const webhookActs: {
  readonly [name: string]: (act: Act, place: { readonly world: World }) => ActResult
} = {
  setReceiver: ({ input }, { world: { network } }) =>
    Effect.sync(() => {
      const { receiver, next = [], otherwise = {}, clock } = Schema.decodeUnknownSync(SetReceiver)(input)
      const found = network.receivers.get(receiver)
      if (found === undefined) return {}
      found.set(next, otherwise)
      if (clock !== undefined) found.clock = offsetInMilliseconds(clock)
      return {}
    }),
  setZone: ({ input }, { world: { network } }) =>
    Effect.sync(() => {
      const { name, answers } = Schema.decodeUnknownSync(SetZone)(input)
      network.zones.set(name, answers)
      return {}
    }),
  attachProgram: ({ input }, { world: { network } }) =>
    Effect.sync(() => {
      network.attach(Schema.decodeUnknownSync(AttachProgram)(input).receiver)
      return {}
    }),
  goOn: ({ input }, { world: { network } }) =>
    Effect.sync(() => ({ wentOn: network.release(Schema.decodeUnknownSync(GoOn)(input).receiver) })),
  takeSecret: ({ actor, input }, { world: { network } }) =>
    Effect.sync(() => {
      network.receivers.get(actor)?.setSecret(Schema.decodeUnknownSync(TakeSecret)(input).secret)
      return {}
    }),
  signBytes: ({ actor, input }, { world: { network } }) =>
    Effect.map(Clock.currentTimeMillis, (now) => {
      const { rawBody } = Schema.decodeUnknownSync(SignBytes)(input)
      return network.receivers.get(actor)?.sign(rawBody, now) ?? {}
    }),
  forgeWebhook: ({ input }, { world: { network } }) =>
    Effect.gen(function* () {
      const { receiver, event } = Schema.decodeUnknownSync(ForgeWebhook)(input)
      const request = forgedRequest(event, yield* Clock.currentTimeMillis)
      return answerOfReceiver(yield* network.deliver(receiver, request))
    }),
  replayWebhook: ({ input }, { world: { network } }) => {
    const { receiver } = Schema.decodeUnknownSync(ReplayWebhook)(input)
    const last = network.receivers.get(receiver)?.arrivals.at(-1)
    return last === undefined
      ? Effect.succeed({})
      : Effect.map(network.deliver(receiver, last.request), answerOfReceiver)
  },
  received: ({ actor }, { world: { network } }) => Effect.sync(() => network.receivers.get(actor)?.report ?? {}),
  startWorker: (_, { world }) => Effect.as(world.workers.isRunning ? Effect.void : world.startWorker, {}),
  stopWorker: (_, { world }) => Effect.as(world.workers.stop, {}),
  crashWorker: (_, { world }) => Effect.as(world.workers.crash, {})
}

const answerOfReceiver = (answer: number | string): JsonObject => ({
  answer,
  acknowledged: typeof answer === "number" && answer < 300
})
