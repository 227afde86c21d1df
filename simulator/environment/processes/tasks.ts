/** The tasks of a worker, each about every 15 seconds; webhooks also at once after a wake-up. */
export const tasks = ["CALLBACKS", "RECORDS", "CONNECTIONS", "PAYMENTS"] as const
export type Task = (typeof tasks)[number]
