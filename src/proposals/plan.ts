/** The plan of a proposal command: locks and facts read before its transaction, which rechecks them. */
import { Effect } from "effect"
import { digestOf } from "../canonical/digest.ts"
import { contactLock } from "../people/contacts.ts"
import { inView } from "../ports/storage/run.ts"
import { exclusive, type LockKey } from "../ports/storage.ts"
import type { LegalDocument } from "../projects/terms.ts"
import { currentDocuments } from "../projects/legal.ts"
import { areSignersKnown } from "../projects/new-project.ts"
import { idSeed } from "../vocabulary/ids.ts"
import { now as currentTime } from "../vocabulary/instant.ts"
import type { ProposalCommand } from "./decide.ts"
import { readStoredProposal, type StoredProposal } from "./history.ts"
import { readOfferFacts, readIsSupplierKnown, type OfferFacts } from "./offer.ts"
import type { ProposalCaller } from "./caller.ts"
import { acceptanceHolders, canMoveProposal, type ProposalDocument } from "./proposal.ts"

/** The facts that an acceptance needs. */
export interface AcceptancePlan {
  readonly projectId: string
  readonly documents: ReadonlyArray<LegalDocument>
  readonly areSignersKnown: boolean
  /** False if the named supplier has left the organization that proposed. */
  readonly isSupplierKnown: boolean
}

export interface CommandPlan {
  readonly locks: ReadonlyArray<LockKey>
  /** The proposal as it was read for the plan; undefined if it is out of scope. */
  readonly stored: StoredProposal | undefined
  readonly offer?: OfferFacts
  readonly acceptance?: AcceptancePlan
}

export const planCommand = Effect.fnUntraced(function* ({
  by,
  proposalId,
  expectedProposalHead,
  command
}: {
  readonly by: ProposalCaller
  readonly proposalId: string
  readonly expectedProposalHead: string
  readonly command: ProposalCommand
}) {
  const [authority, stored] = yield* inView(function* (reader) {
    const authority = yield* by.read(reader, proposalId)
    return [authority, authority.isInScope ? yield* readStoredProposal(reader, proposalId) : undefined] as const
  })
  if (stored === undefined) return { locks: [], stored } satisfies CommandPlan
  const { row, current } = stored
  const author = { personId: authority.personId, organizationId: row.organizationId }
  if (command.kind === "UPDATE") {
    return { locks: [], stored, offer: yield* readOfferFacts(command.input.terms, author) } satisfies CommandPlan
  }
  if (command.kind === "PUBLISH") {
    const locks = [contactLock(row.organizationId, current.recipientReference)]
    return { locks, stored, offer: yield* readOfferFacts(current.document.terms, author) } satisfies CommandPlan
  }
  // A command that will be refused takes no further locks.
  if (!isAcceptance(command) || expectedProposalHead !== row.headEventHash || !canMoveProposal(row.state, "ACCEPT")) {
    return { locks: [], stored } satisfies CommandPlan
  }
  const acceptance = yield* planAcceptance(current.document, authority.organizationId)
  const { projectId } = acceptance
  const locks = [
    ...acceptanceHolders(row).map(({ grantId }) => exclusive("grant", grantId)),
    exclusive("project", projectId)
  ]
  return { locks, stored, acceptance } satisfies CommandPlan
})

const planAcceptance = Effect.fnUntraced(function* ({ terms, supplier }: ProposalDocument, organizationId: string) {
  const ids = yield* idSeed
  const now = yield* currentTime
  return {
    projectId: ids("plan").next("delivery"),
    documents: yield* currentDocuments,
    areSignersKnown: yield* areSignersKnown(terms, organizationId),
    isSupplierKnown: yield* inView((reader) => readIsSupplierKnown(reader, supplier, now))
  } satisfies AcceptancePlan
})

export const isAcceptance = (command: ProposalCommand): boolean =>
  command.kind === "RESPOND" && command.input.action === "ACCEPT"

/** True if locks and facts are still current: another version or another grant needs others. */
export const isPlanCurrent = ({ stored: before }: CommandPlan, now: StoredProposal): boolean =>
  before !== undefined && digestOf(planInputs(before)) === digestOf(planInputs(now))

const planInputs = ({ row: { version, publishedVersion, holders } }: StoredProposal) => ({
  version,
  publishedVersion,
  holders
})
