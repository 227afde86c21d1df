/** One event of a project as it was signed, for a party. */
import type { ActingPerson } from "../people/acting-person.ts"
import { inView, readTogether } from "../ports/storage/run.ts"
import { now as currentTime } from "../vocabulary/instant.ts"
import { refuse } from "../vocabulary/refusals.ts"
import { traced } from "../vocabulary/traced.ts"
import { readProjectAsParty } from "./representation.ts"
import { ProjectEvents } from "./store.ts"

/** 403 for a person who is no party; 404 where the project has no event of this sequence. */
export const readSignedEvent = traced("projects.readSignedEvent")(function* (
  by: ActingPerson,
  projectId: string,
  sequence: number
) {
  const now = yield* currentTime
  return yield* inView(function* (reader) {
    const [{ project }, event] = yield* readTogether([
      readProjectAsParty(reader, by, projectId, now),
      reader.get(ProjectEvents, [projectId, sequence])
    ])
    return event === undefined ? yield* refuse("NOT_FOUND") : { event, eventCount: project.eventCount }
  })
})
