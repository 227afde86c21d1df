/** A draft: unsent and unsigned terms, the authorities that it needs, and its missing fields. */
import type { Role } from "../access/actions.ts"
import type { Authority } from "../people/membership.ts"
import type { DraftContent } from "./content.ts"

export const draftStates = ["DRAFT", "COMMITTED", "DISCARDED"] as const
export type DraftState = (typeof draftStates)[number]

/** A member needs one of these authorities to read and change drafts of that side. */
export const draftAuthorities = (role: Role): ReadonlyArray<Authority> => [
  role === "BUYER" ? "AGREEMENT_CREATE" : "PROPOSAL_MANAGE",
  "RESULT_DRAFT_CREATE"
]

/** The page that finishes it: a buyer's draft becomes an agreement, a supplier's a proposal. */
export const finishPath = (role: Role, draftId: string): `/workspace/${string}` =>
  role === "BUYER" ? `/workspace/projects/new?draft=${draftId}` : `/workspace/proposals/new?draft=${draftId}`

/** The missing fields for an agreement or a proposal, by their names in the creation input. */
export const missingFields = (content: DraftContent, role: Role): ReadonlyArray<string> => {
  const { termsPolicy = {}, originals = {}, criteria = [], signing, recipient = {} } = content
  const isExisting = termsPolicy.contractBasis === "EXISTING_CONTRACT"
  const required: Readonly<Record<string, unknown>> = {
    title: content.title,
    scope: content.scope,
    buyerName: content.buyerName,
    supplierName: content.supplierName,
    supplierReference: content.supplierReference,
    criteria: criteria[0],
    ...Object.fromEntries(criteria.flatMap(criterionParts)),
    deadline: content.deadline,
    reviewDeadline: content.reviewDeadline,
    baselineStatement: content.baselineStatement,
    "termsPolicy.purpose": termsPolicy.purpose,
    "termsPolicy.contractBasis": termsPolicy.contractBasis,
    ...(isExisting ? { "termsPolicy.contractReference": termsPolicy.contractReference } : {}),
    ...(isExisting ? { "termsPolicy.contractClauses": termsPolicy.contractClauses } : {}),
    "termsPolicy.sharing": termsPolicy.sharing,
    "originals.custodian": originals.custodian,
    "originals.location": originals.location,
    "originals.access": originals.access,
    ...(signing === undefined || signing.enabled === false ? {} : signingParts(signing, role)),
    ...(role === "BUYER" ? {} : { "recipient.actorId": recipient.actorId, "recipient.reference": recipient.reference })
  }
  return Object.entries(required).flatMap(([name, value]) => (value === undefined ? [name] : []))
}

const criterionParts = ({ id, title, requirement }: NonNullable<DraftContent["criteria"]>[number], index: number) =>
  Object.entries({ id, title, requirement }).map(([part, value]) => [`criteria[${index}].${part}`, value] as const)

/** A supplier does not name the buyer's signer. */
const signingParts = (
  { method, principal, agreementSignBy, acceptanceSignBy }: NonNullable<DraftContent["signing"]>,
  role: Role
) => ({
  "signing.method": method,
  ...(role === "BUYER" ? { "signing.principal": principal } : {}),
  "signing.agreementSignBy": agreementSignBy,
  "signing.acceptanceSignBy": acceptanceSignBy
})
