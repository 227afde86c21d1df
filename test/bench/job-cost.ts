/** What a job of a queue costs: its CPU time in this process and in Postgres, and how many end in a second. */
import { cpuOfTree } from "./commands/cpu.ts"
import { median } from "./measure.ts"

export interface JobCost {
  readonly perSecond: number
  /** Milliseconds of CPU of one job. */
  readonly node: number
  readonly postgres: number
}

/** Measures from now on, until it is called with the number of jobs that have ended. */
export type Measurement = (jobs: number) => JobCost

export const startMeasurement = (postmaster: number): Measurement => {
  const postgresBefore = cpuOfTree(postmaster)
  const nodeBefore = process.cpuUsage()
  const began = performance.now()
  return (jobs) => {
    const milliseconds = performance.now() - began
    const { user, system } = process.cpuUsage(nodeBefore)
    return {
      perSecond: (jobs / milliseconds) * 1000,
      node: (user + system) / 1000 / jobs,
      postgres: (cpuOfTree(postmaster) - postgresBefore) / jobs
    }
  }
}

export const medianCost = (costs: ReadonlyArray<JobCost>): JobCost => ({
  perSecond: median(costs.map(({ perSecond }) => perSecond)),
  node: median(costs.map(({ node }) => node)),
  postgres: median(costs.map(({ postgres }) => postgres))
})

export const cpuOf = ({ node, postgres }: JobCost): number => node + postgres
