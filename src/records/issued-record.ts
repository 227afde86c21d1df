/** The issued record of a project's confirmation: stored bytes, never signed again. */
import { Effect } from "effect"
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

export const requireIssuedRecord = (project: Project, reader: Reader) =>
  Effect.flatMap(findIssuedRecord(project, reader), (record) =>
    record === undefined ? refuse("RESULT_NOT_ISSUED") : Effect.succeed(record)
  )

/** The payload of a record. The service signed it and readers verify it, so this only decodes. */
export const decodeRecord = (jws: string): ReturnType<typeof recordPayload> =>
  JSON.parse(Buffer.from(jws.split(".")[1]!, "base64url").toString("utf8"))
