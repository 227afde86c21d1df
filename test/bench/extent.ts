/** The duration and size of a run: the full one, and a quick one that only checks that everything works. */

export interface Extent {
  /** The duration of a measured round that is not counted in commands. */
  readonly seconds: number
  /** Rounds of what is compared alternate, so that all meet the same noise. */
  readonly rounds: number
  /** Commands of each server before any measurement: compiled code becomes faster for about as many. */
  readonly warmUpCommands: number
  /** Commands of a measured round, and bare statements of one. */
  readonly commands: number
  readonly bareStatements: number
  /** The commands of a measured round in which each project reaches the limit of its history. */
  readonly historyCommands: number
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
  seconds: 2.5,
  rounds: 3,
  warmUpCommands: 2_500,
  commands: 640,
  bareStatements: 4_000,
  historyCommands: 752,
  fillerRows: 100_000,
  jobs: 10_000,
  webhooks: 2_000,
  commits: 300,
  claims: 40,
  finishedWebhooks: 1_000_000
}

export const quick: Extent = {
  seconds: 0.8,
  rounds: 1,
  warmUpCommands: 300,
  commands: 160,
  bareStatements: 500,
  historyCommands: 752,
  fillerRows: 5_000,
  jobs: 2_000,
  webhooks: 400,
  commits: 40,
  claims: 10,
  finishedWebhooks: 20_000
}

/** For a test: only checks that everything works. */
export const smallest: Extent = {
  seconds: 0.1,
  rounds: 1,
  warmUpCommands: 1,
  commands: 1,
  bareStatements: 1,
  historyCommands: 1,
  fillerRows: 10,
  jobs: 10,
  webhooks: 10,
  commits: 1,
  claims: 1,
  finishedWebhooks: 10
}
