/** Sends that end while others are being settled share the next transaction: the busier a worker, the fewer it takes. */
import { Context, Effect, Exit, Semaphore } from "effect"
import type { Storage } from "../ports/storage.ts"
import type { LeasedSend } from "./claim.ts"
import { settleSend, settleSends, type EndedSend, type Ending, type Settled } from "./settle.ts"

export type Settle = (send: LeasedSend, ending: Ending) => Effect.Effect<Settled, never, Storage>

/** How a send settles what it came to: by itself, unless a worker has its sends do it together. */
export const Settling = Context.Reference<Settle>("countersign/webhooks/Settling", { defaultValue: () => settleSend })

/** For the sends of one worker. */
export const settlingTogether: Effect.Effect<Settle> = Effect.sync(() => {
  const waiting: Array<Waiting> = []
  const turn = Semaphore.makeUnsafe(1)
  return (send, ending) =>
    Effect.suspend(() => {
      const mine: Waiting = { send, ending, settled: undefined }
      waiting.push(mine)
      const settle = Effect.suspend(() => (mine.settled === undefined ? settleAll(waiting) : Effect.void))
      // Whoever had the turn has settled all that waited, this one among them.
      return Effect.flatMap(turn.withPermit(settle), () => mine.settled!)
    })
})

interface Waiting extends EndedSend {
  /** What came of it, once somebody before it in line has settled it too. */
  settled: Exit.Exit<Settled> | undefined
}

/** Settles all that wait. */
const settleAll = Effect.fnUntraced(function* (waiting: Array<Waiting>) {
  const together = waiting.splice(0)
  const exit = yield* Effect.exit(settleSends(together))
  for (const [index, one] of together.entries()) {
    if (Exit.isSuccess(exit)) one.settled = Exit.succeed(exit.value[index]!)
    // What keeps one subscription from being settled must not keep the others.
    else one.settled = together.length === 1 ? Exit.failCause(exit.cause) : yield* Effect.exit(alone(one))
  }
})

const alone = (one: EndedSend) => Effect.map(settleSends([one]), ([settled]) => settled!)
