/** Creates a proposal: by a person, or by an agent whose grant is linked to it in the same transaction. */
import { linkProposal, saveScope } from "../access/grant.ts"
import { digestOf } from "../canonical/digest.ts"
import { inTransaction, readTogether } from "../ports/storage/run.ts"
import { exclusive } from "../ports/storage.ts"
import type { TransactionHook } from "../replay/transaction-hook.ts"
import { isReplay, readStoredRequest, recordRequest, type IdempotentRequest } from "../replay/idempotency.ts"
import { idSeed } from "../vocabulary/ids.ts"
import type { RefusalCode } from "../vocabulary/refusal-rules.ts"
import { refuse } from "../vocabulary/refusals.ts"
import { sealProposalEvent, summarizeVersion } from "./history.ts"
import type { PartyActor } from "../projects/guard-context.ts"
import { checkOffer, insertVersion, readOfferFacts, type Author } from "./offer.ts"
import type { ProposalCaller } from "./caller.ts"
import type { ProposalInput } from "./proposal.ts"
import { Proposals, ProposalSides } from "./store.ts"
import { traced } from "../vocabulary/traced.ts"

interface Creation<HookCode extends RefusalCode> {
  readonly by: ProposalCaller
  readonly request: IdempotentRequest
  readonly input: ProposalInput
  /** The person and organization that the caller acts for. */
  readonly author: Author
  /** Commits a draft in the same transaction. */
  readonly companion?: TransactionHook<HookCode>
}

/** The created proposal, or the earlier one on a replay. */
export interface CreationResult {
  readonly proposalId: string
  readonly replayed: boolean
  readonly by: PartyActor
}

export const createProposal = traced("proposals.create")(function* <HookCode extends RefusalCode = never>(
  creation: Creation<HookCode>
) {
  const { by: caller, request, input, author, companion } = creation
  const ids = yield* idSeed
  const facts = yield* readOfferFacts(input.terms, author)
  const proposalId = ids("plan").next("proposal")
  const locks = [
    ...caller.locks,
    ...(caller.grantId === null ? [] : [exclusive("grant", caller.grantId)]),
    ...(companion?.locks ?? []),
    exclusive("proposal", proposalId)
  ]
  return yield* inTransaction({ locks }, function* (transaction) {
    const [authority, earlier] = yield* readTogether([
      caller.read(transaction, null),
      readStoredRequest(transaction, request)
    ])
    const now = yield* transaction.now
    yield* authority.requireLive(now)
    if (!authority.mayAct("CREATE_PROPOSAL", now)) return yield* refuse(authority.forbiddenCode)
    const by: PartyActor = {
      personId: authority.personId,
      side: "SUPPLIER",
      isPerson: authority.grant === undefined
    }
    if (yield* isReplay(earlier, request)) return { proposalId: earlier!.target, replayed: true, by }
    const { subjectRequirements, grant } = authority
    yield* checkOffer(transaction, input, author, { ...facts, subjectRequirements, now })
    // The requirements of a creation by an agent equal those of its grant.
    const areRequirementsEqual = digestOf(input.terms.subjectRequirements) === digestOf(subjectRequirements ?? [])
    if (grant !== undefined && !areRequirementsEqual) return yield* refuse("SUBJECT_REQUIREMENTS_NOT_PRESERVED")
    // The link comes first: the first event names the authority head that includes it.
    const scope = grant && (yield* linkProposal(transaction, grant, proposalId, ids("attempt").secret(), now))
    if (grant !== undefined && scope !== undefined) yield* saveScope(transaction, grant.grantId, scope)
    const version = yield* insertVersion(transaction, { proposalId, version: 1 }, input, author)
    const chain = { proposalId, head: version.digest, count: 0, lastEventAt: scope?.authorityAt ?? now }
    const moved = yield* sealProposalEvent(transaction, chain, {
      content: { kind: "CREATE", payload: { version: 1, proposalDigest: version.digest } },
      requestId: request.requestId,
      actor: authority.actorAs(by, grant === undefined ? undefined : { ...grant, ...scope }),
      now
    })
    yield* transaction.insert(Proposals, {
      proposalId,
      tenantId: authority.tenantId,
      organizationId: author.organizationId,
      state: "DRAFT",
      version: 1,
      summary: summarizeVersion(version),
      publishedVersion: null,
      publishedSummary: null,
      recipientActorId: null,
      buyerOrganizationId: null,
      ...moved,
      automationRevision: 0,
      pauses: [],
      holders: grant === undefined ? [] : [{ grantId: grant.grantId, role: "SUPPLIER", personId: grant.personId }],
      projectId: null,
      createdAt: now
    })
    for (const party of new Set([author.organizationId, author.personId])) {
      yield* transaction.insert(ProposalSides, { party, proposalId, role: "SUPPLIER", at: now })
    }
    if (companion !== undefined) yield* companion.commit(transaction, proposalId, now)
    yield* recordRequest(transaction, request, proposalId, now)
    return { proposalId, replayed: false, by }
  })
})
