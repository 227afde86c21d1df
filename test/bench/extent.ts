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
}

export const full: Extent = { warmUpSeconds: 10, seconds: 2.5, rounds: 3, fillerRows: 100_000 }
export const quick: Extent = { warmUpSeconds: 3, seconds: 0.8, rounds: 1, fillerRows: 5_000 }
