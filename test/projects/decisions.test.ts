import { assert, describe, it } from "@effect/vitest"
import { Result } from "effect"
import { decide, type Command } from "../../src/projects/decide.ts"
import type { CheckedFile, CriterionDecision } from "../../src/projects/event.ts"
import type { Project, State } from "../../src/projects/project.ts"
import type { PartyActor } from "../../src/projects/guard-context.ts"
import {
  afterCommand,
  dayOne,
  decisionInputAt,
  withReservedDecisions,
  outcomeOf,
  preparedFor,
  projectIn,
  usualCaller
} from "../support/project.ts"
import {
  checkedFiles,
  commandFor,
  items,
  respond,
  review,
  revise,
  submit,
  type CommandName
} from "../support/project-commands.ts"
import { digestOfCharacter, uuidOf } from "../support/project-people.ts"

const outcome = (project: Project, command: Command, by: PartyActor = usualCaller(command)) =>
  outcomeOf(decide(project, command, decisionInputAt(dayOne, by)))

const anotherDigest = digestOfCharacter("0")

describe("the agreement digest of commands", () => {
  const startOf = {
    RESPOND_ACCEPT: "AWAITING_SUPPLIER",
    RESPOND_REQUEST_CHANGES: "AWAITING_SUPPLIER",
    RESPOND_DECLINE: "AWAITING_SUPPLIER",
    SIGN_AGREEMENT: "LOCKED",
    SUBMIT: "LOCKED",
    REVIEW_REQUEST_CHANGES: "SUBMITTED",
    REVIEW_REQUEST_EVIDENCE: "SUBMITTED",
    REVIEW_ACCEPT: "SUBMITTED",
    REVIEW_REJECT: "SUBMITTED",
    ISSUE: "BUYER_CONFIRMED",
    HOLD_DELIVERY: "LOCKED",
    HOLD_REVIEW: "SUBMITTED",
    LIFT_HOLD: "LOCKED",
    CONCERN: "BUYER_CONFIRMED",
    DISMISS_CONCERN: "CONFIRMATION_CONTESTED",
    UPHOLD_CONCERN: "CONFIRMATION_CONTESTED",
    WITHDRAW_CONFIRMATION: "BUYER_CONFIRMED",
    CHANGE_REPRESENTATIVE: "LOCKED",
    REVISE: "LOCKED"
  } as const
  type ProjectCommandName = Exclude<CommandName, "HANDOFF">

  it.each(Object.keys(startOf) as ReadonlyArray<ProjectCommandName>)(
    "%s with another agreement digest is refused.",
    (name) => {
      const project = preparedFor(name, startOf[name])
      const command = commandFor[name](project)
      assert.strictEqual(outcome(project, command), "ACCEPTED")
      const other = { ...project, agreementDigest: anotherDigest }
      assert.strictEqual(outcome(other, command), "AGREEMENT_DIGEST_MISMATCH")
    }
  )
})

describe("predecessors of a submission", () => {
  const first = "LOCKED" as const
  const correction = "CHANGES_REQUESTED" as const
  const submissionId = `submission_${uuidOf(7)}`
  const reviewId = `review_${uuidOf(7)}`

  it.each([
    { label: "a first one that names a submission", state: first, changes: { previousSubmissionId: submissionId } },
    { label: "a first one that names a review", state: first, changes: { respondsToReviewId: reviewId } },
    { label: "a correction of nothing", state: correction, changes: { previousSubmissionId: null } },
    {
      label: "a correction of another submission",
      state: correction,
      changes: { previousSubmissionId: submissionId }
    },
    { label: "a correction after no review", state: correction, changes: { respondsToReviewId: null } },
    { label: "a correction after another review", state: correction, changes: { respondsToReviewId: reviewId } }
  ])("A submission is refused if it is $label", ({ state, changes }) => {
    const project = projectIn(state)
    assert.strictEqual(outcome(project, submit(project, changes)), "SUBMISSION_MISMATCH")
  })

  it("The second correction must name the second submission and its review.", () => {
    const project = projectIn(correction)
    const resubmitted = afterCommand(project, submit(project))
    const stale = { previousSubmissionId: project.submission?.submissionId ?? null }
    const asked = afterCommand(resubmitted, review(resubmitted, "REQUEST_CHANGES"))
    assert.strictEqual(outcome(asked, submit(asked, stale)), "SUBMISSION_MISMATCH")
    assert.strictEqual(outcome(asked, submit(asked)), "ACCEPTED")
  })
})

describe("items of a submission", () => {
  const prepared = () => projectIn("LOCKED")
  const [vector, manual] = items as [(typeof items)[number], (typeof items)[number]]

  it.each([
    { label: "no item", given: [] },
    { label: "an item missing", given: [vector] },
    { label: "a criterion twice", given: [vector, vector] },
    { label: "a criterion twice and the other once", given: [vector, vector, manual] },
    { label: "an unknown criterion", given: [vector, { ...manual, criterionId: "other" }] },
    { label: "an additional unknown criterion", given: [vector, manual, { ...manual, criterionId: "other" }] }
  ])("A submission with $label is refused.", ({ given }) => {
    assert.strictEqual(outcome(prepared(), submit(prepared(), { items: given })), "CRITERIA_INCOMPLETE")
  })

  it("Items are accepted in any order, with or without files.", () => {
    const given = [{ ...manual, files: [] }, vector]
    assert.strictEqual(outcome(prepared(), submit(prepared(), { items: given })), "ACCEPTED")
  })
})

type Pair = readonly [CriterionDecision["decision"], CriterionDecision["decision"]]

const allPairs: ReadonlyArray<Pair> = (["MET", "NOT_MET", "EVIDENCE_NEEDED"] as const).flatMap((one) =>
  (["MET", "NOT_MET", "EVIDENCE_NEEDED"] as const).map((other): Pair => [one, other])
)

/** The pairs of criterion decisions that each action requires. */
const requiredPairs: { readonly [A in "ACCEPT" | "REQUEST_CHANGES" | "REQUEST_EVIDENCE" | "REJECT"]: RegExp } = {
  ACCEPT: /^MET,MET$/,
  REQUEST_CHANGES: /NOT_MET/,
  REJECT: /NOT_MET/,
  REQUEST_EVIDENCE: /^(?!.*NOT_MET).*EVIDENCE_NEEDED/
}

describe("criterion decisions of a review", () => {
  const prepared = () => projectIn("SUBMITTED")
  const actions = Object.keys(requiredPairs) as ReadonlyArray<keyof typeof requiredPairs>
  const cases = actions.flatMap((action) => allPairs.map((pair) => ({ action, pair })))

  it.each(cases)(
    "$action with the criterion decisions $pair is accepted or refused as the action requires.",
    ({ action, pair: [vector, manual] }) => {
      const decisions = [
        { criterionId: "vector", decision: vector },
        { criterionId: "manual", decision: manual }
      ]
      const fits = requiredPairs[action].test(`${vector},${manual}`)
      assert.strictEqual(
        outcome(prepared(), review(prepared(), action, { decisions })),
        fits ? "ACCEPTED" : "CRITERIA_INCOMPLETE"
      )
    }
  )

  const met = (criterionId: string) => ({ criterionId, decision: "MET" as const })
  it.each([
    { label: "no criterion", decisions: [] },
    { label: "one of two", decisions: [met("vector")] },
    { label: "one of them twice", decisions: [met("vector"), met("vector")] },
    { label: "both and one of them twice", decisions: [met("vector"), met("manual"), met("manual")] },
    { label: "an unknown one", decisions: [met("vector"), met("other")] }
  ])("An acceptance that decides $label is refused.", ({ decisions }) => {
    assert.strictEqual(outcome(prepared(), review(prepared(), "ACCEPT", { decisions })), "CRITERIA_INCOMPLETE")
  })

  it.each(actions)("%s of another submission is refused.", (action) => {
    const submissionId = `submission_${uuidOf(7)}`
    assert.strictEqual(outcome(prepared(), review(prepared(), action, { submissionId })), "SUBMISSION_MISMATCH")
  })
})

describe("checked files of an acceptance", () => {
  const prepared = () => projectIn("SUBMITTED")
  const [svg, pdf, page] = checkedFiles as [CheckedFile, CheckedFile, CheckedFile]

  it.each([
    { label: "in another order", files: [page, svg, pdf], code: "ACCEPTED" },
    { label: "that are empty", files: [], code: "CHECKED_FILES_MISMATCH" },
    { label: "with one missing", files: [svg, pdf], code: "CHECKED_FILES_MISMATCH" },
    { label: "that repeat one instead of another", files: [svg, svg, pdf], code: "CHECKED_FILES_MISMATCH" },
    { label: "with one repeated", files: [svg, pdf, page, page], code: "CHECKED_FILES_MISMATCH" },
    {
      label: "with an additional one",
      files: [svg, pdf, page, { ...page, name: "more" }],
      code: "CHECKED_FILES_MISMATCH"
    },
    {
      label: "with another digest",
      files: [svg, pdf, { ...page, sha256: anotherDigest }],
      code: "CHECKED_FILES_MISMATCH"
    },
    { label: "with another name", files: [svg, pdf, { ...page, name: "Logo.svg" }], code: "CHECKED_FILES_MISMATCH" },
    {
      label: "with the digests of two files of one name exchanged",
      files: [{ ...svg, sha256: page.sha256 }, pdf, { ...page, sha256: svg.sha256 }],
      code: "CHECKED_FILES_MISMATCH"
    }
  ])("The outcome of an acceptance with checked files $label is $code", ({ files, code }) => {
    assert.strictEqual(outcome(prepared(), review(prepared(), "ACCEPT", { checkedFiles: files })), code)
  })

  it("A submission without files is accepted with no checked files.", () => {
    const locked = projectIn("LOCKED")
    const empty = afterCommand(locked, submit(locked, { items: items.map((item) => ({ ...item, files: [] })) }))
    assert.strictEqual(outcome(empty, review(empty, "ACCEPT", { checkedFiles: [] })), "ACCEPTED")
    assert.strictEqual(outcome(empty, review(empty, "ACCEPT", { checkedFiles })), "CHECKED_FILES_MISMATCH")
    const { checkedFiles: _, ...input } = review(empty, "ACCEPT").input as { readonly checkedFiles?: unknown }
    assert.strictEqual(outcome(empty, { kind: "REVIEW", input } as Command), "ACCEPTED")
  })
})

describe("decisions reserved for people", () => {
  const reserved: ReadonlyArray<readonly ["RESPOND" | "REVIEW" | "ACCEPT" | "ISSUE", CommandName, boolean]> = [
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

  it.each(reserved)(
    "A requirement with the human decision %s reserves %s for people: %s.",
    (decision, name, isReserved) => {
      const project = withReservedDecisions(projectFor(name), decision)
      const command = commandFor[name](project)
      assert.strictEqual(outcome(project, command), isReserved ? "HUMAN_DECISION_REQUIRED" : "ACCEPTED")
      assert.strictEqual(outcome(project, command, { ...usualCaller(command), isPerson: true }), "ACCEPTED")
    }
  )

  it("The refusal of a reserved decision names the required human action.", () => {
    const project = withReservedDecisions(projectIn("AWAITING_SUPPLIER"), "RESPOND")
    const command = respond(project, "ACCEPT")
    const decided = decide(project, command, decisionInputAt(dayOne, usualCaller(command)))
    assert.strictEqual(
      Result.isFailure(decided) && decided.failure.facts.requiredHumanAction,
      "A person signs this off."
    )
  })
})

describe("confirmation digests", () => {
  const confirming = [
    ["RESPOND_ACCEPT", "AWAITING_SUPPLIER"],
    ["RESPOND_REQUEST_CHANGES", "AWAITING_SUPPLIER"],
    ["RESPOND_DECLINE", "AWAITING_SUPPLIER"],
    ["REVIEW_ACCEPT", "SUBMITTED"],
    ["ISSUE", "BUYER_CONFIRMED"]
  ] as const

  it.each(confirming)("%s with another confirmation digest, or without one, is refused.", (name, state) => {
    const project = projectIn(state)
    const command = commandFor[name](project)
    const { confirmationDigest, ...input } = command.input as { readonly confirmationDigest?: string }
    assert.isDefined(confirmationDigest)
    const withDigest = (changes: object) => outcome(project, { ...command, input: { ...input, ...changes } } as Command)
    assert.strictEqual(withDigest({ confirmationDigest: anotherDigest }), "CONFIRMATION_DIGEST_STALE")
    assert.strictEqual(withDigest({}), "CONFIRMATION_DIGEST_STALE")
    assert.strictEqual(withDigest({ confirmationDigest }), "ACCEPTED")
  })

  it("Confirmation digests of different operations differ.", () => {
    const digests = ([confirming[0], confirming[3], confirming[4]] as const).map(([name, state]) => {
      const { input } = commandFor[name](projectIn(state))
      return "confirmationDigest" in input ? input.confirmationDigest : undefined
    })
    assert.strictEqual(new Set(digests).size, 3)
  })

  it("The confirmation digest of a submission does not confirm its correction.", () => {
    const submitted = projectIn("SUBMITTED")
    const { confirmationDigest } = review(submitted, "ACCEPT").input as { readonly confirmationDigest: string }
    const asked = afterCommand(submitted, review(submitted, "REQUEST_CHANGES"))
    const corrected = afterCommand(asked, submit(asked, { summary: "Again." }))
    const stale = review(corrected, "ACCEPT", { confirmationDigest })
    assert.strictEqual(outcome(corrected, stale), "CONFIRMATION_DIGEST_STALE")
  })

  const about = [
    ["ISSUE", "BUYER_CONFIRMED"],
    ["CONCERN", "BUYER_CONFIRMED"],
    ["WITHDRAW_CONFIRMATION", "BUYER_CONFIRMED"],
    ["DISMISS_CONCERN", "CONFIRMATION_CONTESTED"],
    ["UPHOLD_CONCERN", "CONFIRMATION_CONTESTED"]
  ] as const

  it.each(about)("%s that names another confirmation is refused.", (name, state) => {
    const project = projectIn(state)
    const command = commandFor[name](project)
    const input = { ...command.input, confirmationId: `confirmation_${uuidOf(7)}` }
    assert.strictEqual(outcome(project, { ...command, input } as Command), "CONFIRMATION_MISMATCH")
  })
})

describe("decisions of commands", () => {
  const decisionOn = (name: CommandName, state: State) => {
    const project = preparedFor(name, state)
    const command = commandFor[name](project)
    return Result.getOrThrow(decide(project, command, decisionInputAt(dayOne, usualCaller(command))))
  }

  it("A decided event carries new ids of their kinds.", () => {
    assert.deepInclude(decisionOn("SUBMIT", "LOCKED"), {
      event: {
        kind: "SUBMIT",
        payload: {
          submissionId: `submission_${uuidOf(1)}`,
          agreementDigest: projectIn("LOCKED").agreementDigest,
          previousSubmissionId: null,
          respondsToReviewId: null,
          summary: "The logo.",
          items
        }
      }
    })
    const accepted = decisionOn("REVIEW_ACCEPT", "SUBMITTED")
    assert.deepInclude("event" in accepted ? accepted.event.payload : {}, {
      reviewId: `review_${uuidOf(1)}`,
      confirmationId: `confirmation_${uuidOf(2)}`,
      submissionDigest: projectIn("SUBMITTED").submission?.digest
    })
  })

  it("Issuance is decided as a request and a hand-off with its reason.", () => {
    assert.deepStrictEqual(decisionOn("ISSUE", "BUYER_CONFIRMED"), { issuance: "REQUESTED" })
    assert.deepStrictEqual(decisionOn("HANDOFF", "LOCKED"), { handoff: { reason: "I am not sure." } })
  })

  it("A revision replaces terms that are not agreed and is offered beside agreed ones.", () => {
    for (const [state, move] of [
      ["AWAITING_SUPPLIER", "REPLACE_TERMS"],
      ["AGREEMENT_CHANGES_REQUESTED", "REPLACE_TERMS"],
      ["LOCKED", "OFFER_REVISION"],
      ["CONFIRMATION_CONTESTED", "OFFER_REVISION"]
    ] as const) {
      const { terms } = revise(projectIn(state)).input as { readonly terms: object }
      assert.deepStrictEqual(decisionOn("REVISE", state), {
        revision: { move, terms, reason: "Another title." }
      } as ReturnType<typeof decisionOn>)
    }
  })

  it("An event payload holds only the input members that belong to the history.", () => {
    const payloads: ReadonlyArray<readonly [CommandName, State, ReadonlyArray<string>]> = [
      [
        "RESPOND_ACCEPT",
        "AWAITING_SUPPLIER",
        ["agreementDigest", "action", "actorRole", "authorityAttested", "reason", "confirmationDigest"]
      ],
      ["SIGN_AGREEMENT", "LOCKED", ["agreementDigest", "party", "signature"]],
      ["HOLD_DELIVERY", "LOCKED", ["agreementDigest", "purpose", "reason"]],
      ["CONCERN", "BUYER_CONFIRMED", ["agreementDigest", "confirmationId", "reason", "kind"]],
      ["UPHOLD_CONCERN", "CONFIRMATION_CONTESTED", ["agreementDigest", "confirmationId", "reason", "resolution"]],
      ["WITHDRAW_CONFIRMATION", "BUYER_CONFIRMED", ["agreementDigest", "confirmationId", "reason"]]
    ]
    for (const [name, state, members] of payloads) {
      const decision = decisionOn(name, state)
      assert.sameMembers(Object.keys("event" in decision ? decision.event.payload : {}), [...members], name)
    }
  })
})
