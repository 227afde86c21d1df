/** The current actor, owner and fiber history. */
import { Effect } from "effect"
import { Actor, Owner } from "./actor.ts"
import { InLine } from "./line.ts"

export const whoever = Effect.all([Effect.service(Actor), Effect.service(Owner), Effect.service(InLine)])
