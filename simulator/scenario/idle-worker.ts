/** What is due in a world, and when the passes of its worker would find nothing. */
import type { PassProbe } from "../kernel/idle-passes.ts"
import type { MemoryStore } from "../storage/memory-storage/store.ts"
import type { WorkerReads } from "../storage/worker-reads.ts"
import type { ScenarioContext } from "./scenario-context.ts"

/**
 * A pass depends on the rows, the time and the faults for the worker. While a choice is recorded, a fault is injected for
 * the worker or its clock differs, every pass runs.
 */
export const idleWorkerProbe = (
  { world, recorder, choices }: ScenarioContext,
  store: MemoryStore,
  reads: WorkerReads
): PassProbe => ({
  isRepeated: ({ owner }) => owner === world.workers.process,
  state: () => {
    const { process } = world.workers
    if (process === undefined || choices.isRecording || world.clocks.offsetOf("worker") !== 0) return undefined
    const target = { actor: process.name, scenarioName: "worker", step: undefined, operation: undefined }
    if (world.faults.hasFaultFor(target)) return undefined
    return [process, store.content, reads.effects, recorder.observations.length, recorder.complaints.length]
  },
  nextDue: () => reads.dueRows(store.content)[0]?.at ?? Number.POSITIVE_INFINITY
})

/** Something that happens by itself at a moment. */
export interface DueMoment {
  /** In milliseconds. */
  readonly at: number
  /** Its actor and what it waits for, or the row that its worker claims. */
  readonly what: string
}

/** A row that is due already is claimed by the next pass of the worker. */
export const dueMoments = (
  { world: { scheduler, workers } }: Pick<ScenarioContext, "world">,
  store: MemoryStore | undefined,
  reads: WorkerReads
): ReadonlyArray<DueMoment> => {
  const { process } = workers
  const others = scheduler.timers.all.filter(({ owner }) => process === undefined || owner !== process)
  const nextPass = scheduler.timers.all.find(({ owner }) => owner === process)?.at ?? scheduler.now
  const rows = process === undefined || store === undefined ? [] : reads.dueRows(store.content)
  return [
    ...others.map(({ at, name }) => ({ at, what: name })),
    ...rows.map(({ table, key, at }) => ({
      at: at > scheduler.now ? at : nextPass,
      what: `worker: ${table} ${key.join(" ")}`
    }))
  ].toSorted((one, other) => one.at - other.at)
}
