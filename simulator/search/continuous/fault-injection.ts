/** Fault injection of one iteration: the listed faults of the script and random ones that the format permits. */
import type { AttemptScript } from "../../environment/webhook-receivers/attempt-script.ts"
import type { Injection } from "../../environment/faults/armed-faults.ts"
import { storageFaults, storageFaultPoints } from "../../environment/faults/storage-faults.ts"
import type { ProviderCondition } from "../../payments/layer.ts"
import type { SeededRandom } from "../../kernel/seeded-random.ts"
import { allSteps, type Search, type Step } from "../../scenario/format/scenario.ts"
import type { SearchRoot } from "../search-root.ts"
import type { SearchMode } from "./search-modes.ts"

export const withRandomFaults = (
  { scenario, search, rest }: SearchRoot,
  { most, isSlow }: SearchMode,
  random: SeededRandom
): Search => {
  const { given } = scenario
  const receivers = Object.keys(given.receivers ?? {})
  const hasWorker = given.worker === undefined ? receivers.length > 0 : given.worker.length > 0
  const victims = [...actorsIn(rest, Object.keys({ ...given.people, ...given.agents, ...given.visitors }))]
  const isDrawn = search.faults.length === 0 || random.chance(0.5)
  const drawn = isDrawn ? Array.from({ length: 1 + random.below(3) }, () => faultFor(victims, hasWorker, random)) : []
  return {
    ...search,
    most: Math.max(most, search.most),
    slowness: isSlow ? Math.max(search.slowness, random.pick(spans)) : search.slowness,
    faults: [...search.faults, ...drawn.flatMap((fault) => fault ?? [])],
    payments: given.payments === undefined ? [] : [...search.payments, ...random.some(conditions, 0.25)],
    receivers: { ...Object.fromEntries(visitsFor(receivers, random)), ...search.receivers }
  }
}

const spans = [50, 2000, 20_000, 300_000]

const actorsIn = (rest: ReadonlyArray<Step>, known: ReadonlyArray<string>): ReadonlySet<string> => {
  const acting = allSteps(rest).flatMap((step) => (step.kind === "act" || step.kind === "send" ? [step.as] : []))
  return new Set(acting.filter((name) => known.includes(name)))
}

const faultFor = (victims: ReadonlyArray<string>, hasWorker: boolean, random: SeededRandom): Injection | undefined => {
  const isForWorker = hasWorker && (victims.length === 0 || random.chance(0.4))
  if (!isForWorker && victims.length === 0) return undefined
  const of = isForWorker ? "worker" : random.pick(victims)
  return random.weighted<() => Injection>([
    [3, () => ({ of, fault: { database: random.pick(storageFaults) } })],
    [
      2,
      () => ({
        of,
        fault: { database: random.pick(["40001", "57014", "connection-lost"]) },
        at: random.pick(storageFaultPoints)
      })
    ],
    [2, () => ({ of, fault: { crash: random.pick(["before-commit", "after-commit"]) } })],
    [isForWorker ? 0 : 2, () => ({ of, fault: { lost: random.pick(["request", "answer"]) } })]
  ])()
}

const visitsFor = (
  receivers: ReadonlyArray<string>,
  random: SeededRandom
): ReadonlyArray<readonly [receiver: string, visits: ReadonlyArray<AttemptScript>]> =>
  receivers.flatMap((name) => {
    const chosen = random.some(visits, 0.25)
    return chosen.length === 0 ? [] : [[name, chosen] as const]
  })

const conditions: ReadonlyArray<ProviderCondition> = [
  { availability: "DOWN" },
  { availability: "SLOW" },
  { availability: "REFUSING" },
  { losesOpenings: true },
  { readbacks: "STALE" },
  { readbacks: { fault: "component-fails", component: "PAYMENT" } },
  { readbacks: { fault: "unknown-word", component: "CHECKOUT" } },
  { readbacks: { fault: "wrong-amount" } }
]

const visits: ReadonlyArray<AttemptScript> = [
  { answers: 500 },
  { answers: 410 },
  { answers: "RESET" },
  { answers: "LOST" },
  { answers: "NOTHING" },
  { connects: "REFUSED" },
  { finds: "NXDOMAIN" },
  { after: "4s" },
  { arrives: "TWICE" },
  { arrives: "LATE" }
]
