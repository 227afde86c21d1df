/** How long and how wide a run measures: the full one, and the short form that only shows that everything works. */

export interface Extent {
  /** Commands that are sent before anything is measured: code that runs for the first time is slow. */
  readonly warmUpSeconds: number
  /** Of every measured round. */
  readonly seconds: number
  /** A round through HTTP is followed by one on the bare driver, so that both meet the same noise. */
  readonly rounds: number
  /** In each table, where the tables are full. */
  readonly fillerRows: number
  /** That every queue gets, and callbacks that are sent in each way. */
  readonly jobs: number
  readonly callbacks: number
  /** Whose callbacks are waited for one by one. */
  readonly commits: number
  /** Claims among callbacks that are over, and how many of those. */
  readonly claims: number
  readonly finishedCallbacks: number
}

export const full: Extent = {
  warmUpSeconds: 10,
  seconds: 2.5,
  rounds: 3,
  fillerRows: 100_000,
  jobs: 10_000,
  callbacks: 2_000,
  commits: 300,
  claims: 40,
  finishedCallbacks: 1_000_000
}

export const quick: Extent = {
  warmUpSeconds: 3,
  seconds: 0.8,
  rounds: 1,
  fillerRows: 5_000,
  jobs: 2_000,
  callbacks: 400,
  commits: 40,
  claims: 10,
  finishedCallbacks: 20_000
}
