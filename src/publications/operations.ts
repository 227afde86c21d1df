/** The use cases of people on the publications of a result: propose, approve, withdraw, list. */
import { Effect, Result } from "effect"
import { membershipsOf, type ActingPerson } from "../people/acting-person.ts"
import { holds } from "../people/membership.ts"
import { readNames, readOrganization } from "../people/operations.ts"
import { Signer } from "../ports/signer.ts"
import { compareText } from "../ports/storage/stored-values.ts"
import { inReplicaView, inView, readTogether } from "../ports/storage/run.ts"
import type { Reader, Transaction } from "../ports/storage.ts"
import { parseCanonical } from "../canonical/jcs.ts"
import { readProjectRow, type ProjectRow } from "../projects/project-row.ts"
import { notAParty, readSideMemberships, sideOfMembership } from "../projects/representation.ts"
import { readRecordedSide } from "../projects/side-exclusivity.ts"
import { decodeRecord } from "../records/issued-record.ts"
import { publishingSide } from "../records/publishing-side.ts"
import { signOrRefuse } from "../records/signed-copy.ts"
import type { IdempotentRequest } from "../replay/idempotency.ts"
import { idSeed, type IdStream } from "../vocabulary/ids.ts"
import { now as currentTime, type Instant } from "../vocabulary/instant.ts"
import { limits } from "../vocabulary/limits.ts"
import { refusal, refuse, type Refusal } from "../vocabulary/refusals.ts"
import { traced } from "../vocabulary/traced.ts"
import {
  commitPublicationCommand,
  publicationIn,
  readProjectPublications,
  type PublicationActor,
  type ProjectPublications
} from "./commit.ts"
import { approvalGuard, proposalGuard, withdrawalGuard } from "./publication.ts"
import { ProviderSubjects, Publications, type PublicationRow, type SubjectRow } from "./store.ts"
import { decodeSummary, publicationDigestOf, summaryPayload, type SummaryInput } from "./summary.ts"

/** Proposes a summary of the issued result, which is signed now: the buyer approves the final bytes. */
export const proposePublication = traced("publications.propose")(function* (
  by: ActingPerson,
  request: IdempotentRequest,
  { projectId, ...input }: SummaryInput & { readonly projectId: string }
) {
  const ids = yield* idSeed
  const proposed = yield* commitPublicationCommand(by, request, {
    act: "PROPOSE",
    projectId,
    // The guard refuses a result without a record.
    decide: (published) => unlessRefused(proposalGuard(resultOf(published), published.publications), published.record!),
    apply: (transaction, { published: { row }, actor, decision: record, at }) =>
      insertProposal(transaction, ids("attempt"), { row, record, actor, input, at })
  })
  return yield* withNames(proposed)
})

/** Approves exactly the summary with this digest, for the buyer. */
export const approvePublication = traced("publications.approve")(function* (
  by: ActingPerson,
  request: IdempotentRequest,
  input: { readonly projectId: string; readonly publicationId: string; readonly publicationDigest: string }
) {
  const { projectId, publicationId, publicationDigest } = input
  const approved = yield* commitPublicationCommand(by, request, {
    act: "APPROVE",
    projectId,
    decide: (published) =>
      Result.flatMap(publicationOf(published, publicationId), (publication) =>
        unlessRefused(approvalGuard(publication, publicationDigest, published.row.state), publication)
      ),
    apply: (transaction, { actor, decision, at }) =>
      changePublication(transaction, decision, {
        state: "PUBLISHED",
        approvedBy: actor.personId,
        approvedAt: at
      })
  })
  return yield* withNames(approved)
})

/** Withdraws a proposed or published summary for good, for either side. Effective once acknowledged. */
export const withdrawPublication = traced("publications.withdraw")(function* (
  by: ActingPerson,
  request: IdempotentRequest,
  input: { readonly projectId: string; readonly publicationId: string; readonly reason: string }
) {
  const { projectId, publicationId, reason } = input
  const withdrawn = yield* commitPublicationCommand(by, request, {
    act: "WITHDRAW",
    projectId,
    decide: (published) =>
      Result.flatMap(publicationOf(published, publicationId), (publication) =>
        unlessRefused(withdrawalGuard(publication, published.row.state), publication)
      ),
    apply: (transaction, { actor, decision, at }) =>
      changePublication(transaction, decision, {
        state: "WITHDRAWN",
        withdrawnBy: actor.personId,
        withdrawnSide: actor.side,
        withdrawnAt: at,
        withdrawnReason: reason
      })
  })
  return yield* withNames(withdrawn)
})

/** The publications of a project, newest first, for persons of either side. Reads no history. */
export const listPublications = traced("publications.list")(function* (by: ActingPerson, projectId: string) {
  const now = yield* currentTime
  const { published, side } = yield* inView(function* (reader) {
    const memberships = yield* readSideMemberships(reader, by, projectId, now)
    const published = yield* readProjectPublications(reader, projectId)
    if (published === undefined) return yield* refuse("FORBIDDEN", { detail: notAParty })
    const side = memberships.map((one) => publishingSide(published.row, one, now)).find((one) => one !== undefined)
    return { published, side }
  })
  const projectState = published.row.state
  const named = yield* namePersons(published.publications.toReversed())
  const proposalRefusal = proposalGuard(resultOf(published), published.publications)
  const availableActions: ReadonlyArray<"PROPOSE"> =
    side === "SUPPLIER" && proposalRefusal === undefined ? ["PROPOSE"] : []
  return {
    publications: named.map((publication) => ({ publication, projectState, side })),
    availableActions,
    proposalRefusal
  }
})

/** Those of the newest proposals of each organization that a person can approve now, the newest first. */
export const listPublicationsToApprove = traced("publications.listToApprove")(function* (by: ActingPerson) {
  const now = yield* currentTime
  return yield* inReplicaView(function* (reader) {
    const memberships = (yield* membershipsOf(reader, by.personId)).filter((one) =>
      holds(one, "PUBLICATION_MANAGE", now)
    )
    const proposed = yield* readTogether(
      memberships.map(({ organizationId }) =>
        reader.range(Publications, "byBuyer", {
          prefix: [organizationId, "PROPOSED"],
          direction: "descending",
          limit: limits.publicationsOnPage
        })
      )
    )
    const found = yield* readTogether(
      proposed.flatMap((publications, index) =>
        publications.map((publication) => approvableBy(reader, publication, memberships[index]!, now))
      )
    )
    return found.flatMap((one) => one ?? []).toSorted((one, other) => compareText(one.proposedAt, other.proposedAt))
  })
})

type Membership = Effect.Success<ReturnType<typeof membershipsOf>>[number]

const approvableBy = Effect.fnUntraced(function* (
  reader: Reader,
  publication: PublicationRow,
  membership: Membership,
  now: Instant
) {
  const { publicationId, projectId, digest, proposedAt, summary } = publication
  const [row, recordedSide] = yield* readTogether([
    readProjectRow(reader, projectId),
    readRecordedSide(reader, projectId, membership.personId)
  ])
  const isBuyer = row !== undefined && sideOfMembership(row, membership, now) === "BUYER"
  if (!isBuyer || recordedSide === "SUPPLIER" || approvalGuard(publication, digest, row.state) !== undefined) return
  const { title, subject } = decodeSummary(summary)
  return { publicationId, projectId, title, subject, proposedAt }
})

const resultOf = ({ row, record }: ProjectPublications) => ({ projectState: row.state, isIssued: record !== undefined })

/** A publication of another project is refused like an unknown one. */
const publicationOf = (published: ProjectPublications, publicationId: string) => {
  const publication = publicationIn(published, publicationId)
  return publication === undefined ? Result.fail(refusal("NOT_FOUND")) : Result.succeed(publication)
}

/** The result of a guard: its refusal, or the value to decide on. */
const unlessRefused = <Refused extends Refusal, A>(
  refused: Refused | undefined,
  value: A
): Result.Result<A, Refused> => (refused === undefined ? Result.succeed(value) : Result.fail(refused))

interface NewProposal {
  readonly row: ProjectRow
  readonly record: NonNullable<ProjectPublications["record"]>
  readonly actor: PublicationActor
  readonly input: SummaryInput
  readonly at: Instant
}

const insertProposal = Effect.fnUntraced(function* (
  transaction: Transaction,
  ids: IdStream,
  { row, record, actor, input, at }: NewProposal
) {
  // A result is issued after the supplier's first response, by which its organization is known.
  const { subjectId, name } = yield* findOrCreateSubject(transaction, ids, row.supplierOrganizationId!, at)
  const signer = yield* Signer
  const publicationId = ids.next("pub")
  const source = {
    publicationId,
    subject: { id: subjectId, name },
    record: decodeRecord(record.jws),
    recordDigest: record.digest,
    terms: parseCanonical(row.agreement).terms
  }
  const payload = summaryPayload(input, source, signer.keys, at)
  const publication: PublicationRow = {
    publicationId,
    projectId: row.projectId,
    buyerOrganizationId: row.buyerOrganizationId,
    subjectId,
    recordId: payload.resultId,
    state: "PROPOSED",
    digest: publicationDigestOf(payload),
    summary: yield* signOrRefuse("PUBLICATION", payload),
    completionTime: payload.completionTime,
    proposedBy: actor.personId,
    proposedAt: at,
    approvedBy: null,
    approvedAt: null,
    withdrawnBy: null,
    withdrawnSide: null,
    withdrawnAt: null,
    withdrawnReason: null
  }
  yield* transaction.insert(Publications, publication)
  return publication
})

/** The subject of an organization, which its first publication creates. */
const findOrCreateSubject = Effect.fnUntraced(function* (
  transaction: Transaction,
  ids: IdStream,
  organizationId: string,
  createdAt: Instant
) {
  const [known, organization] = yield* readTogether([
    transaction.get(ProviderSubjects, [organizationId]),
    readOrganization(transaction, organizationId)
  ])
  const name = organization?.name ?? organizationId
  if (known !== undefined) return { subjectId: known.subjectId, name }
  const subject: SubjectRow = { organizationId, subjectId: ids.next("provider"), createdAt }
  yield* transaction.insert(ProviderSubjects, subject)
  return { subjectId: subject.subjectId, name }
})

const changePublication = (transaction: Transaction, publication: PublicationRow, changes: Partial<PublicationRow>) =>
  Effect.as(transaction.update(Publications, [publication.publicationId], changes), { ...publication, ...changes })

/** Adds the name of each person who acted on the publication. */
const withNames = <C extends { readonly publication: PublicationRow }>(changed: C) =>
  Effect.map(namePersons([changed.publication]), ([publication]) => ({ ...changed, publication: publication! }))

const namePersons = Effect.fnUntraced(function* (publications: ReadonlyArray<PublicationRow>) {
  const acted = publications.flatMap((one) => [one.proposedBy, one.approvedBy, one.withdrawnBy])
  const personIds = [...new Set(acted)].filter((personId) => personId !== null)
  const names = new Map((yield* readNames(personIds)).map((name, index) => [personIds[index]!, name]))
  return publications.map((publication) => ({ ...publication, nameOf: (id: string) => names.get(id) ?? id }))
})
