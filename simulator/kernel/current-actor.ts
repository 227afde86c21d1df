/** The current actor, owner and fiber history. */
import { Effect } from "effect"
import { Actor, Owner } from "./actor.ts"
import { CurrentHistory } from "./fiber-history.ts"

export const currentActor = Effect.all([Effect.service(Actor), Effect.service(Owner), Effect.service(CurrentHistory)])
