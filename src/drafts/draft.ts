/** A draft: unsent and unsigned terms, the authorities that it needs, and its missing fields. */
import type { Role } from "../access/actions.ts"
import type { Authority } from "../people/membership.ts"
import { pathText, termsPaths, valueAt, type TermsPath } from "../projects/terms.ts"
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
export const missingFields = (content: DraftContent, role: Role): ReadonlyArray<string> => [
  ...termsPaths.filter((path) => isNeeded(path, content, role)).flatMap((path) => missingAt(content, path)),
  ...(role === "BUYER" ? [] : missingParts("recipient", content.recipient ?? {}, ["actorId", "reference"]))
]

/** Fields that have only one value, or that are empty where the draft has none. */
const suppliedFields = ["materialPolicy", "subjectRequirements", "sharingRecipients", "enabled"]

/** A supplier does not name the buyer's signer. */
const isNeeded = ({ group, name, isOptional }: TermsPath, { termsPolicy, signing }: DraftContent, role: Role) => {
  if (suppliedFields.includes(name)) return false
  if (name === "contractReference" || name === "contractClauses") {
    return termsPolicy?.contractBasis === "EXISTING_CONTRACT"
  }
  if (group !== "signing") return !isOptional
  const isSigned = signing !== undefined && signing.enabled !== false
  return isSigned && !isOptional && (name !== "principal" || role === "BUYER")
}

const missingAt = (content: DraftContent, path: TermsPath): ReadonlyArray<string> => {
  const { criteria = [] } = content
  if (path.name === "criteria" && criteria.length > 0) {
    return criteria.flatMap((criterion, index) =>
      missingParts(`criteria[${index}]`, criterion, ["id", "title", "requirement"])
    )
  }
  const value = path.name === "criteria" ? criteria[0] : valueAt(content, path)
  return value === undefined ? [pathText(path)] : []
}

const missingParts = <Part extends string>(
  holder: string,
  value: { readonly [P in Part]?: unknown },
  parts: ReadonlyArray<Part>
): ReadonlyArray<string> => parts.filter((part) => value[part] === undefined).map((part) => `${holder}.${part}`)
