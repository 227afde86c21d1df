/** Nothing can run, no timer waits, and something has not ended: the report says what. */
import { promiseHooks } from "node:v8"
import { Data } from "effect"

export class Deadlock extends Data.TaggedError("Deadlock")<{
  readonly at: number
  /** Actors whose fiber has not ended. */
  readonly unfinished: ReadonlyArray<string>
  /** Calls that left the simulator and cannot come back while it runs synchronously. */
  readonly external: ReadonlyArray<string>
  /** Where a Promise was waited for: it can only settle after the simulator has returned. */
  readonly promises: ReadonlyArray<string>
}> {
  override get message(): string {
    const reasons = [
      ...this.external.map((label) => `the external call ${label}`),
      ...this.promises.map((place) => `a real Promise at ${place}`)
    ]
    const waits = reasons.length === 0 ? "something that nothing here will do" : reasons.join(" and ")
    return `deadlock: nothing can run and no timer waits; ${this.unfinished.join(", ")} waits for ${waits}`
  }
}

/** Runs a synchronous piece of work and notes every place of our own that makes a Promise meanwhile. */
export const notingPromises = <A>(places: Set<string>, work: () => A): A => {
  const stop = promiseHooks.onInit(() => {
    const place = placeOf(new Error("a Promise").stack ?? "")
    if (place !== undefined) places.add(place)
  })
  try {
    return work()
  } finally {
    stop()
  }
}

/** The nearest line of a stack that is neither the runtime's, nor a dependency's, nor the driver's. */
const placeOf = (stack: string): string | undefined =>
  stack
    .split("\n")
    .slice(2)
    .find((line) => line.includes("/") && !foreign.test(line))
    ?.trim()
    .replace(/^at /, "")
    .replace("file://", "")
    .replace(`${process.cwd()}/`, "")

const foreign = /node:|\/node_modules\/|\/simulator\/kernel\//
