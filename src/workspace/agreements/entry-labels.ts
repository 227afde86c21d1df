/** The labels of the entered texts, where they are shown for copying. */
import { fields } from "./fields.ts"

/** The label of a text; undefined for a selection. */
export const entryLabel = (name: string): string | undefined => {
  const [, row = "", place, part = ""] = /^(criterion|requirement)([1-9]\d*)([A-Z][a-z]+)$/.exec(name) ?? []
  if (place !== undefined) return Object.hasOwn(rowLabels, row + part) ? `${rowLabels[row + part]} ${place}` : undefined
  const field = fields.find(({ formName }) => formName === name)
  return field?.control === "choice" ? undefined : field?.label
}

const rowLabels: { readonly [name: string]: string } = {
  criterionId: "Id of criterion",
  criterionTitle: "Title of criterion",
  criterionRequirement: "What is required by criterion",
  requirementId: "Id of requirement",
  requirementStatement: "What is said by requirement"
}
