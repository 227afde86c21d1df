/** A result is public only while both sides consent to its exact bytes and the buyer's acceptance holds. */
import { digestOf } from "../../../src/canonical/digest.ts"
import { parseSigned } from "../../../src/canonical/jws.ts"
import { Memberships } from "../../../src/people/store.ts"
import { Projects } from "../../../src/projects/store.ts"
import { Publications, type PublicationRow } from "../../../src/publications/store.ts"
import { ResultRecords } from "../../../src/records/store.ts"
import type { Json } from "../../vocabulary/json.ts"
import { valueAt } from "../../vocabulary/json.ts"
import {
  type Moment,
  monitoredProperty,
  pendingRequestKey,
  type PropertyViolation,
  type RequestObservation,
  rowIn,
  rowsWithPrefix,
  violation
} from "../property.ts"
import { bodyOf, callerOf } from "../support/caller.ts"
import { changesTo } from "../support/commits.ts"
import {
  closedWindow,
  type DisclosureWindows,
  pairOf,
  passportIn,
  publicRequestOf,
  statementsIn,
  windowsAfter,
  withoutWindow
} from "../support/disclosures.ts"

export const publishedResultsHaveBothConsents = monitoredProperty<DisclosureWindows>({
  name: "published results have both consents",
  kind: "always",
  says: "A summary is public only after the supplier's representative proposed and the buyer approved its exact bytes, until one of them withdraws it, and only while the buyer's acceptance holds.",
  judges: { kinds: ["request", "response"], commitsTo: [Publications, Projects] },
  initial: {},
  next: (windows, moment) => {
    const { observed, request } = moment
    // Stores the caller of the request, since its session may end before its commit.
    if (observed.kind === "request") callerOf(moment)
    if (observed.kind !== "response")
      return (
        changesTo(moment, Publications)
          .map((change) => consentViolation(change, moment))
          .find((wrong) => wrong !== undefined) ?? windowsAfter(windows, moment)
      )
    if (request === undefined) return windows
    const { ever } = windows[pendingRequestKey(request)] ?? closedWindow
    const pairs = observed.status < 300 ? publicPairsIn(request, observed.body ?? null) : []
    const hidden = pairs.find((pair) => !ever.includes(pair))
    return hidden === undefined
      ? withoutWindow(windows, request)
      : violation(`${request.method} ${request.path} shows ${hidden} as public, which it was not`)
  }
})

/** The publications that an answer says are public, each as `id digest`. */
const publicPairsIn = (request: RequestObservation, body: Json): ReadonlyArray<string> => {
  switch (publicRequestOf(request)?.operation) {
    case "PASSPORT": {
      const { entries, statements } = passportIn(body)
      return [...entries, ...statements.filter(isAvailable)].map(asPair)
    }
    case "STATUS":
      return statementsIn(body).filter(isAvailable).map(asPair)
    case "LIST":
      return (valueAt(body, "publications") as unknown as ReadonlyArray<Parameters<typeof asPair>[0]>).map(asPair)
    case undefined:
      return []
  }
}

const isAvailable = ({ status }: { readonly status: string }): boolean => status === "AVAILABLE"

const asPair = (one: { readonly publicationId: string; readonly publicationDigest: string }): string =>
  pairOf(one.publicationId, one.publicationDigest)

interface Change {
  readonly was: PublicationRow | undefined
  readonly is: PublicationRow | undefined
}

/** Every change of a publication is an act of one side, and changes none of its bytes. */
const consentViolation = ({ was, is }: Change, moment: Moment): PropertyViolation | undefined => {
  if (is === undefined) return violation(`the publication ${was?.publicationId} was removed`)
  const { publicationId, state } = is
  if (was === undefined) return proposalViolation(is, moment)
  if (was.digest !== is.digest || was.summary !== is.summary) return violation(`${publicationId} has other bytes`)
  if (was.state === "PROPOSED" && state === "PUBLISHED") return approvalViolation(is, moment)
  const isWithdrawn = was.state !== "WITHDRAWN" && state === "WITHDRAWN"
  return isWithdrawn ? undefined : violation(`${publicationId} went from ${was.state} to ${state}`)
}

/** By the supplier's representative, of an issued record of an accepted result. */
const proposalViolation = (publication: PublicationRow, moment: Moment): PropertyViolation | undefined => {
  const { publicationId, projectId, state, digest, summary, proposedBy } = publication
  const { rows } = moment
  const project = rowIn(rows, Projects, [projectId])
  if (state !== "PROPOSED") return violation(`${publicationId} was ${state} from the start`)
  if (digest !== digestOf(parseSigned(summary))) return violation(`${publicationId} has the digest of other bytes`)
  if (project?.state !== "BUYER_CONFIRMED" || rowsWithPrefix(rows, ResultRecords, [projectId]).length === 0) {
    return violation(`${publicationId} was proposed without an accepted and issued result`)
  }
  return proposedBy === project.supplierActorId && isCaller(proposedBy, moment)
    ? undefined
    : violation(`${publicationId} was not proposed by the supplier's representative`)
}

/** By a member of the buyer, who named the digest, while the buyer's acceptance holds. */
const approvalViolation = (publication: PublicationRow, moment: Moment): PropertyViolation | undefined => {
  const { publicationId, projectId, digest, approvedBy, buyerOrganizationId } = publication
  const { rows, request } = moment
  const named = request === undefined ? undefined : valueAt(bodyOf(request) ?? null, "publicationDigest")
  if (named !== digest) return violation(`${publicationId} was published by an approval of the digest ${String(named)}`)
  if (rowIn(rows, Projects, [projectId])?.state !== "BUYER_CONFIRMED") {
    return violation(`${publicationId} was approved while the buyer's acceptance did not hold`)
  }
  const isMember = rows
    .of(Memberships)
    .some((one) => one.personId === approvedBy && one.organizationId === buyerOrganizationId && one.endedAt === null)
  return isMember && approvedBy !== null && isCaller(approvedBy, moment)
    ? undefined
    : violation(`${publicationId} was not approved by a member of the buyer`)
}

const isCaller = (personId: string, moment: Moment): boolean => callerOf(moment)?.owner === personId
