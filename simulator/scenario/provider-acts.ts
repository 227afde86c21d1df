/** The acts of the actor `provider`: what payers, banks and staff do at the simulated payment provider. */
import { Data, Effect, Result, Schema } from "effect"
import { fromMilliseconds } from "../../src/vocabulary/instant.ts"
import { ProviderAct } from "../payments/acts.ts"
import { PlannedCondition } from "../payments/layer.ts"
import type { JsonObject } from "../vocabulary/json.ts"
import type { World } from "./world.ts"

/** The act is impossible in this state of the provider: a payment after the end of its checkout, for example. */
export class ImpossibleAct extends Data.TaggedError("ImpossibleAct")<{ readonly reason: string }> {}

interface Act {
  readonly on: string | undefined
  readonly input: JsonObject
}

type ActPerformer = (act: Act, place: { readonly world: World }) => Effect.Effect<JsonObject, ImpossibleAct>

/** An act on a purchase or an account, with its name. */
const actOn =
  (target: "accountId" | "commerceOrderId") =>
  (name: string): readonly [string, ActPerformer] => [
    name,
    ({ on, input }, { world }) =>
      Effect.suspend(() => {
        const act = Schema.decodeUnknownSync(ProviderAct)({ act: name, [target]: on, ...input })
        const performed = providerOf(world).perform(act, fromMilliseconds(world.scheduler.now))
        return Result.isSuccess(performed) ? Effect.succeed({}) : new ImpossibleAct(performed.failure)
      })
  ]

const onPurchases = ["pay", "decline", "expire", "refund", "failRefund", "dispute", "closeDispute", "reverseTransfer"]

export const providerActs: { readonly [name: string]: ActPerformer } = {
  ...Object.fromEntries(["onboard", "payOut", "failPayout"].map(actOn("accountId"))),
  ...Object.fromEntries(onPurchases.map(actOn("commerceOrderId"))),
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
