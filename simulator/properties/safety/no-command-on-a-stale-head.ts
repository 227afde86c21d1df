/** Optimistic concurrency: a command commits only on the head and revision that it names (spec 2.5, 3, 7). */
import { Grants } from "../../../src/access/store.ts"
import { FinancialEvents } from "../../../src/commerce/store.ts"
import { JobEnvelopes, Jobs } from "../../../src/jobs/store.ts"
import { AutomationChanges, Issuances, ProjectEvents, Projects } from "../../../src/projects/store.ts"
import { ProposalAutomationChanges, ProposalEvents, Proposals } from "../../../src/proposals/store.ts"
import { isObject, valueAt, type Json } from "../../vocabulary/json.ts"
import { bodyOf } from "../support/caller.ts"
import { violation, monitoredProperty, type Moment, type RequestObservation, rowIn, type Rows } from "../property.ts"
import { type FinancialEvent, parsed } from "../support/commerce.ts"
import { type CommitObservation, hasEffect, rowsWritten } from "../support/commits.ts"

export const noCommandOnAStaleHead = monitoredProperty<null>({
  name: "no command on a stale head",
  kind: "always",
  says: "A command commits only on the head that it names, on a Result Order the financial one, an agent's command also on the automation revision, and a renewal on the generation.",
  judges: { kinds: ["commit"] },
  initial: null,
  next: (_, { observed, request, rows, before }) => {
    if (observed.kind !== "commit") return null
    const issued = rowsWritten(observed, rows, Issuances, "update").find(({ status }) => status === "ISSUED")
    if (issued !== undefined) return issuanceViolation(issued, observed, rows)
    if (request === undefined || !hasEffect(observed)) return null
    const renewal = renewalIn(request, rows)
    if (renewal !== undefined && renewal.named !== renewal.found) {
      return violation(`${nameOf(request)} replaced generation ${renewal.found} and named ${renewal.named}`)
    }
    const financial = financialViolation(request, observed, rows)
    if (financial !== undefined) return violation(financial)
    const expected = expectedBy(request, rows)
    if (expected === undefined) return null
    const found = versionBefore(expected.on, observed, { rows, before })
    if (found === undefined) return null
    if (expected.head !== found.head)
      return violation(`${nameOf(request)} was committed on another head than the one it names`)
    return expected.revision === undefined || expected.revision === found.revision
      ? null
      : violation(`${nameOf(request)} was committed at revision ${found.revision} and named ${expected.revision}`)
  }
})

/** A command on a Result Order follows the financial head that it names; the service's own events name none. */
const financialViolation = (request: RequestObservation, commit: CommitObservation, rows: Rows): string | undefined => {
  const named = valueAt(bodyOf(request) ?? null, "financialHead")
  if (named === undefined) return undefined
  const stale = rowsWritten(commit, rows, FinancialEvents, "insert")
    .map(({ event }) => parsed<FinancialEvent>(event))
    .find(({ actor, previous }) => actor !== null && previous !== named)
  return stale === undefined ? undefined : `${nameOf(request)} followed another financial head than the one it names`
}

interface ExpectedVersion {
  readonly on: string
  readonly head: string
  /** Undefined for people: no pause stops them. */
  readonly revision: number | undefined
}

/** A renewal replaces the generation that it names. */
const renewalIn = (request: RequestObservation, rows: Rows) => {
  const [, grantId] = /\/grants\/([^/]+)\/renew$/.exec(request.path) ?? []
  const grant = grantId === undefined ? undefined : rowIn(rows, Grants, [grantId])
  const named = valueAt(bodyOf(request) ?? null, "expectedGeneration")
  return grant === undefined ? undefined : { named, found: grant.generation - 1 }
}

/** The head and revision in a request, or in the envelope of the job that it submits. */
const expectedBy = (request: RequestObservation, rows: Rows): ExpectedVersion | undefined => {
  const [, noun, id = "", verb] = /\/(projects|proposals|jobs)\/([^/]+)\/([a-z-]+)$/.exec(request.path) ?? []
  if (verb === undefined) return undefined
  if (noun !== "jobs") return expectedIn(id, bodyOf(request) ?? null)
  const job = rowIn(rows, Jobs, [id])
  const saved = rowIn(rows, JobEnvelopes, [id])
  return job === undefined || saved === undefined
    ? undefined
    : expectedIn(job.projectId, JSON.parse(saved.envelope) as Json)
}

const expectedIn = (on: string, body: Json): ExpectedVersion | undefined => {
  const head = isObject(body) ? (body["expectedEventHash"] ?? body["expectedProposalHead"]) : undefined
  const revision = valueAt(body, "automationRevision")
  return typeof head === "string"
    ? { on, head, revision: typeof revision === "number" ? revision : undefined }
    : undefined
}

/** Head and revision right before a commit, derived from the rows that it appended. */
const versionBefore = (on: string, commit: CommitObservation, { rows, before }: Pick<Moment, "rows" | "before">) => {
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

/** A record is issued on the head of its issuance request; an agent's request, also at its revision. */
const issuanceViolation = (
  { projectId, grantId, headEventHash, automationRevision }: ReturnType<typeof rowsWritten<typeof Issuances>>[number],
  commit: CommitObservation,
  rows: Rows
) => {
  const event = rowsWritten(commit, rows, ProjectEvents, "insert").find((one) => one.projectId === projectId)
  if (event === undefined) return null
  if (rowIn(rows, ProjectEvents, [projectId, event.sequence - 1])?.hash !== headEventHash) {
    return violation(`the record of ${projectId} was issued on another head than its issuance request names`)
  }
  return grantId === null || rowIn(rows, Projects, [projectId])?.automationRevision === automationRevision
    ? null
    : violation(`the record of ${projectId} was issued at another revision than its issuance request names`)
}

const nameOf = ({ actor, method, path }: RequestObservation): string => `${method} ${path} of ${actor}`
