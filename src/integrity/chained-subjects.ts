/** Projects, proposals and grants: their signed chains, and what is stored beside them. */
import { Effect } from "effect"
import { AuthorityEvents, Credentials, GrantProjects, Grants } from "../access/store.ts"
import { Memberships } from "../people/store.ts"
import { readTogether } from "../ports/storage/run.ts"
import { rangeAll } from "../ports/storage/range-all.ts"
import { AutomationChanges, HistoryGaps, Issuances, ProjectEvents, Projects } from "../projects/store.ts"
import { ProposalAutomationChanges, ProposalEvents, Proposals, ProposalVersions } from "../proposals/store.ts"
import { CreditEntries, ResultRecords } from "../records/store.ts"
import { credentialProblem, parentProblem } from "./credentials.ts"
import { recordProblem } from "./credit-ledger.ts"
import { issuanceProblem } from "./queues.ts"
import { type ChainEventRow, chainForms, chainProblem, isDatedBefore } from "./signed-chain.ts"
import { subject } from "./subject.ts"

export const projects = subject(
  "projects",
  Projects,
  "the project's rows in project_events, history_gaps, automation_changes, result_records and issuances",
  (reader, project, { keys }) =>
    Effect.gen(function* () {
      const { projectId: id, agreementDigest, headEventHash, eventCount, automationRevision } = project
      const [events, gaps, changes, issuance, records] = yield* readTogether([
        rangeAll(reader, ProjectEvents, "key", { prefix: [id] }),
        rangeAll(reader, HistoryGaps, "key", { prefix: [id] }),
        rangeAll(reader, AutomationChanges, "key", { prefix: [id] }),
        reader.get(Issuances, [id]),
        rangeAll(reader, ResultRecords, "key", { prefix: [id] })
      ])
      const debits = yield* readTogether(
        records.map(({ confirmationId }) => reader.find(CreditEntries, "byConfirmation", [confirmationId]))
      )
      return () => [
        {
          check: "chain",
          problem: chainProblem(
            chainForms.project,
            { id, origin: agreementDigest, head: [headEventHash, eventCount], events, gaps },
            keys
          )
        },
        { check: "dates", problem: datesProblem(id, events) },
        { check: "limits", problem: tooMany(id, "events", events.length, most.eventsOfAProject) },
        { check: "pauses", problem: revisionsProblem(id, automationRevision, changes) },
        ...records.map((record, index) => ({
          check: "credits",
          problem: recordProblem({ record, project, debits: debits[index] ? [debits[index]] : [], events })
        })),
        {
          check: "queues",
          problem: issuance && named(`the issuance request of ${id}`, issuanceProblem(issuance, records.at(-1)))
        }
      ]
    })
)

export const proposals = subject(
  "proposals",
  Proposals,
  "the proposal's rows in proposal_events, proposal_versions and proposal_automation_changes",
  (reader, { proposalId: id, headEventHash, eventCount, automationRevision }, { keys }) =>
    Effect.gen(function* () {
      const [events, changes, first] = yield* readTogether([
        rangeAll(reader, ProposalEvents, "key", { prefix: [id] }),
        rangeAll(reader, ProposalAutomationChanges, "key", { prefix: [id] }),
        reader.get(ProposalVersions, [id, 1])
      ])
      const rows = { id, origin: first?.digest, head: [headEventHash, eventCount] as const, events }
      return () => [
        { check: "chain", problem: chainProblem(chainForms.proposal, rows, keys) },
        { check: "dates", problem: datesProblem(id, events) },
        { check: "pauses", problem: revisionsProblem(id, automationRevision, changes) }
      ]
    })
)

export const grants = subject(
  "grants",
  Grants,
  "the grant's rows in authority_events, credentials, grant_projects and memberships",
  (reader, grant, { keys }) =>
    Effect.gen(function* () {
      const { grantId: id, authorityHead, authoritySequence, membershipId, projectCount } = grant
      const [events, credentials, membership, scope] = yield* readTogether([
        rangeAll(reader, AuthorityEvents, "key", { prefix: [id] }),
        rangeAll(reader, Credentials, "byGrant", { prefix: [id] }),
        reader.get(Memberships, [membershipId]),
        rangeAll(reader, GrantProjects, "key", { prefix: [id] })
      ])
      const rows = { id, origin: null, head: [authorityHead, authoritySequence] as const, events }
      return () => [
        { check: "chain", problem: chainProblem(chainForms.grant, rows, keys) },
        { check: "dates", problem: datesProblem(id, events) },
        { check: "tokens", problem: credentialProblem(grant, credentials) },
        { check: "tokens", problem: parentProblem(grant, membership, credentials) },
        {
          check: "limits",
          problem:
            tooMany(id, "projects in scope", scope.length, most.projectsOfAGrant) ??
            (scope.length === projectCount
              ? undefined
              : `${id} counts ${projectCount} projects and has ${scope.length}`)
        }
      ]
    })
)

/** The limits of the specification, apart from those that the service applies. */
const most = { eventsOfAProject: 100, projectsOfAGrant: 50 }

const tooMany = (id: string, noun: string, count: number, limit: number): string | undefined =>
  count > limit ? `${id} has ${count} ${noun}, and the limit is ${limit}` : undefined

const datesProblem = (id: string, events: ReadonlyArray<ChainEventRow>): string | undefined => {
  const early = events.find((event, index) => index > 0 && isDatedBefore(event, events[index - 1]!))
  return early === undefined ? undefined : `event ${early.sequence} of ${id} is dated before its predecessor`
}

/** Pauses and resumes are numbered from 1 without a gap, and counted. */
const revisionsProblem = (
  id: string,
  counted: number,
  changes: ReadonlyArray<{ readonly revision: number }>
): string | undefined => {
  const gap = changes.find(({ revision }, index) => revision !== index + 1)
  if (gap !== undefined) return `revision ${gap.revision} of ${id} is numbered out of order`
  return changes.length === counted ? undefined : `${id} counts ${counted} pauses and resumes and has ${changes.length}`
}

const named = (of: string, problem: string | undefined): string | undefined => problem && `${of} ${problem}`
