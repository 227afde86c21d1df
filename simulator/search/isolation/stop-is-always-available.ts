/** In every final state, each party that may stop a process can. */
import { Effect } from "effect"
import type { Storage } from "../../../src/ports/storage.ts"
import { limits } from "../../../src/vocabulary/limits.ts"
import { refusals } from "../../../src/vocabulary/refusal-rules.ts"
import { isObject } from "../../vocabulary/json.ts"
import { type WorldFork, refusalOf } from "../world-fork.ts"
import type { Probe } from "./probe.ts"
import { type StopControl, stopControlsIn } from "./stop-controls.ts"
import { forkWithEveryoneSignedIn } from "./expected-authorization.ts"

export const stopIsAlwaysAvailable: Probe = {
  name: "stop is always available",
  says: "A party that may pause, hand off, revoke, withdraw, contest or supersede can do so at once in every final state.",
  findViolation: (root, result) => {
    const calls = { count: 0 }
    const fork = forkWithEveryoneSignedIn(root, result, (storage) => countingStore(storage, calls))
    if (fork === undefined) return undefined
    for (const control of stopControlsIn(fork)) {
      calls.count = 0
      const wrong = fork.withRollback(() => violationOf(fork, control))
      if (wrong !== undefined) return wrong
    }
    return undefined
  }
}

/** The violation when a control is used, in words. */
const violationOf = (fork: WorldFork, control: StopControl): string | undefined => {
  const { actor, read, operation, on, input } = control
  const before = fork.setup.scheduler.now
  if (read !== undefined) {
    const refused = refusalOf(fork.act(actor, read, on))
    if (refused !== undefined) return `${actor} was refused ${read} of ${on} with ${refused}`
  }
  const answer = fork.act(actor, operation, on, input)
  const refused = refusalOf(answer)
  const what = `${operation}${on === undefined ? "" : ` of ${on}`}`
  if (refused !== undefined && !isAboutInput(fork, refused)) return `${actor} was refused ${what} with ${refused}`
  if (fork.setup.scheduler.now - before > mailTimeout(fork))
    return `virtual time advanced before ${actor} got the answer to ${what}`
  const next = refused === undefined && isObject(answer?.body) ? control.next?.(answer.body) : undefined
  return next === undefined ? undefined : violationOf(fork, next)
}

/** The notification e-mail is sent after the commit and may take as long as the service waits for the mail server. */
const mailTimeout = (fork: WorldFork): number =>
  fork.context.world.environment.mailServer === "SILENT" ? limits.mail : 0

/** Outdated terms are corrected by a person, and an issuer without keys signs no event. */
const isAboutInput = (fork: WorldFork, code: string): boolean => {
  if (code === "ISSUER_NOT_CONFIGURED") return !fork.context.world.environment.keyPurposes.includes("EVENT")
  const rule = Object.entries(refusals).find(([known]) => known === code)?.[1]
  return rule !== undefined && "nextAction" in rule && rule.status === 409 && rule.nextAction === "CORRECT_REQUEST"
}

type StorageShape = Storage["Service"]

/** Far more storage calls than a stop control needs. */
const storageCallsMax = 200

/** Bounds the storage calls of a request, so that a livelock is reported. */
const countingStore = (storage: StorageShape, calls: { count: number }): StorageShape => {
  const counted = <A, E, R>(effect: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
    Effect.suspend(() => {
      calls.count += 1
      return calls.count > storageCallsMax
        ? Effect.die(new Error(`a stop control made more than ${storageCallsMax} storage calls`))
        : effect
    })
  return {
    transaction: (plan, body) => counted(storage.transaction(plan, body)),
    view: (body) => counted(storage.view(body)),
    claim: (table, claim) => counted(storage.claim(table, claim)),
    health: storage.health
  }
}
