/**
 * Records a history reference: on which published result of its supplier a next agreement rests. The reference and the
 * issuer's link are signed and stored in one transaction.
 */
import { Effect, Result } from "effect"
import { digestOf } from "../canonical/digest.ts"
import { parseCanonical } from "../canonical/jcs.ts"
import { memberLocks, type ActingPerson } from "../people/acting-person.ts"
import { holds, type Validity } from "../people/membership.ts"
import { commitCommand, noPreconditions, type CommandChecks, type LockedContext } from "../pipeline/pipeline.ts"
import { Signer } from "../ports/signer.ts"
import { inView, readTogether } from "../ports/storage/run.ts"
import { exclusive, type Transaction } from "../ports/storage.ts"
import { readStoredProject, type StoredProject } from "../projects/history.ts"
import { requireWholeHistory } from "../projects/lost-head.ts"
import { readPersonAuthority, type PersonAuthority } from "../projects/person-authority.ts"
import type { ProjectRow } from "../projects/project-row.ts"
import { readProjectAsParty, sideOfMembership } from "../projects/representation.ts"
import { takeSide, readRecordedSide } from "../projects/side-exclusivity.ts"
import {
  readDisclosure,
  readOwnPassport,
  type EnclosedPublication,
  type OwnPassport
} from "../publications/own-passport.ts"
import type { ResultPassport } from "../publications/passport.ts"
import { decodeSummary } from "../publications/summary.ts"
import { signOrRefuse } from "../records/signed-copy.ts"
import { readStoredRequest, recordRequest, type IdempotentRequest } from "../replay/idempotency.ts"
import { idSeed, type IdStream } from "../vocabulary/ids.ts"
import { later, now as currentTime, type Instant } from "../vocabulary/instant.ts"
import { refuse, type Refusal } from "../vocabulary/refusals.ts"
import { traced } from "../vocabulary/traced.ts"
import { agreementLinkPayload } from "./agreement-link.ts"
import { currentConfirmationOf } from "./agreement-snapshot.ts"
import { historyReferencePayload } from "./history-reference.ts"
import { referenceGuard } from "./reference-guard.ts"
import { HistoryReferences, type HistoryReferenceRow } from "./store.ts"

export interface ReferenceInput {
  /** The next agreement. */
  readonly projectId: string
  readonly passport: ResultPassport
  readonly resultId: string
  readonly reason: string
}

/** Records the reference, for a person of the next agreement's buyer with AGREEMENT_CREATE. */
export const recordHistoryReference = traced("closure.refer")(function* (
  by: ActingPerson,
  request: IdempotentRequest,
  input: ReferenceInput
) {
  const ids = yield* idSeed
  const plan = yield* planReference(by, input)
  const { locks, deferred } = locksOf(by, input.projectId, plan)
  const committed = yield* commitCommand({ locks, deferred }, checksOf(by, request, input, plan), {
    apply: (transaction, decided) => insertReference(transaction, ids("attempt"), { ...decided, input }),
    record: (transaction, { referenceId }, now) => recordRequest(transaction, request, referenceId, now)
  })
  if (committed._tag === "Outdated") return yield* Effect.die("a history reference is never planned again")
  const replayed = committed._tag === "Replayed"
  // A replayed request was recorded, with its reference.
  return { reference: replayed ? committed.context.reference! : committed.result, replayed }
})

/** The entry of a passport that the reference names, with its publication. */
interface SelectedResult {
  readonly entry: OwnPassport["manifest"]["entries"][number]
  readonly publication: EnclosedPublication
}

/** Facts that never change: the passport is read before the transaction, which locks the project of one result only. */
interface ReferencePlan {
  readonly membershipId: string
  readonly passport: OwnPassport | undefined
  /** Undefined also where the passport is another supplier's: nothing of that supplier is locked. */
  readonly result: SelectedResult | undefined
  /** False where no supplier has responded yet; a later response is not seen. */
  readonly hasSupplier: boolean
}

const planReference = Effect.fnUntraced(function* (
  by: ActingPerson,
  { projectId, passport: file, resultId }: ReferenceInput
) {
  const now = yield* currentTime
  return yield* inView(function* (reader) {
    const { project, memberships } = yield* readProjectAsParty(reader, by, projectId, now)
    const [membership] = memberships
    const { supplierOrganizationId } = project
    if (membership.side !== "BUYER" || !holds(membership, "AGREEMENT_CREATE", now)) {
      return yield* refuse("FORBIDDEN", { detail: noAuthority })
    }
    const passport = yield* readOwnPassport(reader, file)
    const isOfSupplier = passport !== undefined && passport.supplierOrganizationId === supplierOrganizationId
    const result = isOfSupplier ? resultIn(passport, resultId) : undefined
    const hasSupplier = supplierOrganizationId !== null
    return { membershipId: membership.membershipId, passport, result, hasSupplier } satisfies ReferencePlan
  })
})

const resultIn = ({ manifest, publications }: OwnPassport, resultId: string): SelectedResult | undefined => {
  const index = manifest.entries.findIndex((entry) => entry.resultId === resultId)
  const [entry, publication] = [manifest.entries[index], publications[index]]
  return entry === undefined || publication === undefined ? undefined : { entry, publication }
}

/** The project of the result is locked too, so that no withdrawal is acknowledged before the reference commits. */
const locksOf = (by: ActingPerson, projectId: string, { membershipId, result }: ReferencePlan) => ({
  locks: memberLocks(by, membershipId),
  deferred: projectsOf(projectId, result).map((id) => exclusive("project", id))
})

/** In lock order. */
const projectsOf = (projectId: string, result: SelectedResult | undefined): ReadonlyArray<string> =>
  [...new Set([projectId, ...(result === undefined ? [] : [result.publication.projectId])])].toSorted()

/** The next agreement and the selected result, read under their locks. */
interface ReferenceContext extends LockedContext {
  readonly stored: StoredProject
  readonly recordedSide: ProjectSide | undefined
  readonly reference: HistoryReferenceRow | undefined
  readonly original: Effect.Success<ReturnType<typeof readDisclosure>> | undefined
}

type ProjectSide = NonNullable<Effect.Success<ReturnType<typeof readRecordedSide>>>

interface Referrer {
  readonly personId: string
  readonly organizationId: string
}

/** All that the reference and its link are made of. */
interface DecidedReference {
  readonly manifest: OwnPassport["manifest"]
  readonly result: SelectedResult
  /** The project of the result. */
  readonly original: ProjectRow
  readonly confirmed: NonNullable<ReturnType<typeof currentConfirmationOf>>
}

type ReferenceRefusal = NonNullable<ReturnType<typeof referenceGuard>>

/** No pause stops it: only people act here, and the project's history has no event of it. */
const checksOf = (
  by: ActingPerson,
  request: IdempotentRequest,
  { projectId }: ReferenceInput,
  plan: ReferencePlan
): CommandChecks<
  PersonAuthority,
  ReferenceContext,
  Referrer,
  DecidedReference,
  Refusal<"PROJECT_READ_ONLY"> | ReferenceRefusal,
  Effect.Services<ReturnType<typeof readStoredProject>>
> => ({
  request,
  readAuthority: (transaction) => readPersonAuthority(transaction, by, plan.membershipId),
  lockAndRead: (transaction) => lockAndRead(transaction, by, request, { projectId, result: plan.result }),
  requireActor: ({ personId, organizationId, membership }, { stored, recordedSide }, now) =>
    membership !== undefined && isReferrer(stored.row, membership, now) && (recordedSide ?? "BUYER") === "BUYER"
      ? Effect.succeed({ personId, organizationId })
      : refuse("FORBIDDEN", { detail: noAuthority }),
  isPlanCurrent: () => true,
  ...noPreconditions,
  requireWholeHistory: ({ stored }) => requireWholeHistory(stored.row),
  // Clocks of two servers may differ: it is not earlier than what it names.
  timeOf: ({ context }, now) =>
    later(later(now, context.stored.row.lastEventAt), plan.passport?.manifest.issuedAt ?? now),
  decide: (context) => Effect.fromResult(decideReference(context, projectId, plan))
})

const isReferrer = (
  row: ProjectRow,
  membership: Validity & { readonly organizationId: string; readonly personId: string },
  now: Instant
): boolean => sideOfMembership(row, membership, now) === "BUYER" && holds(membership, "AGREEMENT_CREATE", now)

const noAuthority =
  "A history reference is made by a member of the agreement's buyer with the authority AGREEMENT_CREATE; ask an owner of the organization for it."

const lockAndRead = Effect.fnUntraced(function* (
  transaction: Transaction,
  { personId }: ActingPerson,
  request: IdempotentRequest,
  { projectId, result }: { readonly projectId: string; readonly result: SelectedResult | undefined }
) {
  for (const id of projectsOf(projectId, result)) yield* transaction.lock(exclusive("project", id))
  const [stored, earlierRequest, recordedSide, reference, original] = yield* readTogether([
    readStoredProject(transaction, projectId),
    readStoredRequest(transaction, request),
    readRecordedSide(transaction, projectId, personId),
    transaction.get(HistoryReferences, [projectId]),
    result === undefined ? Effect.undefined : readDisclosure(transaction, result.publication)
  ])
  return stored === undefined ? undefined : { stored, earlierRequest, recordedSide, reference, original }
})

const decideReference = (
  { stored, reference, original }: ReferenceContext,
  projectId: string,
  { passport, result, hasSupplier }: ReferencePlan
): Result.Result<DecidedReference, ReferenceRefusal> => {
  const confirmed = hasSupplier ? currentConfirmationOf(stored.project) : undefined
  const refused = referenceGuard({
    projectId,
    hasReference: reference !== undefined,
    confirmed,
    passport,
    result: original && { projectId: original.row.projectId, isDisclosed: original.isDisclosed }
  })
  if (refused !== undefined) return Result.fail(refused)
  if (confirmed === undefined || passport === undefined || result === undefined || original === undefined) {
    throw new Error("the guard of a reference refuses one without a confirmed agreement, a passport and a result")
  }
  return Result.succeed({ manifest: passport.manifest, result, original: original.row, confirmed })
}

interface NewReference {
  readonly input: ReferenceInput
  readonly context: ReferenceContext
  readonly actor: Referrer
  readonly decision: DecidedReference
  readonly at: Instant
}

const insertReference = Effect.fnUntraced(function* (
  transaction: Transaction,
  ids: IdStream,
  { input, context: { stored, recordedSide }, actor, decision, at }: NewReference
) {
  const { manifest, result, confirmed } = decision
  const { agreement, agreementDigest } = stored.project
  const { projectId, version } = agreement
  const { keys } = yield* Signer
  const payload = historyReferencePayload(
    {
      referenceId: ids.next("reference"),
      project: { id: projectId, version, agreementDigest },
      manifest,
      entry: result.entry,
      madeBy: actor,
      reason: input.reason
    },
    keys,
    at
  )
  const link = agreementLinkPayload(
    {
      linkId: ids.next("link"),
      reference: payload,
      original: originalOf(decision),
      confirmedEventHash: confirmed.confirmedEvent.hash,
      supplierOrganizationId: confirmed.supplierOrganizationId
    },
    at
  )
  const row: HistoryReferenceRow = {
    projectId,
    referenceId: payload.referenceId,
    digest: digestOf(payload),
    reference: yield* signOrRefuse("CLOSURE", payload),
    link: yield* signOrRefuse("CLOSURE", link),
    madeAt: at
  }
  yield* takeSide(transaction, stored.row, recordedSide, { personId: actor.personId, side: "BUYER" })
  yield* transaction.insert(HistoryReferences, row)
  return row
})

const originalOf = ({ original, result }: DecidedReference) => {
  const { resultId, resultDigest } = decodeSummary(result.publication.summary)
  return {
    projectId: original.projectId,
    version: parseCanonical(original.agreement).version,
    agreementDigest: original.agreementDigest,
    recordId: resultId,
    recordDigest: resultDigest
  }
}
