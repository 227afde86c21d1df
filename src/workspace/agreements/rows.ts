/** The repeatable rows of an agreement's form: criteria and requirements. */
import { Effect, Result, Schema } from "effect"
import { humanDecisions, type SubjectRequirement } from "../../access/actions.ts"
import type { Criterion } from "../../projects/terms.ts"
import { limits } from "../../vocabulary/limits.ts"
import { refuse, type Refusal } from "../../vocabulary/refusals.ts"
import type { FormState, Problem } from "../kit/fields.ts"
import { decodeForm, type FormSubmission } from "../kit/form.ts"
import { anyOf, line, lines, optionalLine, optionalLines } from "../kit/form-values.ts"
import type { Fields } from "../kit/urlencoded.ts"

/** The number of rows of each kind. */
export interface RowCounts {
  readonly criteria: number
  readonly requirements: number
}

export const rowCountNames = { criteria: "criterionRows", requirements: "requirementRows" } as const

export const rowName = (kind: "criterion" | "requirement", row: number, part: string): string => `${kind}${row}${part}`

/** The row counts in a form's hidden fields; undefined for a form that was not rendered by this service. */
export const countRows = (sent: FormState["sent"]): RowCounts | undefined => {
  const criteria = countOf(sent?.[rowCountNames.criteria], limits.criteria)
  const requirements = countOf(sent?.[rowCountNames.requirements], limits.subjectRequirements)
  return criteria === undefined || criteria === 0 || requirements === undefined ? undefined : { criteria, requirements }
}

const countOf = (given: unknown, max: number): number | undefined =>
  typeof given === "string" && /^\d{1,2}$/.test(given) && Number(given) <= max ? Number(given) : undefined

/** Adds a row, up to the limit. */
export const addRow = (fields: Fields, kind: keyof RowCounts, counts: RowCounts): Fields => {
  const max = kind === "criteria" ? limits.criteria : limits.subjectRequirements
  const count = Math.min(counts[kind] + 1, max)
  const name = kind === "criteria" ? "criterion" : "requirement"
  return { [rowName(name, count, "Id")]: defaultId(kind, count), ...fields, [rowCountNames[kind]]: String(count) }
}

/** The default id of a new row. */
export const defaultId = (kind: keyof RowCounts, row: number): string =>
  kind === "criteria" ? String(row) : `requirement-${row}`

interface Rows {
  readonly criteria: ReadonlyArray<Criterion>
  readonly subjectRequirements: ReadonlyArray<SubjectRequirement>
}

export interface DecodedRows {
  readonly rows: Result.Result<Rows, ReadonlyArray<Problem>>
  /** The form without its rows. */
  readonly rest: FormSubmission
}

/** Decodes the rows; a row with only an id is omitted. */
export const decodeRows = Effect.fnUntraced(function* (sent: FormSubmission): Effect.fn.Return<DecodedRows, Refusal> {
  const counts = countRows(sent.fields)
  if (counts === undefined) return yield* refuse("INVALID_REQUEST", { detail: foreignFormDetail })
  const criteria: ReadonlyArray<Row<Criterion>> = yield* Effect.forEach(numbersUpTo(counts.criteria), (row) =>
    decodeCriterion(sent, row)
  )
  const requirements: ReadonlyArray<Row<SubjectRequirement>> = yield* Effect.forEach(
    numbersUpTo(counts.requirements),
    (row) => decodeRequirement(sent, row)
  )
  const problems = [...criteria, ...requirements].flatMap((row: Row<unknown>) =>
    Result.isFailure(row) ? row.failure : []
  )
  const rows = { criteria: criteria.flatMap(decoded), subjectRequirements: requirements.flatMap(decoded) }
  const allProblems = [
    ...problems,
    ...(problems.length === 0 && rows.criteria.length === 0
      ? [{ field: rowName("criterion", 1, "Title"), message: "At least one criterion is needed." }]
      : []),
    ...duplicateIds("criterion", numbersUpTo(counts.criteria), criteria),
    ...duplicateIds("requirement", numbersUpTo(counts.requirements), requirements)
  ]
  return {
    rows: allProblems.length === 0 ? Result.succeed(rows) : Result.fail(allProblems),
    rest: { ...sent, fields: withoutRows(sent.fields, counts) }
  }
})

export interface PartialRows {
  readonly criteria?: ReadonlyArray<Partial<Criterion>>
  readonly subjectRequirements?: ReadonlyArray<SubjectRequirement>
}

/** The same for a draft, where criteria may be incomplete; requirements must be complete. */
export const decodePartialRows = Effect.fnUntraced(function* (
  sent: FormSubmission,
  before: ReadonlyArray<Partial<Criterion>> = []
): Effect.fn.Return<
  { readonly rows: Result.Result<PartialRows, ReadonlyArray<Problem>>; readonly rest: FormSubmission },
  Refusal
> {
  const counts = countRows(sent.fields)
  if (counts === undefined) return yield* refuse("INVALID_REQUEST", { detail: foreignFormDetail })
  const criteria: ReadonlyArray<Row<Partial<Criterion>>> = yield* Effect.forEach(numbersUpTo(counts.criteria), (row) =>
    decodePartialCriterion(sent, row, before)
  )
  const requirements: ReadonlyArray<Row<SubjectRequirement>> = yield* Effect.forEach(
    numbersUpTo(counts.requirements),
    (row) => decodeRequirement(sent, row)
  )
  const problems = [
    ...[...criteria, ...requirements].flatMap((row: Row<unknown>) => (Result.isFailure(row) ? row.failure : [])),
    ...duplicateIds("criterion", numbersUpTo(counts.criteria), criteria),
    ...duplicateIds("requirement", numbersUpTo(counts.requirements), requirements)
  ]
  const present = { criteria: criteria.flatMap(decoded), subjectRequirements: requirements.flatMap(decoded) }
  const rows = {
    ...(present.criteria.length === 0 ? {} : { criteria: present.criteria }),
    ...(present.subjectRequirements.length === 0 ? {} : { subjectRequirements: present.subjectRequirements })
  }
  return {
    rows: problems.length === 0 ? Result.succeed(rows) : Result.fail(problems),
    rest: { ...sent, fields: withoutRows(sent.fields, counts) }
  }
})

/** The detail for a form that no page of this site has rendered. */
export const foreignFormDetail = "The form was not sent as its page shows it."

export const numbersUpTo = (count: number): ReadonlyArray<number> =>
  Array.from({ length: count }, (_, index) => index + 1)

type Row<A> = Result.Result<A | undefined, ReadonlyArray<Problem>>

const decoded = <A>(row: Row<A>): ReadonlyArray<A> =>
  Result.isSuccess(row) && row.success !== undefined ? [row.success] : []

const omitted = Result.succeed(undefined)

const decodeCriterion = Effect.fnUntraced(function* ({ fields, formToken }: FormSubmission, row: number) {
  const parts = partsOf(fields, "criterion", row, criterionParts)
  if (isBlank(parts["Title"]) && isBlank(parts["Requirement"])) return omitted
  const schema = Schema.Struct({
    Id: line(`The id of criterion ${row}`, limits.titleCharacters),
    Title: line(`The title of criterion ${row}`, limits.titleCharacters),
    Requirement: lines(`What criterion ${row} requires`, limits.textCharacters)
  })
  const result = yield* decodeForm(schema, { fields: parts, formToken })
  return Result.mapBoth(result, {
    onFailure: ({ problems }) => namedProblems("criterion", row, problems),
    onSuccess: ({ Id, Title, Requirement }): Criterion => ({ id: Id, title: Title, requirement: Requirement })
  })
})

const decodePartialCriterion = Effect.fnUntraced(function* (
  { fields, formToken }: FormSubmission,
  row: number,
  before: ReadonlyArray<Partial<Criterion>>
) {
  const parts = partsOf(fields, "criterion", row, criterionParts)
  if (isBlank(parts["Title"]) && isBlank(parts["Requirement"]) && !isIdEntered(parts["Id"], row, before)) return omitted
  const schema = Schema.Struct({
    Id: optionalLine(`The id of criterion ${row}`, limits.titleCharacters),
    Title: optionalLine(`The title of criterion ${row}`, limits.titleCharacters),
    Requirement: optionalLines(`What criterion ${row} requires`, limits.textCharacters)
  })
  const result = yield* decodeForm(schema, { fields: parts, formToken })
  return Result.mapBoth(result, {
    onFailure: ({ problems }) => namedProblems("criterion", row, problems),
    onSuccess: ({ Id, Title, Requirement }): Partial<Criterion> => ({
      ...(Id === "" ? {} : { id: Id }),
      ...(Title === "" ? {} : { title: Title }),
      ...(Requirement === "" ? {} : { requirement: Requirement })
    })
  })
})

/** True for an id that a person entered, not a default id or the rest of an emptied criterion. */
const isIdEntered = (given: Fields[string] | undefined, row: number, before: ReadonlyArray<Partial<Criterion>>) => {
  if (typeof given !== "string" || isBlank(given)) return false
  const existing = before.find(({ id }) => id === given.trim())
  return existing === undefined
    ? given.trim() !== defaultId("criteria", row)
    : existing.title === undefined && existing.requirement === undefined
}

const decodeRequirement = Effect.fnUntraced(function* ({ fields, formToken }: FormSubmission, row: number) {
  const parts = partsOf(fields, "requirement", row, requirementParts)
  if (isBlank(parts["Statement"]) && parts["Decisions"] === undefined) return omitted
  const schema = Schema.Struct({
    Id: line(`The id of requirement ${row}`, limits.titleCharacters),
    Statement: lines(`What requirement ${row} says`, limits.textCharacters),
    Decisions: anyOf(`the decisions of requirement ${row}`, humanDecisions)
  })
  const result = yield* decodeForm(schema, { fields: parts, formToken })
  return Result.mapBoth(result, {
    onFailure: ({ problems }) => namedProblems("requirement", row, problems),
    onSuccess: ({ Id, Statement, Decisions }): SubjectRequirement => ({
      id: Id,
      statement: Statement,
      humanDecisions: [...new Set(Decisions)]
    })
  })
})

const criterionParts = ["Id", "Title", "Requirement"]
const requirementParts = ["Id", "Statement", "Decisions"]

const partsOf = (
  fields: Fields,
  kind: "criterion" | "requirement",
  row: number,
  parts: ReadonlyArray<string>
): Fields =>
  Object.fromEntries(
    parts.flatMap((part) => {
      const value = fields[rowName(kind, row, part)]
      return value === undefined ? [] : [[part, value]]
    })
  )

const isBlank = (given: Fields[string] | undefined): boolean =>
  given === undefined || (typeof given === "string" && given.trim() === "")

const namedProblems = (kind: "criterion" | "requirement", row: number, problems: ReadonlyArray<Problem>) =>
  problems.map(({ field, message }) => ({ field: rowName(kind, row, field), message }))

/** Reports ids that occur twice. */
const duplicateIds = <A extends { readonly id?: string }>(
  kind: "criterion" | "requirement",
  numbers: ReadonlyArray<number>,
  rows: ReadonlyArray<Row<A>>
): ReadonlyArray<Problem> => {
  const ids = rows.map((row) => (Result.isSuccess(row) ? row.success?.id : undefined))
  return numbers
    .filter((_, index) => ids[index] !== undefined && ids.indexOf(ids[index]) !== index)
    .map((row) => ({ field: rowName(kind, row, "Id"), message: `The id of ${kind} ${row} is used twice.` }))
}

const withoutRows = (fields: Fields, { criteria, requirements }: RowCounts): Fields => {
  const names = new Set<string>([
    ...Object.values(rowCountNames),
    ...numbersUpTo(criteria).flatMap((row) => criterionParts.map((part) => rowName("criterion", row, part))),
    ...numbersUpTo(requirements).flatMap((row) => requirementParts.map((part) => rowName("requirement", row, part)))
  ])
  return Object.fromEntries(Object.entries(fields).filter(([name]) => !names.has(name)))
}
