/** The duration and size of a run: the full one, and a quick one that only checks that everything works. */

export interface Extent {
  /** The warm-up before any measurement, because the first execution of code is slow. */
  readonly warmUpSeconds: number
  /** The duration of a measured round. */
  readonly seconds: number
  /** Rounds over HTTP and on the bare driver alternate, so that both meet the same noise. */
  readonly rounds: number
  /** Rows in each table, for full tables. */
  readonly fillerRows: number
  /** Jobs of each queue, and webhooks of each variant. */
  readonly jobs: number
  readonly webhooks: number
  /** Commits for the latency of single webhooks. */
  readonly commits: number
  /** Claims among finished webhooks, and the number of these. */
  readonly claims: number
  readonly finishedWebhooks: number
}

export const full: Extent = {
  warmUpSeconds: 10,
  seconds: 2.5,
  rounds: 3,
  fillerRows: 100_000,
  jobs: 10_000,
  webhooks: 2_000,
  commits: 300,
  claims: 40,
  finishedWebhooks: 1_000_000
}

export const quick: Extent = {
  warmUpSeconds: 3,
  seconds: 0.8,
  rounds: 1,
  fillerRows: 5_000,
  jobs: 2_000,
  webhooks: 400,
  commits: 40,
  claims: 10,
  finishedWebhooks: 20_000
}
