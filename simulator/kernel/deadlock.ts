/** Deadlock: no fiber can run, no timer is pending, and a fiber has not ended. */
import { promiseHooks } from "node:v8"
import { Data } from "effect"

export class Deadlock extends Data.TaggedError("Deadlock")<{
  readonly at: number
  /** Actors with unfinished fibers. */
  readonly unfinished: ReadonlyArray<string>
  /** External calls, which cannot return during a synchronous run. */
  readonly external: ReadonlyArray<string>
  /** The source locations of Promises, which cannot settle during a synchronous run. */
  readonly promises: ReadonlyArray<string>
}> {
  override get message(): string {
    const reasons = [
      ...this.external.map((label) => `the external call ${label}`),
      ...this.promises.map((place) => `a real Promise at ${place}`)
    ]
    const waits = reasons.length === 0 ? "an event that cannot occur" : reasons.join(" and ")
    return `deadlock: no fiber can run and no timer is pending; ${this.unfinished.join(", ")} waits for ${waits}`
  }
}

/** Runs synchronous work and records the source locations of own code that create Promises. */
export const recordingPromises = <A>(places: Set<string>, work: () => A): A => {
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

/** The first stack line outside the runtime, dependencies and the kernel. */
const placeOf = (stack: string): string | undefined =>
  stack
    .split("\n")
    .slice(2)
    .find((line) => line.includes("/") && !foreign.test(line))
    ?.trim()
    .replace(/^at /, "")
    .replace("file://", "")
    .replace(`${process.cwd()}/`, "")

const foreign = /node:|\/node_modules\/|(?<!\/test)\/simulator\/kernel\//
