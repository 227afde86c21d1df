/** A supplier writes a proposal: through an agent, whose scope it enters at once, or as a person. */
import { Effect } from "effect"
import { linkProposal, saveScope } from "../access/grant.ts"
import { digestOf } from "../canonical/digest.ts"
import type { Signer } from "../ports/signer.ts"
import type { Installation } from "../ports/installation.ts"
import { exclusive, Storage } from "../ports/storage.ts"
import type { Companion } from "../replay/companion.ts"
import { isReplay, readRequest, rememberRequest, type Request } from "../replay/replay.ts"
import { idSeed } from "../vocabulary/ids.ts"
import { refuse, type Refused } from "../vocabulary/refusals.ts"
import { sealProposalEvent, summarize } from "./history.ts"
import type { Acting } from "./obstacles.ts"
import { checkOffer, insertVersion, planOffer, type Author } from "./offer.ts"
import type { Principal } from "./principal.ts"
import type { ProposalInput } from "./proposal.ts"
import { Proposals, ProposalSides } from "./store.ts"

interface Creation {
  readonly by: Principal
  readonly request: Request
  readonly input: ProposalInput
  /** Whom the principal acts for. */
  readonly author: Author
  /** What a person finishes with it. */
  readonly companion?: Companion
}

/** What a creation did: nothing again, or the new proposal. */
export interface Created {
  readonly proposalId: string
  readonly replayed: boolean
  readonly by: Acting
}

export const createProposal = Effect.fn("proposals.create")(function* (creation: Creation) {
  const { by: principal, request, input, author, companion } = creation
  const storage = yield* Storage
  const ids = yield* idSeed
  const facts = yield* planOffer(input.terms, author)
  const proposalId = ids("plan").next("proposal")
  const roots = [
    ...principal.roots,
    ...(principal.grantId === null ? [] : [exclusive("grant", principal.grantId)]),
    ...(companion?.roots ?? []),
    exclusive("proposal", proposalId)
  ]
  return yield* storage.transaction({ roots }, (transaction) =>
    Effect.gen(function* (): Effect.fn.Return<Created, Refused, Signer | Installation> {
      const [standing, earlier] = yield* Effect.all(
        [principal.read(transaction, null), readRequest(transaction, request)],
        { concurrency: "unbounded" }
      )
      const now = yield* transaction.now
      yield* standing.requireLive(now)
      if (!standing.mayAct("CREATE_PROPOSAL", now)) return yield* refuse(standing.forbidden)
      const by: Acting = { personId: standing.personId, side: "SUPPLIER", isPerson: standing.grant === undefined }
      if (yield* isReplay(earlier, request)) return { proposalId: earlier!.target, replayed: true, by }
      const { subjectRequirements, grant } = standing
      yield* checkOffer(transaction, input, author, { ...facts, subjectRequirements, now })
      // A creation carries the list of its grant and nothing else.
      const isUnchanged = digestOf(input.terms.subjectRequirements) === digestOf(subjectRequirements ?? [])
      if (grant !== undefined && !isUnchanged) return yield* refuse("SUBJECT_REQUIREMENTS_NOT_PRESERVED")
      // The link comes first: the first event names the authority head that already reaches this proposal.
      const scope =
        grant === undefined
          ? undefined
          : yield* linkProposal(transaction, grant, proposalId, ids("attempt").secret(), now)
      if (grant !== undefined && scope !== undefined) yield* saveScope(transaction, grant.grantId, scope)
      const version = yield* insertVersion(transaction, { proposalId, version: 1 }, input, author)
      const chain = { proposalId, head: version.digest, count: 0, lastEventAt: scope?.authorityAt ?? now }
      const moved = yield* sealProposalEvent(transaction, chain, {
        happening: { kind: "CREATE", payload: { version: 1, proposalDigest: version.digest } },
        requestId: request.requestId,
        actor: standing.actorAs(by, grant === undefined ? undefined : { ...grant, ...scope }),
        now
      })
      yield* transaction.insert(Proposals, {
        proposalId,
        tenantId: standing.tenantId,
        organizationId: author.organizationId,
        state: "DRAFT",
        version: 1,
        summary: summarize(version),
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
      yield* rememberRequest(transaction, request, proposalId, now)
      return { proposalId, replayed: false, by }
    })
  )
})
