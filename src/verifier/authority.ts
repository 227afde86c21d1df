/** Checks of the recorded authority: the grant of each agent allowed its action at that moment. */
import { digestOf } from "../canonical/digest.ts"
import { allOf, fail, pass, same, type Finding } from "./ledger.ts"
import type { ChainedEvent } from "./verified-objects.ts"
import type { CheckInputs } from "./check-inputs.ts"
import type { Agreement, AuthorityEvent, ProjectEvent, ResultPackage } from "./schemas.ts"
import { verifierLimits } from "./verifier-limits.ts"

const code = "AUTHORITY_CHAIN"

export interface AuthorityChain {
  readonly grantId: string
  readonly events: ReadonlyArray<ChainedEvent<AuthorityEvent>>
  readonly salts: ResultPackage["authority"][number]["salts"]
}

/** The package holds exactly one chain for each grant under which an agent acted, sorted. */
export const checkAuthoritySet = ({
  history,
  content: { authority }
}: CheckInputs<"history"> & { readonly content: ResultPackage }): Finding<ResultPackage["authority"]> => {
  const grantIds = new Set<string>()
  for (const { content } of history) if (content.actor.execution !== null) grantIds.add(content.actor.execution.grantId)
  const expected = [...grantIds].toSorted()
  const actual = authority.map((chain) => chain.grantId)
  return expected.length === actual.length && expected.every((grantId, index) => grantId === actual[index])
    ? pass(authority, actual.length)
    : fail("AUTHORITY_SET", "authority", expected.length, actual.length)
}

/**
 * A hash chain of one grant without gaps: GRANT comes first, and REVOKE, if there is one, last. Renewals number the
 * credential's generations: 2, 3, 4.
 */
export const checkChain = (chain: AuthorityChain): Finding<AuthorityChain> => {
  if (chain.events.length === 0) return fail(code, "events", "PRESENT")
  let generation = 1
  for (const [index, event] of chain.events.entries()) {
    const before = chain.events[index - 1]
    const { content } = event
    const at = `events[${index}]`
    const link = allOf(null, [
      same(code, `${at}.grantId`, chain.grantId, content.grantId),
      same(code, `${at}.sequence`, index + 1, content.sequence),
      same(code, `${at}.previous`, before?.hash ?? null, content.previous),
      same(code, `${at}.issuedAt`, content.occurredAt, content.issuedAt),
      (index === 0) === (content.kind === "GRANT")
        ? pass(null)
        : fail(code, `${at}.kind`, "GRANT_FIRST_AND_ONCE", content.kind),
      before?.content.kind === "REVOKE" ? fail(code, at, "NOTHING", "REVOKE") : pass(null),
      before !== undefined && content.occurredAt < before.content.occurredAt
        ? fail(code, `${at}.occurredAt`, before.content.occurredAt, content.occurredAt)
        : pass(null)
    ])
    if (!link.ok) return link
    if (content.kind === "RENEW") {
      const generationFinding = same(code, `${at}.change.generation`, ++generation, content.change.generation)
      if (!generationFinding.ok) return generationFinding
    }
  }
  return pass(chain, chain.events.at(-1)?.hash)
}

/**
 * Each salt opens one link to this project, or to the successor that this grant accepted. Salts of other projects are not
 * disclosed.
 */
export const checkSalts = (chain: AuthorityChain, { history }: CheckInputs<"history">): Finding<AuthorityChain> => {
  let last = 0
  const projectIds = new Set(
    history.map(({ content }) =>
      content.actor.execution?.grantId === chain.grantId ? projectOf(content) : content.projectId
    )
  )
  for (const [index, { sequence, salt }] of chain.salts.entries()) {
    const at = `salts[${index}]`
    if (sequence <= last) return fail("AUTHORITY_SALT", `${at}.sequence`, last + 1, sequence)
    last = sequence
    if (![...projectIds].some((projectId) => opens(chain.events[sequence - 1]?.content, projectId, salt))) {
      return fail("AUTHORITY_SALT", at, "LINK_PROJECT", sequence)
    }
  }
  return pass(chain, chain.salts.length)
}

const opens = (link: AuthorityEvent | undefined, projectId: string, salt: string): boolean =>
  link?.kind === "LINK_PROJECT" && link.change.projectDigest === digestOf({ projectId, salt })

/** The project that a grant must reach: a project is superseded by an act on its successor. */
const projectOf = (event: ProjectEvent): string =>
  event.kind === "SUPERSEDE" ? event.payload.successor.projectId : event.projectId

/** The action that an agent's grant must hold; an agent cannot cause an event without an entry. */
const neededActions: Readonly<Record<string, string>> = {
  CREATE: "CREATE_PROJECT",
  RESPOND: "RESPOND_TERMS",
  SUBMIT: "SUBMIT_MATERIALS",
  REVIEW: "REVIEW_DELIVERY",
  ISSUE: "ISSUE_RESULT_RECORD",
  DATE_REVISION: "REQUEST_DATE_CHANGE",
  CONCERN: "RAISE_CONCERN",
  SUPERSEDE: "RESPOND_TERMS"
}

/** As of the authority head that the event names, the grant allowed this agent this action on this project. */
export const checkEventAuthority = (
  { content: event }: ChainedEvent<ProjectEvent>,
  { chains }: { readonly chains: ReadonlyArray<AuthorityChain> }
): Finding<null> => {
  const { execution, ...actor } = event.actor
  if (execution === null) return pass(null, "PERSON")
  const chain = chains.find((candidate) => candidate.grantId === execution.grantId)
  const length = (chain?.events.findIndex((candidate) => candidate.hash === execution.authorityHead) ?? -1) + 1
  if (chain === undefined || length === 0) {
    return fail("AUTHORITY_HEAD", "actor.execution.authorityHead", "ENCLOSED", execution.authorityHead)
  }
  const next = chain.events[length]?.content.occurredAt
  if (next !== undefined && Date.parse(event.occurredAt) - Date.parse(next) > verifierLimits.clocksMs) {
    return fail("AUTHORITY_HEAD", "occurredAt", next, event.occurredAt)
  }
  const asOf = chain.events.slice(0, length).map((one) => one.content)
  const [grant] = asOf
  if (grant?.kind !== "GRANT") return fail(code, "", "GRANT", grant?.kind)
  const { change } = grant
  const expiresAt = asOf.reduce(
    (expiry, one) => (one.kind === "RENEW" ? one.change.expiresAt : expiry),
    change.expiresAt
  )
  const latest = asOf.at(-1)!.occurredAt
  const action =
    event.kind === "REVIEW" && event.payload.action === "ACCEPT"
      ? "CONFIRM_COMPLETION"
      : event.kind === "CREATE" && event.payload.proposalDigest !== undefined
        ? "RESPOND_PROPOSAL"
        : neededActions[event.kind]
  const isLinked = chain.salts.some(({ sequence, salt }) => opens(asOf[sequence - 1], projectOf(event), salt))
  return allOf(
    null,
    [
      asOf.some((one) => one.kind === "REVOKE") ? fail("AUTHORITY_REVOKED", "", "NO_REVOKE", latest) : pass(null),
      latest > event.occurredAt ? fail("AUTHORITY_TIME", "", event.occurredAt, latest) : pass(null),
      expiresAt <= event.occurredAt ? fail("AUTHORITY_EXPIRED", "", event.occurredAt, expiresAt) : pass(null),
      same("AUTHORITY_SUBJECT", "actor.id", change.subjectId, actor.id),
      same("AUTHORITY_SUBJECT", "actor.organizationId", change.organizationId, actor.organizationId),
      same("AUTHORITY_SUBJECT", "actor.role", change.role, actor.role),
      same("AUTHORITY_AGENT", "actor.execution.agentId", change.agentId, execution.agentId),
      change.actions.includes(action ?? "") ? pass(null) : fail("AUTHORITY_ACTION", "", action ?? null),
      isLinked ? pass(null) : fail("AUTHORITY_SCOPE")
    ],
    execution.authorityHead
  )
}

/** The decisions that the requirements of the agreement reserve for people. */
export const decisionsReservedForPeople = (agreement: Agreement): ReadonlySet<string> => {
  const requirements = agreement.terms.subjectRequirements ?? []
  return new Set(requirements.flatMap((requirement) => requirement.humanDecisions))
}

/** A decision that is reserved for people was made by a person. */
export const checkHumanDecision = (
  { content: { kind, payload, actor } }: ChainedEvent<ProjectEvent>,
  { reserved }: { readonly reserved: ReadonlySet<string> }
): Finding<null> => {
  const isReserved = reserved.has(kind) || (kind === "REVIEW" && reserved.has(payload.action))
  return actor.execution !== null && isReserved ? fail("HUMAN_DECISION", "actor.execution", null, kind) : pass(null)
}

/** The grant of a chain, for the reader to compare with the authority that the reader knows of. */
export const describeGrant = (chain: AuthorityChain) => {
  const [first] = chain.events
  const last = chain.events.at(-1)?.content
  const grant = first?.content.kind === "GRANT" ? first.content.change : undefined
  return {
    grantId: chain.grantId,
    grantDigest: first?.hash ?? null,
    organizationId: grant?.organizationId ?? null,
    subjectId: grant?.subjectId ?? null,
    agentId: grant?.agentId ?? null,
    revokedAt: last?.kind === "REVOKE" ? last.occurredAt : null
  }
}
