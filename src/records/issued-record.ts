/** The issued record of a project's confirmation: stored bytes, never signed again. */
import { Effect } from "effect"
import { parseSigned } from "../canonical/jws.ts"
import type { Reader } from "../ports/storage.ts"
import type { Project } from "../projects/project.ts"
import { refuse } from "../vocabulary/refusals.ts"
import type { recordPayload } from "./record.ts"
import { ResultRecords } from "./store.ts"

/** Undefined before the record is issued. */
export const findIssuedRecord = ({ agreement, confirmation, recordId }: Project, reader: Reader) =>
  confirmation === null || recordId === null
    ? Effect.undefined
    : reader.get(ResultRecords, [agreement.projectId, confirmation.confirmationId])

/** The same without the project's history: a project has one confirmation at most, so one record. */
export const findRecordOfProject = (reader: Reader, projectId: string) =>
  Effect.map(reader.range(ResultRecords, "key", { prefix: [projectId], limit: 1 }), ([record]) => record)

export const requireIssuedRecord = (project: Project, reader: Reader) =>
  Effect.flatMap(findIssuedRecord(project, reader), (record) =>
    record === undefined ? refuse("RESULT_NOT_ISSUED") : Effect.succeed(record)
  )

export const decodeRecord: (jws: string) => ReturnType<typeof recordPayload> = parseSigned
