/** What a script does around callbacks: receivers and their network, and the processes that send. */
import { Effect, Schema } from "effect"
import type { SecureRandom } from "effect/crypto"
import { GoOn, SetReceiver, TakeSecret } from "../operations/forms.ts"
import type { JsonObject } from "../script/json.ts"
import type { World } from "../world.ts"

/** One act: who, with which words. References are resolved. */
interface Act {
  readonly actor: string
  readonly input: JsonObject
}

type Doing = Effect.Effect<JsonObject, never, SecureRandom.SecureRandom>

export const callbackActs: {
  readonly [name: string]: (act: Act, place: { readonly world: World }) => Doing
} = {
  setReceiver: ({ input }, { world: { network } }) =>
    Effect.sync(() => {
      const { receiver, next = [], otherwise = {} } = Schema.decodeUnknownSync(SetReceiver)(input)
      const set = network.receivers.get(receiver)
      if (set === undefined) return {}
      set.visits = next
      set.otherwise = otherwise
      return {}
    }),
  goOn: ({ input }, { world: { network } }) =>
    Effect.sync(() => ({ wentOn: network.letGo(Schema.decodeUnknownSync(GoOn)(input).receiver) })),
  takeSecret: ({ actor, input }, { world: { network } }) =>
    Effect.sync(() => {
      network.receivers.get(actor)?.take(Schema.decodeUnknownSync(TakeSecret)(input).secret)
      return {}
    }),
  received: ({ actor }, { world: { network } }) => Effect.sync(() => network.receivers.get(actor)?.told ?? {}),
  startWorker: (_, { world }) => Effect.as(world.workers.isRunning ? Effect.void : world.startWorker, {}),
  stopWorker: (_, { world }) => Effect.as(world.workers.stop, {}),
  crashWorker: (_, { world }) => Effect.as(world.workers.crash, {})
}
