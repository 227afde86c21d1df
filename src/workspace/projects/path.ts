/** The paths of project pages. */
import type { HistoryPlace } from "./history-page.ts"

export const projectPath = (projectId: string): `/workspace/${string}` => `/workspace/projects/${projectId}`

/** The list of the tasks that one party has given. */
export const partyTasksPath = (projectId: string): `/workspace/${string}` => `${projectPath(projectId)}/tasks-of-party`

/** The page of one signed event. */
export const eventPath = (projectId: string, sequence: number): `/workspace/${string}` =>
  `${projectPath(projectId)}/events/${sequence}`

/** The page of the history before this place. */
export const historyPath = (projectId: string, place: HistoryPlace): `/workspace/${string}` =>
  `${projectPath(projectId)}/history?before=${place.beforeSequence},${place.beforeRevision}`
