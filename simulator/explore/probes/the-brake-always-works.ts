/** Whoever may stop something can, wherever a run ends. */
import { Effect } from "effect"
import type { Storage } from "../../../src/ports/storage.ts"
import { limits } from "../../../src/vocabulary/limits.ts"
import { refusals } from "../../../src/vocabulary/refusal-rules.ts"
import { isObject } from "../../script/json.ts"
import { type Fork, refusalOf } from "../fork.ts"
import type { Probe } from "../probe.ts"
import { type Brake, brakesIn } from "./brakes.ts"
import { forkWithEverybody } from "./standing.ts"

export const theBrakeAlwaysWorks: Probe = {
  name: "the brake always works",
  says: "Whoever may pause, hand off, revoke, withdraw, contest or supersede can, at once, wherever a run ends.",
  tries: (prepared, attempted) => {
    const asked = { count: 0 }
    const fork = forkWithEverybody(prepared, attempted, (storage) => countedStore(storage, asked))
    if (fork === undefined) return undefined
    for (const brake of brakesIn(fork)) {
      asked.count = 0
      const wrong = fork.trying(() => pulled(fork, brake))
      if (wrong !== undefined) return wrong
    }
    return undefined
  }
}

/** What goes wrong when it is pulled, in words. */
const pulled = (fork: Fork, brake: Brake): string | undefined => {
  const { actor, read, operation, on, input } = brake
  const before = fork.stage.kernel.now
  if (read !== undefined) {
    const refused = refusalOf(fork.act(actor, read, on))
    if (refused !== undefined) return `${actor} was refused ${read} of ${on} with ${refused}`
  }
  const answer = fork.act(actor, operation, on, input)
  const refused = refusalOf(answer)
  const what = `${operation}${on === undefined ? "" : ` of ${on}`}`
  if (refused !== undefined && !isAboutInput(fork, refused)) return `${actor} was refused ${what} with ${refused}`
  if (fork.stage.kernel.now - before > letterTime(fork)) return `time had to pass for ${actor} to be answered ${what}`
  const next = refused === undefined && isObject(answer?.body) ? brake.next?.(answer.body) : undefined
  return next === undefined ? undefined : pulled(fork, next)
}

/** The letter that tells of it may take as long as the service waits for one; what it tells of is committed by then. */
const letterTime = (fork: Fork): number => (fork.journey.world.surroundings.mailServer === "SILENT" ? limits.mail : 0)

/** Terms that no longer fit are for a person to correct; an issuer without keys signs nothing for anybody. */
const isAboutInput = (fork: Fork, code: string): boolean => {
  if (code === "ISSUER_NOT_CONFIGURED") return !fork.journey.world.surroundings.keyPurposes.includes("EVENT")
  const rule = Object.entries(refusals).find(([known]) => known === code)?.[1]
  return rule !== undefined && "nextAction" in rule && rule.status === 409 && rule.nextAction === "CORRECT_REQUEST"
}

type StorageShape = Storage["Service"]

/** Far more than any of these needs. */
const askedMax = 200

/** A request that asks the store again and again does not end in a bounded number of steps. */
const countedStore = (storage: StorageShape, asked: { count: number }): StorageShape => {
  const counted = <A, E, R>(effect: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
    Effect.suspend(() => {
      asked.count += 1
      return asked.count > askedMax ? Effect.die(new Error("a brake asks the store without an end")) : effect
    })
  return {
    transaction: (plan, body) => counted(storage.transaction(plan, body)),
    view: (body) => counted(storage.view(body)),
    claim: (table, claim) => counted(storage.claim(table, claim)),
    health: storage.health
  }
}
