import { assert, describe, it } from "@effect/vitest"
import { Result } from "effect"
import { decide, type Command } from "../../src/projects/decide.ts"
import type { CheckedFile, CriterionDecision } from "../../src/projects/event.ts"
import type { Project } from "../../src/projects/project.ts"
import {
  after,
  checkedFiles,
  commandFor,
  dayOne,
  digestOfLetter,
  givenAt,
  issueRecord,
  items,
  keeping,
  outcomeOf,
  projectIn,
  respond,
  review,
  submit,
  uuidOf,
  type CommandName
} from "../support/project.ts"

const outcome = (project: Project, command: Command, isPerson = false) =>
  outcomeOf(decide(project, command, givenAt(dayOne, isPerson)))

const anotherDigest = digestOfLetter("0")

describe("every command names the agreement", () => {
  const startOf = {
    RESPOND_ACCEPT: "AWAITING_SUPPLIER",
    RESPOND_REQUEST_CHANGES: "AWAITING_SUPPLIER",
    RESPOND_DECLINE: "AWAITING_SUPPLIER",
    SUBMIT: "LOCKED",
    REVIEW_REQUEST_CHANGES: "SUBMITTED",
    REVIEW_REQUEST_EVIDENCE: "SUBMITTED",
    REVIEW_ACCEPT: "SUBMITTED",
    REVIEW_REJECT: "SUBMITTED",
    ISSUE: "BUYER_CONFIRMED"
  } as const

  it.each(Object.keys(startOf) as ReadonlyArray<CommandName>)("%s on another digest is refused", (name) => {
    const project = { ...projectIn(startOf[name]), agreementDigest: anotherDigest }
    const command = commandFor[name](projectIn(startOf[name]))
    assert.strictEqual(outcome(project, command), "AGREEMENT_DIGEST_MISMATCH")
  })
})

describe("a submission names what it follows", () => {
  const first = projectIn("LOCKED")
  const correction = projectIn("CHANGES_REQUESTED")
  const submissionId = `submission_${uuidOf(7)}`
  const reviewId = `review_${uuidOf(7)}`

  it.each([
    { what: "a first one that names a submission", project: first, changes: { previousSubmissionId: submissionId } },
    { what: "a first one that names a review", project: first, changes: { respondsToReviewId: reviewId } },
    { what: "a correction of nothing", project: correction, changes: { previousSubmissionId: null } },
    {
      what: "a correction of another submission",
      project: correction,
      changes: { previousSubmissionId: submissionId }
    },
    { what: "a correction after no review", project: correction, changes: { respondsToReviewId: null } },
    { what: "a correction after another review", project: correction, changes: { respondsToReviewId: reviewId } }
  ])("$what is refused", ({ project, changes }) => {
    assert.strictEqual(outcome(project, submit(project, changes)), "SUBMISSION_MISMATCH")
  })

  it("the second correction follows the second submission and its review", () => {
    const resubmitted = after(correction, submit(correction))
    const stale = { previousSubmissionId: correction.submission?.submissionId ?? null }
    const asked = after(resubmitted, review(resubmitted, "REQUEST_CHANGES"))
    assert.strictEqual(outcome(asked, submit(asked, stale)), "SUBMISSION_MISMATCH")
    assert.strictEqual(outcome(asked, submit(asked)), "ACCEPTED")
  })
})

describe("a submission has one item a criterion", () => {
  const project = projectIn("LOCKED")
  const [vector, manual] = items as [(typeof items)[number], (typeof items)[number]]

  it.each([
    { what: "no item", given: [] },
    { what: "an item missing", given: [vector] },
    { what: "a criterion twice", given: [vector, vector] },
    { what: "a criterion twice and the other once", given: [vector, vector, manual] },
    { what: "an unknown criterion", given: [vector, { ...manual, criterionId: "other" }] },
    { what: "an unknown criterion more", given: [vector, manual, { ...manual, criterionId: "other" }] }
  ])("$what is refused", ({ given }) => {
    assert.strictEqual(outcome(project, submit(project, { items: given })), "CRITERIA_INCOMPLETE")
  })

  it("in any order, with or without files", () => {
    const given = [{ ...manual, files: [] }, vector]
    assert.strictEqual(outcome(project, submit(project, { items: given })), "ACCEPTED")
  })
})

type Pair = readonly [CriterionDecision["decision"], CriterionDecision["decision"]]

const allPairs: ReadonlyArray<Pair> = (["MET", "NOT_MET", "EVIDENCE_NEEDED"] as const).flatMap((one) =>
  (["MET", "NOT_MET", "EVIDENCE_NEEDED"] as const).map((other): Pair => [one, other])
)

/** Which pairs of decisions each action stands on. */
const standsOn: { readonly [A in "ACCEPT" | "REQUEST_CHANGES" | "REQUEST_EVIDENCE" | "REJECT"]: RegExp } = {
  ACCEPT: /^MET,MET$/,
  REQUEST_CHANGES: /NOT_MET/,
  REJECT: /NOT_MET/,
  REQUEST_EVIDENCE: /^(?!.*NOT_MET).*EVIDENCE_NEEDED/
}

describe("a review decides each criterion, and its action fits", () => {
  const project = projectIn("SUBMITTED")
  const actions = Object.keys(standsOn) as ReadonlyArray<keyof typeof standsOn>
  const cases = actions.flatMap((action) => allPairs.map((pair) => ({ action, pair })))

  it.each(cases)("$action on $pair", ({ action, pair: [vector, manual] }) => {
    const decisions = [
      { criterionId: "vector", decision: vector },
      { criterionId: "manual", decision: manual }
    ]
    const fits = standsOn[action].test(`${vector},${manual}`)
    assert.strictEqual(
      outcome(project, review(project, action, { decisions })),
      fits ? "ACCEPTED" : "CRITERIA_INCOMPLETE"
    )
  })

  const met = (criterionId: string) => ({ criterionId, decision: "MET" as const })
  it.each([
    { what: "no criterion", decisions: [] },
    { what: "one of two", decisions: [met("vector")] },
    { what: "one of them twice", decisions: [met("vector"), met("vector")] },
    { what: "both and one again", decisions: [met("vector"), met("manual"), met("manual")] },
    { what: "an unknown one", decisions: [met("vector"), met("other")] }
  ])("an acceptance that decides $what is refused", ({ decisions }) => {
    assert.strictEqual(outcome(project, review(project, "ACCEPT", { decisions })), "CRITERIA_INCOMPLETE")
  })

  it.each(actions)("%s of another submission is refused", (action) => {
    const submissionId = `submission_${uuidOf(7)}`
    assert.strictEqual(outcome(project, review(project, action, { submissionId })), "SUBMISSION_MISMATCH")
  })
})

describe("the checked files are the submission's files as a set", () => {
  const project = projectIn("SUBMITTED")
  const [svg, pdf, page] = checkedFiles as [CheckedFile, CheckedFile, CheckedFile]

  it.each([
    { what: "in another order", files: [page, svg, pdf], code: "ACCEPTED" },
    { what: "none", files: [], code: "CHECKED_FILES_MISMATCH" },
    { what: "one missing", files: [svg, pdf], code: "CHECKED_FILES_MISMATCH" },
    { what: "one twice in the place of another", files: [svg, svg, pdf], code: "CHECKED_FILES_MISMATCH" },
    { what: "all and one twice", files: [svg, pdf, page, page], code: "CHECKED_FILES_MISMATCH" },
    {
      what: "all and one more",
      files: [svg, pdf, page, { ...page, name: "more" }],
      code: "CHECKED_FILES_MISMATCH"
    },
    { what: "another digest", files: [svg, pdf, { ...page, sha256: anotherDigest }], code: "CHECKED_FILES_MISMATCH" },
    { what: "another name", files: [svg, pdf, { ...page, name: "Logo.svg" }], code: "CHECKED_FILES_MISMATCH" },
    {
      what: "digests of two files of one name exchanged",
      files: [{ ...svg, sha256: page.sha256 }, pdf, { ...page, sha256: svg.sha256 }],
      code: "CHECKED_FILES_MISMATCH"
    }
  ])("$what: $code", ({ files, code }) => {
    assert.strictEqual(outcome(project, review(project, "ACCEPT", { checkedFiles: files })), code)
  })

  it("a submission without files is accepted with none checked", () => {
    const locked = projectIn("LOCKED")
    const empty = after(locked, submit(locked, { items: items.map((item) => ({ ...item, files: [] })) }))
    assert.strictEqual(outcome(empty, review(empty, "ACCEPT", { checkedFiles: [] })), "ACCEPTED")
    assert.strictEqual(outcome(empty, review(empty, "ACCEPT", { checkedFiles })), "CHECKED_FILES_MISMATCH")
  })
})

describe("decisions kept for people", () => {
  const kept: ReadonlyArray<readonly ["RESPOND" | "REVIEW" | "ACCEPT" | "ISSUE", CommandName, boolean]> = [
    ["RESPOND", "RESPOND_ACCEPT", true],
    ["RESPOND", "RESPOND_REQUEST_CHANGES", true],
    ["RESPOND", "RESPOND_DECLINE", true],
    ["REVIEW", "REVIEW_REQUEST_CHANGES", true],
    ["REVIEW", "REVIEW_REQUEST_EVIDENCE", true],
    ["REVIEW", "REVIEW_REJECT", true],
    ["REVIEW", "REVIEW_ACCEPT", true],
    ["ACCEPT", "REVIEW_ACCEPT", true],
    ["ACCEPT", "REVIEW_REJECT", false],
    ["ACCEPT", "REVIEW_REQUEST_CHANGES", false],
    ["ISSUE", "ISSUE", true],
    ["ISSUE", "REVIEW_ACCEPT", false],
    ["REVIEW", "SUBMIT", false],
    ["RESPOND", "SUBMIT", false]
  ]
  const projectFor = (name: CommandName) => {
    if (name.startsWith("RESPOND")) return projectIn("AWAITING_SUPPLIER")
    if (name === "SUBMIT") return projectIn("LOCKED")
    return projectIn(name === "ISSUE" ? "BUYER_CONFIRMED" : "SUBMITTED")
  }

  it.each(kept)("%s keeps %s for people: %s", (decision, name, isKept) => {
    const project = keeping(projectFor(name), decision)
    const command = commandFor[name](project)
    assert.strictEqual(outcome(project, command), isKept ? "HUMAN_DECISION_REQUIRED" : "ACCEPTED")
    assert.strictEqual(outcome(project, command, true), "ACCEPTED")
  })

  it("the refusal says what the person has to do", () => {
    const project = keeping(projectIn("AWAITING_SUPPLIER"), "RESPOND")
    const decided = decide(project, respond(project, "ACCEPT"), givenAt(dayOne))
    assert.strictEqual(
      Result.isFailure(decided) && decided.failure.facts.requiredHumanAction,
      "A person signs this off."
    )
  })
})

describe("a confirmation digest is the current one", () => {
  const awaiting = projectIn("AWAITING_SUPPLIER")
  const submitted = projectIn("SUBMITTED")
  const confirmed = projectIn("BUYER_CONFIRMED")
  const wrong = { confirmationDigest: anotherDigest }

  it.each([
    { what: "RESPOND_ACCEPT", project: awaiting, command: respond(awaiting, "ACCEPT", wrong) },
    { what: "RESPOND_REQUEST_CHANGES", project: awaiting, command: respond(awaiting, "REQUEST_CHANGES", wrong) },
    { what: "RESPOND_DECLINE", project: awaiting, command: respond(awaiting, "DECLINE", wrong) },
    { what: "REVIEW_ACCEPT", project: submitted, command: review(submitted, "ACCEPT", wrong) },
    { what: "ISSUE", project: confirmed, command: issueRecord(confirmed, wrong) }
  ])("$what with another digest, or without one, is refused", ({ project, command }) => {
    assert.strictEqual(outcome(project, command), "CONFIRMATION_DIGEST_STALE")
    const { confirmationDigest: _, ...input } = command.input as { readonly confirmationDigest?: string }
    const without = { ...command, input } as Command
    assert.strictEqual(outcome(project, without), "CONFIRMATION_DIGEST_STALE")
  })

  it("the digest of one operation confirms no other", () => {
    const digests = [
      respond(awaiting, "ACCEPT").input,
      review(submitted, "ACCEPT").input,
      issueRecord(confirmed).input
    ].map((input) => ("confirmationDigest" in input ? input.confirmationDigest : undefined))
    assert.strictEqual(new Set(digests).size, 3)
  })

  it("the digest of one submission does not confirm its correction", () => {
    const { confirmationDigest } = review(submitted, "ACCEPT").input as { readonly confirmationDigest: string }
    const asked = after(submitted, review(submitted, "REQUEST_CHANGES"))
    const corrected = after(asked, submit(asked, { summary: "Again." }))
    const stale = review(corrected, "ACCEPT", { confirmationDigest })
    assert.strictEqual(outcome(corrected, stale), "CONFIRMATION_DIGEST_STALE")
  })

  it("another confirmation id is refused", () => {
    const command = issueRecord(confirmed, { confirmationId: `confirmation_${uuidOf(7)}` })
    assert.strictEqual(outcome(confirmed, command), "CONFIRMATION_MISMATCH")
  })
})
