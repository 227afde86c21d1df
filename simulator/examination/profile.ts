/** Fault profiles: what happens to an agent beside the acts of its lesson, drawn from a seed. */
import { RandomStreams } from "../kernel/prng.ts"
import { type FaultPlan, type RequestFaultKind, webhookFaults } from "./agent-faults.ts"
import type { Lesson } from "./lesson.ts"

/** `calm`: the lesson alone. `year`: the lesson, and the year after it. */
export const profiles = ["calm", "lossy", "hostile", "year"] as const
export type Profile = (typeof profiles)[number]

/** Those that end the agent and start it again. */
export const restartingProfiles: ReadonlyArray<Profile> = ["hostile", "year"]

/** Each lesson and each of its trials has faults of its own. */
export const drawnPlan = (profile: Profile, seed: number, { name }: Pick<Lesson, "name">): FaultPlan | undefined => {
  if (profile !== "lossy" && profile !== "hostile") return undefined
  const streams = new RandomStreams(seed)
  return new DrawnFaults(profile, () => streams.fraction(`${profile} ${name}`))
}

const kinds: { readonly [P in "lossy" | "hostile"]: ReadonlyArray<RequestFaultKind> } = {
  lossy: ["request-lost", "answer-lost"],
  hostile: ["request-lost", "answer-lost", "answered-503", "html-page"]
}

/** The part of the requests that a fault hits. */
const share = 0.25
/** A lost answer costs the agent real time. */
const faultsMax = 10
/** A bounded retry gets through. */
const inARowMax = 2
/** The agent is ended after one of its first requests. */
const firstRequests = 8

class DrawnFaults implements FaultPlan {
  readonly webhooks: FaultPlan["webhooks"]
  readonly #kinds: ReadonlyArray<RequestFaultKind>
  readonly #fraction: () => number
  /** The first request after which the agent may be ended; undefined if it is not, or has been. */
  #endsFrom: number | undefined
  #inARow = 0
  #faults = 0

  constructor(profile: "lossy" | "hostile", fraction: () => number) {
    this.#kinds = kinds[profile]
    this.#fraction = fraction
    this.webhooks = profile === "hostile" ? webhookFaults : []
    this.#endsFrom = profile === "hostile" ? 1 + Math.floor(fraction() * firstRequests) : undefined
  }

  faultAt(request: number, isAwaited: boolean): RequestFaultKind | undefined {
    // A request on which an act depends may be hit by the lesson itself, and counts as hit.
    const kind = isAwaited ? undefined : this.#draw(request)
    this.#inARow = isAwaited || kind !== undefined ? this.#inARow + 1 : 0
    if (kind !== undefined) this.#faults += 1
    return kind
  }

  #draw(request: number): RequestFaultKind | undefined {
    const [hits, which] = [this.#fraction(), this.#fraction()]
    if (this.#inARow >= inARowMax || this.#faults >= faultsMax) return undefined
    if (this.#endsFrom !== undefined && request >= this.#endsFrom) {
      this.#endsFrom = undefined
      return "agent-ended"
    }
    return hits < share ? this.#kinds[Math.floor(which * this.#kinds.length)] : undefined
  }
}
