/** The workspace view of a project for a person of one of its sides. */
import type { Effect } from "effect"
import type { pauseProject } from "./automation.ts"
import type { ChangedAutomation, OwnProject } from "./person-wire.ts"
import type { PartyProject } from "./party-projects.ts"

export const viewOwnProject = ({ automationRevision, pauses, ...project }: PartyProject): typeof OwnProject.Type => ({
  ...project,
  automation: { revision: automationRevision, paused: pauses.length > 0, pausedBy: pauses }
})

export const viewChange = ({
  projectId,
  automation,
  replayed
}: Effect.Success<ReturnType<typeof pauseProject>>): typeof ChangedAutomation.Type => ({
  projectId,
  automation,
  ...(replayed ? { replayed } : {})
})
