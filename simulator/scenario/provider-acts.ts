/** The acts of the actor `provider`: what payers, banks and staff do at the simulated payment provider. */
import { Data, Effect, Result, Schema } from "effect"
import { fromMilliseconds } from "../../src/vocabulary/instant.ts"
import { ProviderAct } from "../payments/acts.ts"
import { PlannedCondition } from "../payments/layer.ts"
import type { JsonObject } from "../vocabulary/json.ts"
import type { World } from "./world.ts"

/** The provider cannot do that now, as after the end of a checkout. */
export class ImpossibleAct extends Data.TaggedError("ImpossibleAct")<{ readonly reason: string }> {}

interface Act {
  readonly on: string | undefined
  readonly input: JsonObject
}

type Perform = (act: Act, place: { readonly world: World }) => Effect.Effect<JsonObject, ImpossibleAct>

const performing =
  (target: "accountId" | "commerceOrderId") =>
  (name: string): readonly [string, Perform] => [
    name,
    ({ on, input }, { world }) =>
      Effect.suspend(() => {
        const act = Schema.decodeUnknownSync(ProviderAct)({ act: name, [target]: on, ...input })
        const done = providerOf(world).perform(act, fromMilliseconds(world.scheduler.now))
        return Result.isSuccess(done) ? Effect.succeed({}) : new ImpossibleAct(done.failure)
      })
  ]

const onPurchases = ["pay", "decline", "expire", "refund", "failRefund", "dispute", "closeDispute", "reverseTransfer"]

export const providerActs: { readonly [name: string]: Perform } = {
  ...Object.fromEntries(["onboard", "payOut", "failPayout"].map(performing("accountId"))),
  ...Object.fromEntries(onPurchases.map(performing("commerceOrderId"))),
  setPaymentProvider: ({ input }, { world }) =>
    Effect.sync(() => {
      const { next, ...condition } = Schema.decodeUnknownSync(PlannedCondition)(input)
      const provider = providerOf(world)
      provider.condition = condition
      // A search plans the calls of its whole run before the steps of its script change the condition.
      if (next !== undefined) provider.next = next
      return {}
    })
}

const providerOf = ({ payments }: World) => {
  if (payments === undefined) throw new Error("only a world with payments has the actor provider")
  return payments.provider
}
