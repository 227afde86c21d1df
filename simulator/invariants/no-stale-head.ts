/** A command names the head and the revision that it was planned on, and commits on no others (spec 2.5, 3, 7). */
import { Grants } from "../../src/access/store.ts"
import { JobEnvelopes, Jobs } from "../../src/jobs/store.ts"
import { AutomationChanges, Issuances, ProjectEvents, Projects } from "../../src/projects/store.ts"
import { ProposalAutomationChanges, ProposalEvents, Proposals } from "../../src/proposals/store.ts"
import { isObject, valueAt, type Json } from "../script/json.ts"
import { bodyOf } from "./support/asker.ts"
import { broken, invariant, type Moment, type RequestSeen, rowIn, type Rows } from "./invariant.ts"
import { type CommitSeen, hasEffect, rowsWritten } from "./support/commits.ts"

export const noStaleHead = invariant<null>({
  name: "no command on a stale head",
  kind: "always",
  says: "A command commits on the head, an agent's on the automation revision and a renewal on the generation that it names.",
  begins: null,
  sees: (_, { observed, request, rows, before }) => {
    if (observed.kind !== "commit") return null
    const issued = rowsWritten(observed, rows, Issuances, "update").find(({ status }) => status === "ISSUED")
    if (issued !== undefined) return ofIssued(issued, observed, rows)
    if (request === undefined || !hasEffect(observed)) return null
    const renewed = renewedBy(request, rows)
    if (renewed !== undefined && renewed.named !== renewed.found) {
      return broken(`${nameOf(request)} replaced generation ${renewed.found}, and named ${renewed.named}`)
    }
    const planned = plannedBy(request, rows)
    if (planned === undefined) return null
    const found = foundBy(planned.on, observed, { rows, before })
    if (found === undefined) return null
    if (planned.head !== found.head) return broken(`${nameOf(request)} was committed on a head that it did not name`)
    return planned.revision === undefined || planned.revision === found.revision
      ? null
      : broken(`${nameOf(request)} was committed at revision ${found.revision}, and named ${planned.revision}`)
  }
})

interface Planned {
  readonly on: string
  readonly head: string
  /** People name none: no pause stops them. */
  readonly revision: number | undefined
}

/** A renewal replaces the generation that the person saw. */
const renewedBy = (request: RequestSeen, rows: Rows) => {
  const [, grantId] = /\/grants\/([^/]+)\/renew$/.exec(request.path) ?? []
  const grant = grantId === undefined ? undefined : rowIn(rows, Grants, [grantId])
  const named = valueAt(bodyOf(request) ?? null, "expectedGeneration")
  return grant === undefined ? undefined : { named, found: grant.generation - 1 }
}

/** What a request names, or the envelope of the job that it sends. */
const plannedBy = (request: RequestSeen, rows: Rows): Planned | undefined => {
  const [, noun, id = "", verb] = /\/(projects|proposals|jobs)\/([^/]+)\/([a-z-]+)$/.exec(request.path) ?? []
  if (verb === undefined) return undefined
  if (noun !== "jobs") return plannedIn(id, bodyOf(request) ?? null)
  const job = rowIn(rows, Jobs, [id])
  const saved = rowIn(rows, JobEnvelopes, [id])
  return job === undefined || saved === undefined
    ? undefined
    : plannedIn(job.projectId, JSON.parse(saved.envelope) as Json)
}

const plannedIn = (on: string, body: Json): Planned | undefined => {
  const head = isObject(body) ? (body["expectedEventHash"] ?? body["expectedProposalHead"]) : undefined
  const revision = valueAt(body, "automationRevision")
  return typeof head === "string"
    ? { on, head, revision: typeof revision === "number" ? revision : undefined }
    : undefined
}

/** Head and revision right before a commit: by what it appended, so that nothing beside it is taken for it. */
const foundBy = (on: string, commit: CommitSeen, { rows, before }: Pick<Moment, "rows" | "before">) => {
  const events = [
    ...rowsWritten(commit, rows, ProjectEvents, "insert").filter(({ projectId }) => projectId === on),
    ...rowsWritten(commit, rows, ProposalEvents, "insert").filter(({ proposalId }) => proposalId === on)
  ]
  const changes = [
    ...rowsWritten(commit, rows, AutomationChanges, "insert").filter(({ projectId }) => projectId === on),
    ...rowsWritten(commit, rows, ProposalAutomationChanges, "insert").filter(({ proposalId }) => proposalId === on)
  ]
  const row = rowIn(before, Projects, [on]) ?? rowIn(before, Proposals, [on])
  const first = events.toSorted((a, b) => a.sequence - b.sequence)[0]
  const earlier =
    first === undefined
      ? undefined
      : (rowIn(rows, ProjectEvents, [on, first.sequence - 1]) ?? rowIn(rows, ProposalEvents, [on, first.sequence - 1]))
  const change = changes.toSorted((a, b) => a.revision - b.revision)[0]
  return row === undefined
    ? undefined
    : {
        head: first === undefined ? row.headEventHash : earlier?.hash,
        revision: change === undefined ? row.automationRevision : change.revision - 1
      }
}

/** A record is issued on the head at which it was asked for; what an agent asked for, at its revision. */
const ofIssued = (
  { projectId, grantId, headEventHash, automationRevision }: ReturnType<typeof rowsWritten<typeof Issuances>>[number],
  commit: CommitSeen,
  rows: Rows
) => {
  const event = rowsWritten(commit, rows, ProjectEvents, "insert").find((one) => one.projectId === projectId)
  if (event === undefined) return null
  if (rowIn(rows, ProjectEvents, [projectId, event.sequence - 1])?.hash !== headEventHash) {
    return broken(`the record of ${projectId} was issued on a head that its wish did not name`)
  }
  return grantId === null || rowIn(rows, Projects, [projectId])?.automationRevision === automationRevision
    ? null
    : broken(`the record of ${projectId} was issued at another revision than its wish named`)
}

const nameOf = ({ actor, method, path }: RequestSeen): string => `${method} ${path} of ${actor}`
