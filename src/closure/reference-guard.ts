/** The guard of a history reference: what it requires of the next agreement, of the passport and of the result. Pure. */
import { refusal } from "../vocabulary/refusals.ts"
import type { ConfirmedAgreement } from "./agreement-snapshot.ts"

export const referenceFaults = [
  "NEXT_NOT_CONFIRMED",
  "PASSPORT_INVALID",
  "NOT_THIS_SUPPLIER",
  "RESULT_NOT_IN_PASSPORT",
  "SELF_REFERENCE",
  "NOT_CURRENTLY_PUBLIC"
] as const
export type ReferenceFault = (typeof referenceFaults)[number]

/** The result that the reference names. */
interface ReferredResult {
  readonly projectId: string
  /** True while it is public. */
  readonly isDisclosed: boolean
}

interface PassportSubject {
  readonly hasReference: boolean
  /** Undefined where the agreement is not confirmed, or has ended. */
  readonly confirmed: Pick<ConfirmedAgreement, "supplierOrganizationId"> | undefined
  /** Undefined where it is not a passport of this installation. */
  readonly passport: { readonly supplierOrganizationId: string } | undefined
}

interface ReferenceSubject extends PassportSubject {
  readonly projectId: string
  /** Undefined where the passport does not hold the result. */
  readonly result: ReferredResult | undefined
}

/** The refusal with the first fault, in the order of the list. */
export const referenceGuard = (subject: ReferenceSubject) => passportGuard(subject) ?? refusalOf(resultFaultOf(subject))

/** The same before a result of the passport is selected. */
export const passportGuard = (subject: PassportSubject) =>
  subject.hasReference ? refusal("ALREADY_EXISTS", { detail: alreadyReferred }) : refusalOf(passportFaultOf(subject))

const refusalOf = (fault: ReferenceFault | undefined) => {
  if (fault === undefined) return undefined
  const { path, detail } = faultTexts[fault]
  return refusal("HISTORY_REFERENCE_INVALID", { detail, issues: [{ path, message: fault }] })
}

const passportFaultOf = ({ confirmed, passport }: PassportSubject): ReferenceFault | undefined => {
  if (confirmed === undefined) return "NEXT_NOT_CONFIRMED"
  if (passport === undefined) return "PASSPORT_INVALID"
  return passport.supplierOrganizationId === confirmed.supplierOrganizationId ? undefined : "NOT_THIS_SUPPLIER"
}

const resultFaultOf = ({ projectId, result }: ReferenceSubject): ReferenceFault | undefined => {
  if (result === undefined) return "RESULT_NOT_IN_PASSPORT"
  if (result.projectId === projectId) return "SELF_REFERENCE"
  return result.isDisclosed ? undefined : "NOT_CURRENTLY_PUBLIC"
}

const alreadyReferred =
  "The agreement has a history reference already, and each agreement has one at most; make none for it."

const faultTexts: { readonly [F in ReferenceFault]: { readonly path: string; readonly detail: string } } = {
  NEXT_NOT_CONFIRMED: {
    path: "id",
    detail:
      "The supplier has not confirmed this agreement, or it has ended; make the reference while it is confirmed and in force."
  },
  PASSPORT_INVALID: {
    path: "passport",
    detail:
      "The member passport is not a Result Passport that this service signed, or its summaries are not those of its manifest; export the passport again."
  },
  NOT_THIS_SUPPLIER: {
    path: "passport",
    detail: "The passport is another supplier's; send one of the organization that confirmed this agreement."
  },
  RESULT_NOT_IN_PASSPORT: {
    path: "resultId",
    detail: "The passport does not hold the result resultId; name one of its entries, or export another passport."
  },
  SELF_REFERENCE: {
    path: "resultId",
    detail: "The result resultId is this agreement's own; name a result of an earlier one."
  },
  NOT_CURRENTLY_PUBLIC: {
    path: "resultId",
    detail: "The result resultId is not public now; name one that is, or ask the supplier."
  }
}
