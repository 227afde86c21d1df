/** The subject under which the public results of an organization are listed. */
import { Effect } from "effect"
import type { Reader } from "../ports/storage.ts"
import { ProviderSubjects } from "./store.ts"

/** The subject's id; undefined for an organization without a public result so far. */
export const readSubjectId = (reader: Reader, organizationId: string) =>
  Effect.map(reader.get(ProviderSubjects, [organizationId]), (subject) => subject?.subjectId)
