/**
 * Cooperative time: the time of a world moves only while every agent that takes part waits. Waits end one at a time, so
 * that agents whose waits end at the same moment act one after the other.
 */
import { type Instant, toMilliseconds } from "../../src/vocabulary/instant.ts"
import { type AwaitedEvent, hasOccurred } from "../scenario/committed-events.ts"
import type { JsonObject } from "../vocabulary/json.ts"
import { durationInMilliseconds } from "../vocabulary/duration.ts"
import { momentOf } from "../view-model/session-summary.ts"
import type { WaitForm } from "./control-forms.ts"
import { ControlRefusal } from "./control-refusals.ts"
import { advanceTo, type DueInWorld, dueIn } from "./due-times.ts"
import { waitUntil } from "./real-time-wait.ts"
import type { ServedWorld } from "./served-world.ts"

/** A wait of an agent, which is over at a moment or after an event. */
interface Wait {
  readonly until: number | undefined
  readonly event: AwaitedEvent | undefined
  /** The number of observations before it. */
  readonly after: number
  readonly answer: (answer: JsonObject) => void
  readonly refuse: (refused: ControlRefusal) => void
}

export class CooperativeAgents {
  readonly #world: ServedWorld
  /** The agents that take part, in the order in which they began to; undefined while one is not waiting. */
  readonly #waits = new Map<string, Wait | undefined>()
  #isMoving = false

  constructor(world: ServedWorld) {
    this.#world = world
  }

  /** The agents for which virtual time stands still. */
  get acting(): ReadonlyArray<string> {
    return [...this.#waits].flatMap(([name, wait]) => (wait === undefined ? [name] : []))
  }

  get due(): ReadonlyArray<DueInWorld> {
    return [...this.#waits].flatMap(([name, wait]) =>
      wait?.until === undefined ? [] : [{ at: wait.until, what: `${name}: the end of its wait` }]
    )
  }

  takesPart(name: string): boolean {
    return this.#waits.has(name)
  }

  /** From now on time waits for this agent. */
  join(name: string): void {
    if (!this.#waits.has(name)) this.#waits.set(name, undefined)
  }

  /** Time no longer waits for this agent. */
  leave(name: string): boolean {
    this.#waits.get(name)?.refuse(new ControlRefusal("WORLD_ENDED", `${name} no longer takes part.`))
    const hasLeft = this.#waits.delete(name)
    void this.#move()
    return hasLeft
  }

  /** Answers when the wait is over. */
  wait(name: string, { for: duration, until, event }: typeof WaitForm.Type): Promise<JsonObject> {
    if (this.#waits.get(name) !== undefined) throw new ControlRefusal("TAKEN", `${name} waits already.`)
    if (duration !== undefined && until !== undefined)
      throw new ControlRefusal("INVALID_REQUEST", "Give either for or until.")
    if (duration === undefined && until === undefined && event === undefined)
      throw new ControlRefusal("INVALID_REQUEST", "Give for, until, or event.")
    const { session } = this.#world.live
    const { promise, resolve, reject } = Promise.withResolvers<JsonObject>()
    this.#waits.set(name, {
      until: momentOfEnd(session.scheduler.now, duration, until),
      event,
      after: session.observations.length,
      answer: resolve,
      refuse: reject
    })
    void this.#move()
    return promise
  }

  /** Ends all waits. */
  close(): void {
    for (const name of this.#waits.keys()) this.leave(name)
  }

  /** Ends the waits that are over, and moves time while all agents wait. */
  async #move(): Promise<void> {
    if (this.#isMoving) return
    this.#isMoving = true
    try {
      while (this.#waits.size > 0 && this.acting.length === 0) {
        await this.#moveOnce()
      }
    } catch (error) {
      const refused = error instanceof ControlRefusal ? error : new ControlRefusal("INTERNAL", String(error))
      for (const [name] of this.#waits) this.#end(name, (wait) => wait.refuse(refused))
    } finally {
      this.#isMoving = false
    }
  }

  async #moveOnce(): Promise<void> {
    const { live, programTimeout } = this.#world
    if (!(await waitUntil(() => live.isAtRest, programTimeout)))
      throw new ControlRefusal("TIME_STANDS_STILL", `In flight: ${[...live.inFlight, ...live.frozenFor].join(", ")}.`)
    // A request or a departure can arrive meanwhile.
    if (this.acting.length > 0 || this.#waits.size === 0) return
    const now = momentOf(live.session.scheduler.now)
    for (const [name, wait] of this.#waits) {
      if (wait === undefined) continue
      const ended = this.#endOf(wait)
      if (ended !== undefined) return this.#end(name, ({ answer }) => answer({ now, ended }))
    }
    const [next] = dueIn(this.#world)
    if (next === undefined) {
      throw new ControlRefusal("NOT_REACHED", "Every agent waits for an event, and nothing is due.", { due: [], now })
    }
    await advanceTo(this.#world, next.at)
    await this.#world.acts?.act()
  }

  #end(name: string, by: (wait: Wait) => void): void {
    const wait = this.#waits.get(name)
    this.#waits.set(name, undefined)
    if (wait !== undefined) by(wait)
  }

  #endOf({ until, event, after }: Wait): "event" | "time" | undefined {
    const { session } = this.#world.live
    if (event !== undefined && hasOccurred(event, session.observations.slice(after), session.content)) return "event"
    return until !== undefined && until <= session.scheduler.now ? "time" : undefined
  }
}

const momentOfEnd = (now: number, duration: string | undefined, until: Instant | undefined): number | undefined => {
  if (until !== undefined) return toMilliseconds(until)
  return duration === undefined ? undefined : now + durationInMilliseconds(duration)
}
