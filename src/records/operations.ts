/** Exports: signed copies of recorded data. They change nothing, issue nothing and consume no credit. */
import { Effect } from "effect"
import { Caller, readAuthority, requireLive } from "../access/authorize.ts"
import { Signer } from "../ports/signer.ts"
import { inReplicaView } from "../ports/storage/run.ts"
import type { Reader } from "../ports/storage.ts"
import { currentPreconditions, readStoredProject } from "../projects/history.ts"
import { now as currentTime } from "../vocabulary/instant.ts"
import { refuse } from "../vocabulary/refusals.ts"
import { findIssuedRecord } from "./issued-record.ts"
import { packagePayload } from "./package.ts"
import { readPackageParts } from "./package-parts.ts"
import { needsRecordGate, passesRecordGate } from "./record-gate.ts"
import { copyDate, signOrRefuse } from "./signed-copy.ts"
import { agentRecord, legacyExport } from "./standard-record.ts"
import { signProjectStatus } from "./signed-status.ts"
import { traced } from "../vocabulary/traced.ts"

export interface ExportInput {
  readonly expectedAgreementDigest: string
  readonly expectedEventHash: string
  readonly nonce: string
}

/**
 * The whole result as a signed package, with a status bound to the caller's nonce (4.3 rule 7). An agent receives no package
 * that its person may not download.
 */
export const exportResultPackage = traced("records.exportPackage")(function* (projectId: string, input: ExportInput) {
  const { stored, record, parts, now } = yield* inReplicaView(function* (reader) {
    const { stored, record, member, now } = yield* readResult(reader, projectId)
    const { project } = stored
    if (!passesRecordGate(stored.row, member)) {
      return yield* refuse("FORBIDDEN_AGENT_ACTION", { detail: needsRecordGate[member.side] })
    }
    if (input.expectedEventHash !== project.head) {
      return yield* refuse("STALE_EVENT_HEAD", { current: currentPreconditions(stored) })
    }
    if (input.expectedAgreementDigest !== project.agreementDigest) return yield* refuse("AGREEMENT_DIGEST_MISMATCH")
    if (record === undefined) return yield* refuse("RESULT_NOT_ISSUED")
    return { stored, record, parts: yield* readPackageParts(reader, stored, record), now }
  })
  const signed = yield* signOrRefuse("PACKAGE", packagePayload(parts, copyDate(stored, now)))
  const status = yield* signProjectStatus(stored, record, input.nonce, now)
  // After the signatures: keys may be reloaded in between, and the bundle has to hold the keys that signed.
  const { issuer, environment, keys } = (yield* Signer).keys
  return {
    schema: "service.result-review/v1" as const,
    record: signed,
    trust: { schema: "service.issuer-key-bundle/v1" as const, issuer, environment, keys },
    status
  }
})

/** The project's current status, signed and bound to the caller's nonce for five minutes. */
export const projectStatus = traced("records.status")(function* (projectId: string, nonce: string) {
  const { stored, record, now } = yield* inReplicaView((reader) => readResult(reader, projectId))
  return { status: yield* signProjectStatus(stored, record, nonce, now) }
})

/** The stored record with unsigned metadata (4.3). */
export const readRecord = traced("records.read")(function* (projectId: string) {
  const { project, record } = yield* readIssued(projectId)
  return agentRecord(project, record)
})

/** The stored record in a stable envelope, not signed again and without a second receipt (4.3). */
export const exportStandardRecord = traced("records.exportStandard")(function* (projectId: string) {
  const { project, record } = yield* readIssued(projectId)
  return legacyExport(project, record)
})

const readIssued = Effect.fnUntraced(function* (projectId: string) {
  const { stored, record } = yield* inReplicaView((reader) => readResult(reader, projectId))
  return record === undefined ? yield* refuse("RESULT_NOT_ISSUED") : { project: stored.project, record }
})

/** The authorization of every export: a grant on the project, for the supplier of its named representative. */
const readResult = Effect.fnUntraced(function* (reader: Reader, projectId: string) {
  const now = yield* currentTime
  const { grant, membership, link } = yield* requireLive(yield* readAuthority(reader, yield* Caller, projectId), now)
  const stored = link === undefined ? undefined : yield* readStoredProject(reader, projectId)
  if (stored === undefined) return yield* refuse("FORBIDDEN_AGENT_PROJECT_SCOPE")
  if (grant.role === "SUPPLIER" && grant.personId !== stored.project.supplier.actorId) {
    return yield* refuse("FORBIDDEN_AGENT_ACTION")
  }
  const member = { personId: grant.personId, side: grant.role, authorities: membership.authorities }
  return { stored, record: yield* findIssuedRecord(stored.project, reader), member, now }
})
