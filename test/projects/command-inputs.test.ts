/** The input of every command on a project: what it accepts, and the place of each member that it refuses. */
import { assert, describe, it } from "@effect/vitest"
import { Exit, Schema, SchemaIssue } from "effect"
import { ChangeRepresentativeInput } from "../../src/projects/commands/change-representative.ts"
import { ConcernInput, ResolveConcernInput, WithdrawConfirmationInput } from "../../src/projects/commands/concern.ts"
import { DateRevisionInput } from "../../src/projects/commands/date-revision.ts"
import { HandoffInput } from "../../src/projects/commands/handoff.ts"
import { IssueRecordInput } from "../../src/projects/commands/issue-record.ts"
import { LiftHoldInput } from "../../src/projects/commands/lift-hold.ts"
import { RespondInput } from "../../src/projects/commands/respond.ts"
import { ReviewInput } from "../../src/projects/commands/review.ts"
import { SignInput } from "../../src/projects/commands/sign.ts"
import { SubmitInput } from "../../src/projects/commands/submit.ts"
import { limits } from "../../src/vocabulary/limits.ts"
import { digestOfCharacter, uuidOf } from "../support/project-people.ts"

const [digest, otherDigest] = [digestOfCharacter("a"), digestOfCharacter("b")]
const idOf = (kind: string) => `${kind}_${uuidOf(7)}`

const named = { requestId: uuidOf(1), agreementDigest: digest }
const reasoned = { ...named, reason: "As agreed." }
const atHead = { ...reasoned, expectedEventHash: otherDigest }
const onConfirmation = { confirmationId: idOf("confirmation") }

const native = { method: "NATIVE", digest }
const external = {
  method: "EXTERNAL",
  evidence: {
    provider: "Paper",
    reference: "Folder 3",
    fileName: "signed.pdf",
    sha256: digest,
    signedAt: "2026-01-05T09:00:00.000Z"
  }
}

const file = { name: "logo.svg", reference: "folder/logo.svg", size: 41, sha256: digest }
const item = { criterionId: "vector", summary: "One file.", references: ["https://example.test/a"], files: [file] }

const reviewed = { ...atHead, submissionId: idOf("submission") }
const acceptance = {
  ...reviewed,
  action: "ACCEPT",
  nextAction: "",
  decisions: [{ criterionId: "vector", decision: "MET", note: "Sharp." }],
  checkedFiles: [{ criterionId: "vector", name: "logo.svg", sha256: digest }],
  confirmationDigest: digest,
  signature: native
}
const changes = {
  ...reviewed,
  action: "REQUEST_CHANGES",
  nextAction: "Draw it wider.",
  decisions: [{ criterionId: "vector", decision: "NOT_MET" }]
}

/** A complete input of each command, and its members that may be absent. */
const inputs: { readonly [name: string]: readonly [Schema.ConstraintDecoder<unknown>, object, ReadonlyArray<string>] } =
  {
    RESPOND: [
      RespondInput,
      {
        ...reasoned,
        action: "ACCEPT",
        actorId: idOf("person"),
        actorRole: "SUPPLIER",
        authorityAttested: true,
        confirmationDigest: digest
      },
      ["confirmationDigest"]
    ],
    "SIGN natively": [SignInput, { ...named, signature: native }, []],
    "SIGN externally": [SignInput, { ...named, signature: external }, []],
    SUBMIT: [
      SubmitInput,
      {
        ...named,
        previousSubmissionId: idOf("submission"),
        respondsToReviewId: idOf("review"),
        summary: "All of it.",
        items: [item]
      },
      []
    ],
    REVIEW: [ReviewInput, acceptance, ["confirmationDigest", "signature", "decisions.0.note"]],
    DATE_REVISION: [DateRevisionInput, { ...atHead, purpose: "DELIVERY" }, []],
    LIFT_HOLD: [LiftHoldInput, reasoned, []],
    CONCERN: [ConcernInput, { ...atHead, ...onConfirmation, kind: "MATERIALS" }, []],
    RESOLVE_CONCERN: [ResolveConcernInput, { ...reasoned, ...onConfirmation, resolution: "UPHELD" }, []],
    WITHDRAW_CONFIRMATION: [WithdrawConfirmationInput, { ...reasoned, ...onConfirmation }, []],
    HANDOFF: [HandoffInput, { requestId: uuidOf(1), reason: "A person should look." }, []],
    ISSUE: [
      IssueRecordInput,
      { ...atHead, ...onConfirmation, confirmationDigest: digest, maxCredits: 1 },
      ["confirmationDigest"]
    ],
    CHANGE_REPRESENTATIVE: [ChangeRepresentativeInput, { ...reasoned, supplierActorId: idOf("person") }, []]
  }

const format = SchemaIssue.makeFormatterStandardSchemaV1()

/** The places and messages of what a schema refuses; empty if it accepts the input. */
const issuesOf = (
  schema: Schema.ConstraintDecoder<unknown>,
  input: unknown
): ReadonlyArray<readonly [string, string]> => {
  const decoded = Schema.decodeUnknownExit(schema)(input)
  if (Exit.isSuccess(decoded)) return []
  const [reason] = decoded.cause.reasons
  assert(reason?._tag === "Fail")
  return format(reason.error.issue).issues.map(({ path = [], message }) => [path.join("."), message] as const)
}

/** The place of every member and element. */
const placesIn = (value: unknown, place: ReadonlyArray<string> = []): ReadonlyArray<ReadonlyArray<string>> =>
  typeof value === "object" && value !== null
    ? Object.entries(value).flatMap(([key, inner]) => [[...place, key], ...placesIn(inner, [...place, key])])
    : []

/** A copy with another value at a place; without the member if the value is undefined. */
const withAt = (input: unknown, [key = "", ...rest]: ReadonlyArray<string>, value: unknown): unknown => {
  const copy: any = Array.isArray(input) ? [...input] : { ...(input as object) }
  if (rest.length > 0) copy[key] = withAt(copy[key], rest, value)
  else if (value === undefined) delete copy[key]
  else copy[key] = value
  return copy
}

describe("the inputs of commands", () => {
  const rows = Object.entries(inputs).map(([name, [schema, input, optional]]) => ({ name, schema, input, optional }))

  it.each(rows)("A complete input of $name is accepted, also without its optional members", (row) => {
    const { schema, input, optional } = row
    assert.deepStrictEqual(issuesOf(schema, input), [])
    for (const place of optional)
      assert.deepStrictEqual(issuesOf(schema, withAt(input, place.split("."), undefined)), [])
  })

  it.each(rows)("Every other member of $name is required, and each is refused at its place", (row) => {
    const { schema, input, optional } = row
    const places = placesIn(input)
    assert.isAbove(places.length, 1)
    for (const place of places) {
      const at = place.join(".")
      const isElement = /^\d+$/.test(place.at(-1)!)
      // The alternatives of a signature are told apart by its method.
      const expected = at === "signature.method" ? "signature" : at
      const wrong = issuesOf(schema, withAt(input, place, Number.NaN)).map(([found]) => found)
      assert.deepStrictEqual(wrong, [expected])
      if (isElement || optional.some((one) => at === one)) continue
      const missing = issuesOf(schema, withAt(input, place, undefined)).map(([found]) => found)
      assert.deepStrictEqual(missing, [expected])
    }
  })
})

describe("a submission", () => {
  const issuesWith = (changed: object) => issuesOf(SubmitInput, { ...inputs["SUBMIT"]![1], ...changed })
  const withFiles = (...files: ReadonlyArray<object>) => ({ items: [{ ...item, files }] })

  it("The first submission names none before it.", () => {
    assert.deepStrictEqual(issuesWith({ previousSubmissionId: null, respondsToReviewId: null }), [])
  })

  it.each([0, limits.fileBytes])("A file of %d bytes is accepted", (size) => {
    assert.deepStrictEqual(issuesWith(withFiles({ ...file, size })), [])
  })

  it.each([-1, limits.fileBytes + 1, 0.5])("A file of %d bytes is refused", (size) => {
    assert.deepStrictEqual(
      issuesWith(withFiles({ ...file, size })).map(([place]) => place),
      ["items.0.files.0.size"]
    )
  })

  it("Two files of one item have different names.", () => {
    assert.deepStrictEqual(issuesWith(withFiles(file, { ...file, name: "logo.pdf", sha256: otherDigest })), [])
    assert.deepStrictEqual(issuesWith(withFiles(file, { ...file, sha256: otherDigest })), [
      ["items.0.files", "file names of an item must be unique"]
    ])
  })
})

describe("a review", () => {
  const nextAction = ["nextAction", "says what the supplier does next; empty only for ACCEPT and REJECT"]
  const checkedFiles = ["checkedFiles", "belongs to ACCEPT, and ACCEPT needs it"]
  const { checkedFiles: files, confirmationDigest, signature, ...withoutMembersOfAcceptance } = acceptance

  it.each([
    { label: "REQUEST_CHANGES with the next step", review: changes, issues: [] },
    { label: "REQUEST_CHANGES without the next step", review: { ...changes, nextAction: "" }, issues: [nextAction] },
    { label: "REQUEST_EVIDENCE with the next step", review: { ...changes, action: "REQUEST_EVIDENCE" }, issues: [] },
    {
      label: "REQUEST_EVIDENCE without the next step",
      review: { ...changes, action: "REQUEST_EVIDENCE", nextAction: "" },
      issues: [nextAction]
    },
    { label: "REJECT without a next step", review: { ...changes, action: "REJECT", nextAction: "" }, issues: [] },
    { label: "REJECT with a next step", review: { ...changes, action: "REJECT" }, issues: [] },
    { label: "ACCEPT without a next step", review: acceptance, issues: [] },
    { label: "ACCEPT with a next step", review: { ...acceptance, nextAction: "Send the invoice." }, issues: [] },
    { label: "ACCEPT with no checked file", review: { ...acceptance, checkedFiles: [] }, issues: [] },
    { label: "ACCEPT without checked files", review: withoutMembersOfAcceptance, issues: [checkedFiles] },
    {
      label: "REJECT with checked files",
      review: { ...changes, action: "REJECT", checkedFiles: files },
      issues: [checkedFiles]
    },
    {
      label: "REQUEST_CHANGES with a confirmation digest",
      review: { ...changes, confirmationDigest },
      issues: [["confirmationDigest", "belongs to ACCEPT"]]
    },
    {
      label: "REJECT with a signature",
      review: { ...changes, action: "REJECT", signature },
      issues: [["signature", "belongs to ACCEPT"]]
    }
  ])("$label is judged by its members", ({ review, issues }) => {
    assert.deepStrictEqual<unknown>(issuesOf(ReviewInput, review), issues)
  })

  it("As many checked files are accepted as a submission can have.", () => {
    const most = limits.criteria * limits.filesPerItem
    const checked = (count: number) => ({ ...acceptance, checkedFiles: Array.from({ length: count }, () => files[0]) })
    assert.deepStrictEqual(issuesOf(ReviewInput, checked(most)), [])
    assert.deepStrictEqual(
      issuesOf(ReviewInput, checked(most + 1)).map(([place]) => place),
      ["checkedFiles"]
    )
  })
})
