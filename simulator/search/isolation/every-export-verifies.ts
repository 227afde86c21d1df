/** In every final state each package, record, status, passport, Commerce Record and closure verifies offline, without data of other tenants. */
import type { IssuerKeys } from "../../../src/ports/signer.ts"
import type { ProjectRow } from "../../../src/projects/store.ts"
import { later } from "../../../src/vocabulary/instant.ts"
import { verifyOffline } from "../../scenario/operations/verify-offline.ts"
import { type JsonObject, valueAt } from "../../vocabulary/json.ts"
import { worldKeys } from "../../scenario/world-keys.ts"
import { type WorldFork, refusalOf } from "../world-fork.ts"
import type { Probe } from "./probe.ts"
import { commerceRecordViolationIn } from "./commerce-record-violation.ts"
import { closureViolationIn } from "./closure-violation.ts"
import { passportViolationIn } from "./passport-violation.ts"
import { decodedText, refutedBy } from "./exported-files.ts"
import { foreignIdsOf } from "./foreign-ids.ts"
import { historyViolationIn } from "./history-violation.ts"
import { forkWithEveryoneSignedIn, serviceTimeIn, projectsIn } from "./expected-authorization.ts"

export const everyExportVerifies: Probe = {
  name: "every export verifies",
  says: "Every export that a party or the public can get verifies offline and contains no foreign id and no secret, and no person without the authority of the record gate gets delivery material.",
  findViolation: (root, result) => {
    const fork = forkWithEveryoneSignedIn(root, result)
    if (fork === undefined) return undefined
    const keys = worldKeys(root.scenario)
    for (const row of projectsIn(fork)) {
      for (const one of exportsFrom(fork)) {
        const wrong = violationIn(fork, row, one, keys)
        if (wrong !== undefined) return wrong
      }
    }
    return (
      passportViolationIn(fork, keys) ??
      commerceRecordViolationIn(fork, keys) ??
      closureViolationIn(fork, keys) ??
      historyViolationIn(fork, keys)
    )
  }
}

interface Export {
  readonly actor: string
  readonly read: string
  readonly operation: string
  /** The path of the signed value in the answer; the whole answer if absent. */
  readonly path?: string
}

const byAgents = [
  { operation: "exportResultPackage" },
  { operation: "exportStandardRecord", path: "record" },
  { operation: "readRecord", path: "record" },
  { operation: "projectStatus", path: "status" }
] as const

const byPeople = ["downloadPackage", "downloadBuyerPackage", "downloadSupplierPackage"] as const

const exportsFrom = ({ context: { directory } }: WorldFork): ReadonlyArray<Export> => [
  ...[...directory.agents.keys()].flatMap((actor) => byAgents.map((one) => ({ actor, read: "readProject", ...one }))),
  ...[...directory.people].flatMap(([actor, { session }]) =>
    session === undefined ? [] : byPeople.map((operation) => ({ actor, read: "readOwnProject", operation }))
  )
]

/** A party that cannot read a project is skipped, and a refused export is no violation. */
const violationIn = (fork: WorldFork, row: ProjectRow, { actor, read, operation, path }: Export, keys: IssuerKeys) => {
  const { projectId } = row
  if (operation === "exportResultPackage" && refusalOf(fork.act(actor, read, projectId)) !== undefined) return undefined
  const answer = fork.act(actor, operation, projectId)
  if (answer?.body === undefined || refusalOf(answer) !== undefined) return undefined
  const artifact = path === undefined ? answer.body : (valueAt(answer.body, path) ?? null)
  const what = `the export of ${projectId} to ${actor} by ${operation}`
  const status = operation === "exportResultPackage" ? statusFor(fork, actor, projectId) : {}
  // The clock of the issuing process, or the last event if that clock was set back.
  const issuedAt = later(serviceTimeIn(fork), row.lastEventAt)
  const refuted = refutedBy(verifyOffline({ artifact, ...status }, keys, issuedAt))
  if (refuted !== undefined) return `${what} ${refuted}`
  const text = decodedText(answer.body)
  const foreign = foreignIdsOf(fork, row).find((id) => text.includes(id))
  if (foreign !== undefined) return `${what} contains ${foreign}, which is foreign to it`
  return fork.context.recorder.redact(text) === text ? undefined : `${what} contains a secret`
}

/** The current status for the same party, to be verified with a package; empty if refused. */
const statusFor = (fork: WorldFork, actor: string, projectId: string): JsonObject => {
  const answer = fork.act(actor, "projectStatus", projectId)
  return answer?.body === undefined || refusalOf(answer) !== undefined ? {} : { status: answer.body }
}
