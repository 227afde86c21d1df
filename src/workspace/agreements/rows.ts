/** The repeatable rows of an agreement's form: criteria and requirements. */
import { Effect, Result, Schema } from "effect"
import { humanDecisions, type SubjectRequirement } from "../../access/actions.ts"
import { definedMembers } from "../../drafts/input.ts"
import type { Criterion } from "../../projects/terms.ts"
import { limits } from "../../vocabulary/limits.ts"
import { refuse, type Refusal } from "../../vocabulary/refusals.ts"
import type { FormState, Problem } from "../kit/fields.ts"
import { decodeForm, foreignFormDetail, type FormSubmission } from "../kit/form.ts"
import { anyOf, line, lines, optionalLine, optionalLines } from "../kit/form-values.ts"
import type { Fields } from "../kit/urlencoded.ts"

/** The kinds of rows: the hidden field with their number, its limits, the button that adds one, and the id of a new one. */
export const rowKinds = {
  criterion: {
    addButton: "ADD_CRITERION",
    countName: "criterionRows",
    min: 1,
    max: limits.criteria,
    parts: ["Id", "Title", "Requirement"],
    // It is made from the title, see `withIds`.
    defaultId: () => ""
  },
  requirement: {
    addButton: "ADD_REQUIREMENT",
    countName: "requirementRows",
    min: 0,
    max: limits.subjectRequirements,
    parts: ["Id", "Statement", "Decisions"],
    defaultId: (row: number) => `requirement-${row}`
  }
} as const
export type RowKind = keyof typeof rowKinds

/** The number of rows of each kind. */
type RowCounts = { readonly [K in RowKind]: number }

export const rowName = (kind: RowKind, row: number, part: string): string => `${kind}${row}${part}`

/** The row counts in a form's hidden fields; undefined for a form that was not rendered by this service. */
const countRows = (sent: FormState["sent"]): RowCounts | undefined => {
  const [criterion, requirement] = [countOf(sent, "criterion"), countOf(sent, "requirement")]
  return criterion === undefined || requirement === undefined ? undefined : { criterion, requirement }
}

/** The number of rows in the hidden field; undefined for a form without it. */
export const countOf = (sent: FormState["sent"], kind: RowKind): number | undefined => {
  const { countName, min, max } = rowKinds[kind]
  const given = sent?.[countName]
  const count = typeof given === "string" && /^\d{1,2}$/.test(given) ? Number(given) : undefined
  return count === undefined || count < min || count > max ? undefined : count
}

/** The fields with the row, up to the limit, that this button adds; undefined for another button. */
export const addRow = (fields: Fields, step: Fields[string] | undefined): Fields | undefined => {
  const kind = (["criterion", "requirement"] as const).find((one) => rowKinds[one].addButton === step)
  const before = kind === undefined ? undefined : countOf(fields, kind)
  if (kind === undefined || before === undefined) return undefined
  const { countName, max, defaultId } = rowKinds[kind]
  const count = Math.min(before + 1, max)
  return { [rowName(kind, count, "Id")]: defaultId(count), ...fields, [countName]: String(count) }
}

/** The criteria as form fields: one empty row for none. */
export const fieldsFromCriteria = (criteria: ReadonlyArray<Partial<Criterion>> = []): Fields =>
  fieldsFromRows(
    "criterion",
    (criteria.length === 0 ? [{}] : criteria).map(({ id = "", title = "", requirement = "" }) => [
      id,
      title,
      requirement
    ])
  )

export const fieldsFromRequirements = (requirements: ReadonlyArray<SubjectRequirement> = []): Fields =>
  fieldsFromRows(
    "requirement",
    requirements.map(({ id, statement, humanDecisions }) => [id, statement, humanDecisions])
  )

const fieldsFromRows = (kind: RowKind, rows: ReadonlyArray<ReadonlyArray<Fields[string]>>): Fields => ({
  [rowKinds[kind].countName]: String(rows.length),
  ...Object.fromEntries(
    rows.flatMap((values, index) =>
      rowKinds[kind].parts.map((part, place) => [rowName(kind, index + 1, part), values[place]!])
    )
  )
})

interface Rows<C> {
  readonly criteria: ReadonlyArray<C>
  readonly subjectRequirements: ReadonlyArray<SubjectRequirement>
}

interface DecodedRows<A> {
  readonly rows: Result.Result<A, ReadonlyArray<Problem>>
  /** The form without its rows. */
  readonly rest: FormSubmission
}

/** Decodes the rows; a row with only an id is omitted. */
export const decodeRows = (sent: FormSubmission): Effect.Effect<DecodedRows<Rows<Criterion>>, Refusal> =>
  Effect.map(decodeRowsWith(sent, undefined), ({ rows, problems, duplicates, rest }) => {
    const isEmpty = problems.length === 0 && rows.criteria.length === 0
    const first = { field: rowName("criterion", 1, "Title"), message: "At least one criterion is needed." }
    // Without a problem, every part of a criterion is present.
    const complete = rows as Rows<Criterion>
    return { rows: resultOf(complete, [...problems, ...(isEmpty ? [first] : []), ...duplicates]), rest }
  })

/** The same for a draft, where criteria may be incomplete or missing; requirements must be complete. */
export const decodePartialRows = (
  sent: FormSubmission,
  before: ReadonlyArray<Partial<Criterion>> = []
): Effect.Effect<DecodedRows<Partial<Rows<Partial<Criterion>>>>, Refusal> =>
  Effect.map(decodeRowsWith(sent, before), ({ rows, problems, duplicates, rest }) => {
    const present = definedMembers({
      criteria: rows.criteria.length === 0 ? undefined : rows.criteria,
      subjectRequirements: rows.subjectRequirements.length === 0 ? undefined : rows.subjectRequirements
    })
    return { rows: resultOf(present, [...problems, ...duplicates]), rest }
  })

const resultOf = <A>(rows: A, problems: ReadonlyArray<Problem>): Result.Result<A, ReadonlyArray<Problem>> =>
  problems.length === 0 ? Result.succeed(rows) : Result.fail(problems)

/** The criteria of the saved draft, where the form is one of a draft. */
type SavedCriteria = ReadonlyArray<Partial<Criterion>> | undefined

const decodeRowsWith = Effect.fnUntraced(function* (sent: FormSubmission, before: SavedCriteria) {
  const counts = countRows(sent.fields)
  if (counts === undefined) return yield* refuse("INVALID_REQUEST", { detail: foreignFormDetail })
  const criteria = yield* Effect.forEach(numbersUpTo(counts.criterion), (row) => decodeCriterion(sent, row, before))
  const requirements = yield* Effect.forEach(numbersUpTo(counts.requirement), (row) => decodeRequirement(sent, row))
  return {
    rows: { criteria: withIds(criteria.flatMap(decoded)), subjectRequirements: requirements.flatMap(decoded) },
    problems: [...criteria, ...requirements].flatMap((row: Row<unknown>) => (Result.isFailure(row) ? row.failure : [])),
    duplicates: [...duplicateIds("criterion", criteria), ...duplicateIds("requirement", requirements)],
    rest: { ...sent, fields: withoutRows(sent.fields, counts) }
  }
})

/** Each criterion with a title and no id gets one that is made from the title and is used by no other. */
const withIds = (criteria: ReadonlyArray<Partial<Criterion>>): ReadonlyArray<Partial<Criterion>> => {
  const taken = new Set(criteria.map(({ id }) => id))
  return criteria.map(({ id, ...criterion }, index) => {
    if (id !== undefined || criterion.title === undefined) return id === undefined ? criterion : { id, ...criterion }
    const proposed = proposedIds(criterion.title, index + 1).find((one) => !taken.has(one))!
    taken.add(proposed)
    return { id: proposed, ...criterion }
  })
}

const idCharacters = 40

/** The title as a slug, such as `vector-files`; a number where it has no Latin letter or digit. There is always a free one. */
const proposedIds = (title: string, row: number): ReadonlyArray<string> => {
  const slug = title
    .normalize("NFKD")
    .replace(/\p{M}/gu, "")
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, "-")
    .slice(0, idCharacters)
    .replace(/^-|-$/g, "")
  const [first, base] = slug === "" ? [`c${row}`, "c"] : [slug, `${slug}-`]
  return [first, ...numbersUpTo(limits.criteria + 1).map((number) => `${base}${number + 1}`)]
}

/** The detail for a form that no page of this site has rendered. */

export const numbersUpTo = (count: number): ReadonlyArray<number> =>
  Array.from({ length: count }, (_, index) => index + 1)

/** One decoded row; undefined for an omitted one. */
type Row<A> = Result.Result<A | undefined, ReadonlyArray<Problem>>

const decoded = <A>(row: Row<A>): ReadonlyArray<A> =>
  Result.isSuccess(row) && row.success !== undefined ? [row.success] : []

/** A criterion without its empty parts; only a draft may have some. */
const decodeCriterion = Effect.fnUntraced(function* (
  sent: FormSubmission,
  row: number,
  before: SavedCriteria
): Effect.fn.Return<Row<Partial<Criterion>>, Refusal> {
  const parts = partsOf(sent, "criterion", row)
  const isIdKept = before !== undefined && isIdEntered(parts.fields["Id"], before)
  if (isBlank(parts.fields["Title"]) && isBlank(parts.fields["Requirement"]) && !isIdKept) {
    return Result.succeed(undefined)
  }
  const [oneLine, severalLines] = before === undefined ? [line, lines] : [optionalLine, optionalLines]
  const schema = Schema.Struct({
    Id: optionalLine(`The id of criterion ${row}`, limits.titleCharacters),
    Title: oneLine(`The title of criterion ${row}`, limits.titleCharacters),
    Requirement: severalLines(`What criterion ${row} requires`, limits.textCharacters)
  })
  return Result.mapBoth(yield* decodeForm(schema, parts), {
    onFailure: ({ problems }) => namedProblems("criterion", row, problems),
    onSuccess: ({ Id, Title, Requirement }) =>
      Object.fromEntries(
        Object.entries({ id: Id, title: Title, requirement: Requirement }).filter(([, text]) => text !== "")
      )
  })
})

/** True for an id that a person entered, not the rest of an emptied criterion. */
const isIdEntered = (given: Fields[string] | undefined, before: ReadonlyArray<Partial<Criterion>>) => {
  if (typeof given !== "string" || isBlank(given)) return false
  const existing = before.find(({ id }) => id === given.trim())
  return existing === undefined || (existing.title === undefined && existing.requirement === undefined)
}

const decodeRequirement = Effect.fnUntraced(function* (
  sent: FormSubmission,
  row: number
): Effect.fn.Return<Row<SubjectRequirement>, Refusal> {
  const parts = partsOf(sent, "requirement", row)
  if (isBlank(parts.fields["Statement"]) && parts.fields["Decisions"] === undefined) return Result.succeed(undefined)
  const schema = Schema.Struct({
    Id: line(`The id of requirement ${row}`, limits.titleCharacters),
    Statement: lines(`What requirement ${row} says`, limits.textCharacters),
    Decisions: anyOf(`the decisions of requirement ${row}`, humanDecisions)
  })
  return Result.mapBoth(yield* decodeForm(schema, parts), {
    onFailure: ({ problems }) => namedProblems("requirement", row, problems),
    onSuccess: ({ Id, Statement, Decisions }) => ({
      id: Id,
      statement: Statement,
      humanDecisions: [...new Set(Decisions)]
    })
  })
})

/** The form with the fields of one row, named by their parts. */
const partsOf = (sent: FormSubmission, kind: RowKind, row: number): FormSubmission => {
  const parts = rowKinds[kind].parts.flatMap((part) => {
    const value = sent.fields[rowName(kind, row, part)]
    return value === undefined ? [] : [[part, value] as const]
  })
  return { ...sent, fields: Object.fromEntries(parts) }
}

const isBlank = (given: Fields[string] | undefined): boolean =>
  given === undefined || (typeof given === "string" && given.trim() === "")

const namedProblems = (kind: RowKind, row: number, problems: ReadonlyArray<Problem>) =>
  problems.map(({ field, message }) => ({ field: rowName(kind, row, field), message }))

/** Reports ids that occur twice. */
const duplicateIds = <A extends { readonly id?: string }>(
  kind: RowKind,
  rows: ReadonlyArray<Row<A>>
): ReadonlyArray<Problem> => {
  const ids = rows.map((row) => (Result.isSuccess(row) ? row.success?.id : undefined))
  return numbersUpTo(rows.length)
    .filter((row) => ids[row - 1] !== undefined && ids.indexOf(ids[row - 1]) !== row - 1)
    .map((row) => ({ field: rowName(kind, row, "Id"), message: `The id of ${kind} ${row} is used twice.` }))
}

const withoutRows = (fields: Fields, counts: RowCounts): Fields => {
  const names = Object.entries(rowKinds).flatMap(([kind, { countName, parts }]) => [
    countName,
    ...numbersUpTo(counts[kind as RowKind]).flatMap((row) => parts.map((part) => rowName(kind as RowKind, row, part)))
  ])
  return Object.fromEntries(Object.entries(fields).filter(([name]) => !names.includes(name)))
}
