/** The steps in which a person fills in a draft: each has some sections of the form, and an address of its own. */
import type { DraftContent } from "../../drafts/content.ts"
import { membersIn } from "../agreements/draft-values.ts"
import { sectionOf, type FormSection } from "../agreements/fields.ts"
import type { Problem } from "../kit/fields.ts"
import type { Fields } from "../kit/urlencoded.ts"

export interface DraftStep {
  /** The last part of its address. */
  readonly path: string
  readonly name: string
  readonly sections: readonly [FormSection, ...ReadonlyArray<FormSection>]
}

const parties: DraftStep = { path: "parties", name: "Buyer and supplier", sections: ["parties"] }

export const draftSteps: readonly [DraftStep, ...ReadonlyArray<DraftStep>] = [
  parties,
  { path: "work", name: "Work and criteria", sections: ["subject", "criteria"] },
  { path: "dates", name: "Dates", sections: ["dates"] },
  { path: "terms", name: "Terms", sections: ["termsPolicy", "originals", "requirements", "signing"] }
]

/** The last part of the preview's address, which follows the steps. */
export const previewPath = "preview"

/** The step with the control of this name. */
export const stepOf = (field: string): DraftStep =>
  draftSteps.find(({ sections }) => sections.includes(sectionOf(field))) ?? parties

/** The path after a step: the next step or the preview. */
export const pathAfter = (step: DraftStep): string => draftSteps[draftSteps.indexOf(step) + 1]?.path ?? previewPath

export const fieldsWithin = (step: DraftStep, fields: Fields): Fields => filterFields(fields, (one) => one === step)

export const fieldsOutside = (step: DraftStep, fields: Fields): Fields => filterFields(fields, (one) => one !== step)

const filterFields = (fields: Fields, isIncluded: (step: DraftStep) => boolean): Fields =>
  Object.fromEntries(Object.entries(fields).filter(([name]) => isIncluded(stepOf(name))))

/** How far a step is filled in. */
export interface StepProgress {
  readonly step: DraftStep
  /** True where a value of the step is saved. */
  readonly isStarted: boolean
  /** The missing fields and the values to be corrected. */
  readonly problems: ReadonlyArray<Problem>
}

export const progressOf = (content: DraftContent, problems: ReadonlyArray<Problem>): ReadonlyArray<StepProgress> =>
  draftSteps.map((step) => ({
    step,
    isStarted: step.sections.flatMap(membersIn).some((name) => Object.hasOwn(content, name)),
    problems: problems.filter(({ field }) => stepOf(field) === step)
  }))

/** The step with which a person continues: the first one with a problem, or the preview. */
export const openStep = (progress: ReadonlyArray<StepProgress>): string =>
  progress.find(({ problems }) => problems.length > 0)?.step.path ?? previewPath
