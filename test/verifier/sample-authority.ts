/** The grants of the sample, each with its chain and its agent. */
import { ids, salt } from "./sample-ids.ts"
import { at, digest, type Members, signPayload, uuid } from "./signing.ts"

export type Grant = "buyer" | "supplier" | "successor"

export interface AuthorityForgery {
  readonly authority?: (event: Members, grant: Grant, index: number) => unknown
  readonly signAuthority?: (event: Members) => string | undefined
}

const buyer = { id: ids.buyer, organizationId: ids.buyerOrganization, role: "BUYER" }
const supplier = { id: ids.supplier, organizationId: ids.supplierOrganization, role: "SUPPLIER" }
const people = { buyer, supplier, successor: supplier }

const grants = {
  buyer: {
    grantId: ids.buyerGrant,
    agentId: ids.buyerAgent,
    actions: ["CREATE_PROJECT", "REVIEW_DELIVERY", "CONFIRM_COMPLETION", "ISSUE_RESULT_RECORD"],
    project: ids.project,
    number: 1
  },
  supplier: {
    grantId: ids.supplierGrant,
    agentId: ids.supplierAgent,
    actions: ["RESPOND_TERMS", "SUBMIT_MATERIALS"],
    project: ids.project,
    number: 2
  },
  successor: {
    grantId: ids.successorGrant,
    agentId: ids.successorAgent,
    actions: ["RESPOND_TERMS"],
    project: ids.successor,
    number: 3
  }
} as const satisfies Record<Grant, unknown>

export const grantIds = { buyer: ids.buyerGrant, supplier: ids.supplierGrant, successor: ids.successorGrant } as const

/** The agents as actors, with the authority heads that their events name. */
export type Agents = Readonly<Record<Grant, Members>>

export const agentsUnder = (chains: Readonly<Record<Grant, ReadonlyArray<SignedEvent>>>, head: number): Agents => {
  const under = (grant: Grant): Members => {
    const { grantId, agentId } = grants[grant]
    return { ...people[grant], execution: { grantId, agentId, authorityHead: chains[grant].at(head)!.hash } }
  }
  return { buyer: under("buyer"), supplier: under("supplier"), successor: under("successor") }
}

/** A chain in the format of the package. */
export const enclosedChain = (grant: Grant, chain: ReadonlyArray<SignedEvent>): Members => ({
  grantId: grants[grant].grantId,
  events: chain.map((one) => one.jws),
  salts: [{ sequence: 3, salt: salt(grants[grant].number) }]
})

export interface SignedEvent {
  readonly payload: Members
  readonly jws: string
  readonly hash: string
}

export const chainHash = (payload: Members): string => {
  const event = { ...payload }
  delete event["issuedAt"]
  return digest(event)
}

export const makeChain = (grant: Grant, forgery: AuthorityForgery): Array<SignedEvent> => {
  const { grantId, agentId, actions, project, number } = grants[grant]
  const { id: subjectId, organizationId, role } = people[grant]
  const changes: Array<[kind: string, change: Members]> = [
    [
      "GRANT",
      {
        agentId,
        organizationId,
        subjectId,
        role,
        actions: [...actions],
        subjectRequirements: [],
        expiresAt: at(30)
      }
    ],
    ["LINK_PROJECT", { projectDigest: digest({ projectId: `delivery_${uuid(99)}`, salt: salt(98) }) }],
    ["LINK_PROJECT", { projectDigest: digest({ projectId: project, salt: salt(number) }) }],
    ["RENEW", { expiresAt: at(50), generation: 2 }]
  ]
  const chain: Array<SignedEvent> = []
  for (const [index, [kind, member]] of changes.entries()) {
    const occurredAt = at(index)
    const event = {
      schema: "service.authority-event/v1",
      grantId,
      sequence: index + 1,
      previous: chain.at(-1)?.hash ?? null,
      kind,
      change: member,
      occurredAt,
      issuedAt: occurredAt
    }
    const payload = (forgery.authority?.(event, grant, index) as Members | undefined) ?? event
    chain.push({
      payload,
      jws: forgery.signAuthority?.(payload) ?? signPayload("AUTHORITY", payload),
      hash: chainHash(payload)
    })
  }
  return chain
}
