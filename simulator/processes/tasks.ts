/** What a worker does, each about every 15 seconds; callbacks also at once where something rings. */
export const tasks = ["CALLBACKS", "RECORDS", "CONNECTIONS"] as const
export type Task = (typeof tasks)[number]
