/** Why a passport or a result cannot be used, in words for people: the texts for programs name members of a request. */
import type { LineageFault } from "../../closure/lineage-export.ts"
import type { ReferenceFault } from "../../closure/reference-guard.ts"
import { errorBody, type Refusal } from "../../vocabulary/refusals.ts"
import type { Problem } from "../kit/fields.ts"

type FaultTexts<Fault extends string> = { readonly [F in Fault]: Problem }

export const referenceFaultTexts: FaultTexts<ReferenceFault> = {
  NEXT_NOT_CONFIRMED: {
    field: "passport",
    message: "The agreement has ended, or the supplier has not confirmed it. Nothing can be recorded for it now."
  },
  PASSPORT_INVALID: {
    field: "passport",
    message:
      "This service did not make this passport, or parts of it were changed. Get it again from the supplier’s page of public results."
  },
  NOT_THIS_SUPPLIER: {
    field: "passport",
    message: "This passport is about another supplier. Choose one about the supplier that confirmed this agreement."
  },
  RESULT_NOT_IN_PASSPORT: { field: "resultId", message: "This passport does not hold the result. Choose another one." },
  SELF_REFERENCE: { field: "resultId", message: "This is the result of the agreement itself. Choose another one." },
  NOT_CURRENTLY_PUBLIC: {
    field: "resultId",
    message: "This result is not public now. Choose another one, or ask the supplier to publish it."
  }
}

export const lineageFaultTexts: FaultTexts<LineageFault> = {
  PASSPORT_INVALID: {
    field: "passport",
    message:
      "This service did not make this passport, or parts of it were changed. Ask the next agreement’s buyer for the file with which the history was recorded."
  },
  NO_HISTORY_REFERENCE: {
    field: "nextTaskId",
    message: "The buyer of this agreement has recorded no history for it. Choose another one, or ask that buyer."
  },
  PASSPORT_MISMATCH: {
    field: "passport",
    message: "The history of the chosen agreement was recorded with another passport. Ask its buyer for that file."
  },
  RESULT_NOT_THIS_TRANSACTION: {
    field: "nextTaskId",
    message: "The chosen agreement rests on the result of another transaction. Choose another one."
  }
}

/** The problem of the refusal's fault, at its field. */
export const problemIn =
  <Fault extends string>(texts: FaultTexts<Fault>) =>
  (refused: Refusal): Problem => {
    const fault = refused.facts.issues?.[0]?.message
    return isFaultIn(texts, fault) ? texts[fault] : { field: "passport", message: errorBody(refused).detail }
  }

const isFaultIn = <Fault extends string>(texts: FaultTexts<Fault>, fault: string | undefined): fault is Fault =>
  fault !== undefined && Object.hasOwn(texts, fault)
