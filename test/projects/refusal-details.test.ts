import { assert, it } from "@effect/vitest"
import { Result } from "effect"
import { decide, type Command } from "../../src/projects/decide.ts"
import { stateGuard } from "../../src/projects/guards.ts"
import { noRelatedFacts, type GuardContext, type PartyActor } from "../../src/projects/guard-context.ts"
import type { Project } from "../../src/projects/project.ts"
import type { MoveName } from "../../src/projects/moves.ts"
import type { DecisionContext } from "../../src/projects/requirements.ts"
import type { Instant } from "../../src/vocabulary/instant.ts"
import {
  afterCommand,
  dayOne,
  decisionInputAt,
  preparedFor,
  projectIn,
  withSignatures,
  usualCaller
} from "../support/project.ts"
import {
  changeRepresentative,
  commandFor,
  evidence,
  liftHold,
  review,
  sign,
  type CommandName
} from "../support/project-commands.ts"
import { dana, digestOfCharacter, member, sam } from "../support/project-people.ts"

const ofCommand = (
  project: Project,
  command: Command,
  changes: Partial<DecisionContext> = {},
  by = usualCaller(command)
) => {
  const decided = decide(project, command, decisionInputAt(dayOne, by, changes))
  return Result.isFailure(decided) ? decided.failure.facts.detail : "ACCEPTED"
}

const ofMove = (project: Project, move: MoveName, changes: Partial<GuardContext> = {}, by: PartyActor = dana) =>
  stateGuard(project, move, { by, now: dayOne, isIssuanceRequested: false, relatedFacts: noRelatedFacts, ...changes })
    ?.facts.detail

const locked = () => projectIn("LOCKED")
const contested = () => projectIn("CONFIRMATION_CONTESTED")
const native = () => withSignatures(locked(), "NATIVE")
const ofName = (name: CommandName, project: Project) => ofCommand(project, commandFor[name](project))

/** Details of refusals whose code alone is ambiguous. */
const details: ReadonlyArray<readonly [detail: string, refuse: () => string | undefined]> = [
  ["A project in BUYER_REJECTED does not allow this.", () => ofName("SUBMIT", projectIn("BUYER_REJECTED"))],
  ["The agreement already names a supplier.", () => ofMove(projectIn("AWAITING_SUPPLIER"), "ACCEPT_INVITATION")],
  [
    "The agreed project has another representative now; the supplier names that person here too.",
    () =>
      ofCommand(projectIn("AWAITING_SUPPLIER"), commandFor.RESPOND_ACCEPT(projectIn("AWAITING_SUPPLIER")), {
        relatedFacts: { ...noRelatedFacts, isRepresentedByAnother: true }
      })
  ],
  [
    "A revision is already open; revise that one, or wait for the supplier's response.",
    () => ofMove(locked(), "OFFER_REVISION", { relatedFacts: { ...noRelatedFacts, hasOpenRevision: true } })
  ],
  [
    "The record of this confirmation was already requested.",
    () => ofMove(projectIn("BUYER_CONFIRMED"), "ISSUE", { isIssuanceRequested: true })
  ],
  ["No date revision was requested.", () => ofCommand(locked(), liftHold(locked()))],
  ["The agreement requires no signatures.", () => ofCommand(locked(), sign(locked()))],
  [
    "This side has already signed the agreement.",
    () => {
      const once = afterCommand(native(), sign(native()), dayOne, sam)
      return ofCommand(once, sign(once), {}, sam)
    }
  ],
  [
    "The supplier's organization is unknown before its first response.",
    () => ofName("CHANGE_REPRESENTATIVE", projectIn("AWAITING_SUPPLIER"))
  ],
  [
    "This person already represents the supplier.",
    () => {
      const project = preparedFor("CHANGE_REPRESENTATIVE", "LOCKED")
      return ofCommand(project, changeRepresentative(project, { supplierActorId: sam.personId }), {}, member)
    }
  ],
  [
    "The new representative must be a member of the supplier's organization.",
    () => {
      const project = preparedFor("CHANGE_REPRESENTATIVE", "LOCKED")
      return ofCommand(project, changeRepresentative(project), { named: null })
    }
  ],
  [
    "The agreement requires no signature.",
    () => {
      const project = projectIn("SUBMITTED")
      const signature = { method: "NATIVE", digest: digestOfCharacter("0") } as const
      return ofCommand(project, review(project, "ACCEPT", { signature }))
    }
  ],
  [
    "The agreement requires a signature by the method NATIVE.",
    () => ofCommand(native(), sign(native(), { signature: { method: "EXTERNAL", evidence } }))
  ],
  [
    "The agreement requires a signature by the method EXTERNAL.",
    () => {
      const project = withSignatures(projectIn("SUBMITTED"), "EXTERNAL")
      return ofCommand(project, review(project, "ACCEPT"), {}, dana)
    }
  ],
  [
    "The person named to sign for the supplier is not a member of the responding organization.",
    () => {
      const project = withSignatures(projectIn("AWAITING_SUPPLIER"), "NATIVE")
      const relatedFacts = { ...noRelatedFacts, isSignerMissing: true }
      return ofCommand(project, commandFor.RESPOND_ACCEPT(project), { relatedFacts })
    }
  ],
  [
    "A concern can be dismissed only by the side that raised it.",
    () => ofCommand(contested(), commandFor.DISMISS_CONCERN(contested()), {}, sam)
  ]
]

it("A signature dated in the future is refused with the path of its date.", () => {
  const project = withSignatures(locked(), "EXTERNAL")
  const late = { ...evidence, signedAt: "2030-01-01T00:00:00.000Z" as Instant }
  const command = sign(project, { signature: { method: "EXTERNAL", evidence: late } })
  const decided = decide(project, command, decisionInputAt(dayOne, dana))
  assert.deepStrictEqual(Result.isFailure(decided) && decided.failure.facts.issues, [
    { path: "input.signature.evidence.signedAt", message: "must not lie in the future" }
  ])
})

it.each(details)("A refusal has the detail: %s", (detail, refuse) => {
  assert.strictEqual(refuse(), detail)
})
