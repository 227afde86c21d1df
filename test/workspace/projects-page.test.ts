/** A project's page in every state of an agreement, forms that were shown before it changed, and the list of projects. */
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { endMembership } from "../../src/people/memberships.ts"
import { now } from "../../src/vocabulary/instant.ts"
import { stepOf } from "../../src/workspace/project-words.ts"
import { formOn, formsOn, readPage } from "../support/page-forms.ts"
import { faultsOf } from "../support/page-scan.ts"
import { command, makeAgent, readProject, submissionFor } from "../support/parties.ts"
import { pauseAs } from "../support/people.ts"
import {
  accepted,
  act,
  agreeing,
  decided,
  delivered,
  locked,
  see,
  signingBy,
  termsOf,
  type Pair
} from "../support/person-commands.ts"
import { filled, joinedBy, mustAct, projectPage, stateOf, wordsOn } from "../support/project-pages.ts"
import { freshTestService } from "../support/service.ts"
import { signInAnew } from "../support/sessions.ts"
import { made } from "../support/workspace.ts"

const hostile = `</p><script>alert(1)</script><b onclick=x>\u202e"&amp;`
const inert = "&lt;/p>&lt;script>alert(1)&lt;/script>&lt;b onclick=x>‹U+202E›"

const pair = Effect.gen(function* () {
  const both = { buyer: yield* signInAnew("Dana"), supplier: yield* signInAnew("Sam") } satisfies Pair
  yield* joinedBy(yield* signInAnew("Lou"), both.supplier.organizationId)
  return both
})

/** The pages of acts, as the project's page could lead to them. */
const acts = [
  "respond",
  "sign",
  "submit",
  "review",
  "date-revision",
  "lift-hold",
  "concern",
  "dismiss-concern",
  "uphold-concern",
  "withdraw-confirmation",
  "issue-record",
  "change-representative"
]

const revising = Effect.fnUntraced(function* ({ buyer, supplier }: Pair, projectId: string) {
  const terms = yield* termsOf(supplier, { scope: "Two logos." })
  const view = yield* see(buyer, projectId)
  return made(yield* act(buyer, projectId, "revise", decided(view, { reason: "Two.", terms })))
})

/** An agreement in each state, and what its page says of both parties: the buyer's view, then the supplier's. */
const standings: ReadonlyArray<
  readonly [string, (pair: Pair) => ReturnType<typeof locked>, buyer: string, supplier: string]
> = [
  [
    "AWAITING_SUPPLIER",
    ({ buyer, supplier }) => agreeing(buyer, supplier),
    "Waits for the other side. The supplier Answers the terms",
    "Answer the terms: accept them, ask for others, or decline. The buyer Waits"
  ],
  [
    "LOCKED",
    (both) => locked(both),
    "The supplier Delivers: answers every criterion",
    "Deliver: answer every criterion"
  ],
  [
    "LOCKED, not signed",
    (both) =>
      Effect.flatMap(now, (today) => locked(both, { signing: signingBy(both.buyer, both.supplier, "NATIVE", today) })),
    "Sign the agreement. The supplier Signs the agreement.",
    "Sign the agreement. The buyer Signs the agreement."
  ],
  [
    "LOCKED, half signed",
    (both) =>
      Effect.flatMap(now, (today) =>
        onPage(both, locked(both, { signing: signingBy(both.buyer, both.supplier, "NATIVE", today) }), [
          ["supplier", "sign", { signed: "on" }]
        ])
      ),
    "Sign the agreement. The supplier Waits for the other side.",
    "Waits for the other side. The buyer Signs the agreement."
  ],
  [
    "LOCKED, held",
    (both) => onPage(both, locked(both), [["buyer", "date-revision", filled.reasoned]]),
    "Revise the terms with other dates, or go on under the agreed ones.",
    "You can go on under the agreed dates."
  ],
  ["SUBMITTED", (both) => delivered(both), "Review what was delivered", "The buyer Reviews what was delivered"],
  [
    "CHANGES_REQUESTED",
    (both) => onPage(both, delivered(both), [["buyer", "review", filled.changes]]),
    "The supplier Delivers",
    "Deliver: answer every criterion"
  ],
  [
    "AGREEMENT_CHANGES_REQUESTED",
    (both) =>
      onPage(both, agreeing(both.buyer, both.supplier), [
        ["supplier", "respond", { ...filled.respond, action: "REQUEST_CHANGES" }]
      ]),
    "Revise the terms, or leave it at that.",
    "The buyer Revises the terms"
  ],
  [
    "SUPPLIER_DECLINED",
    (both) =>
      onPage(both, agreeing(both.buyer, both.supplier), [
        ["supplier", "respond", { ...filled.respond, action: "DECLINE" }]
      ]),
    "the buyer Nothing more. The supplier Nothing more.",
    "the supplier Nothing more. The buyer Nothing more."
  ],
  [
    "BUYER_REJECTED",
    (both) => onPage(both, delivered(both), [["buyer", "review", { ...filled.changes, action: "REJECT" }]]),
    "Nothing more.",
    "Nothing more."
  ],
  [
    "BUYER_CONFIRMED",
    (both) => accepted(both),
    "Issue the record of this acceptance",
    "The buyer Issues the record of this acceptance"
  ],
  [
    "CONFIRMATION_CONTESTED",
    (both) => onPage(both, accepted(both), [["supplier", "concern", filled.concern]]),
    "Resolve the concern: uphold it",
    "Dismiss your side’s concern if it is settled."
  ],
  [
    "CONFIRMATION_WITHDRAWN",
    (both) => onPage(both, accepted(both), [["buyer", "withdraw-confirmation", filled.final]]),
    "Nothing more.",
    "Nothing more."
  ],
  [
    "SUPERSEDED",
    (both) =>
      Effect.gen(function* () {
        const projectId = yield* agreeing(both.buyer, both.supplier)
        yield* revising(both, projectId)
        return projectId
      }),
    "In its place now",
    "In its place now"
  ]
]

const onPage = Effect.fnUntraced(function* (
  both: Pair,
  project: ReturnType<typeof locked>,
  steps: ReadonlyArray<readonly [by: keyof Pair, path: string, values: Readonly<Record<string, string>>]>
) {
  const projectId = yield* project
  for (const [by, path, values] of steps) yield* mustAct(both[by], projectId, path, values)
  return projectId
})

layer(freshTestService, { excludeTestServices: true })("a project's page", (it) => {
  it.effect.each(standings)("says in %s what each party does next, and so do the pages of its acts", (standing) =>
    Effect.gen(function* () {
      const [name, start, buyerWords, supplierWords] = standing
      const both = yield* pair
      const projectId = yield* start(both)
      assert.strictEqual(yield* stateOf(both.buyer, projectId), name.split(",")[0])
      const stranger = yield* signInAnew("Kim")
      for (const [by, said] of [[both.buyer, buyerWords] as const, [both.supplier, supplierWords] as const]) {
        const view = yield* see(by, projectId)
        const { action, party } = view.project.nextAction
        assert.isTrue(party === "NONE" || stepOf(action, party) !== undefined, `${action} has no words`)
        const page = yield* readPage(by, projectPage(projectId))
        assert.deepStrictEqual([page.status, faultsOf(page.text)], [200, []])
        assert.include(wordsOn(page), said)
        const offered = new Set<string>()
        for (const path of acts) {
          const address = projectPage(projectId, path)
          const shown = yield* readPage(by, address)
          assert.deepStrictEqual([shown.status, faultsOf(shown.text)], [200, []], `${path} of ${by.name}`)
          const isOpen = formsOn(shown.text).some(({ action }) => action === address)
          assert.strictEqual(isOpen, page.text.includes(`href="${address}"`), `${path} of ${by.name}`)
          assert.strictEqual(isOpen, !shown.text.includes("You cannot do this now"))
          if (isOpen) offered.add(path)
          assert.strictEqual((yield* readPage(stranger, address)).status, 403)
        }
        const isRevisable = view.availableActions.includes("REVISE_AGREEMENT")
        assert.strictEqual(page.text.includes(projectPage(projectId, "revise")), isRevisable)
        const expected = new Set(view.availableActions.filter((one: string) => one !== "REVISE_AGREEMENT"))
        // The two decisions on a delivery are one page.
        if (expected.has("CONFIRM_COMPLETION")) expected.delete("REVIEW_DELIVERY")
        assert.strictEqual(offered.size, expected.size, [...offered].join())
      }
    })
  )

  it.effect("shows all terms and every text of the other side as text", () =>
    Effect.gen(function* () {
      const both = yield* pair
      const { buyer, supplier } = both
      const projectId = yield* locked(both, {
        title: hostile,
        scope: hostile,
        criteria: [{ id: "vector", title: hostile, requirement: hostile }],
        baselineStatement: hostile,
        termsPolicy: {
          purpose: hostile,
          contractBasis: "EXISTING_CONTRACT",
          contractReference: hostile,
          contractClauses: hostile,
          sharing: hostile,
          sharingRecipients: [hostile]
        },
        originals: { custodian: hostile, location: hostile, access: hostile },
        subjectRequirements: [{ id: "one", statement: hostile, humanDecisions: ["ACCEPT"] }]
      })
      const one = `a${hostile.replaceAll('"', "")} | b${hostile} | 41 | ${"a".repeat(64)}`
      const delivery = { summary: hostile, summary1: hostile, files1: one, references1: hostile }
      yield* mustAct(supplier, projectId, "submit", delivery)
      yield* mustAct(buyer, projectId, "review", {
        ...filled.changes,
        reason: hostile,
        note1: hostile,
        nextAction: hostile
      })
      yield* mustAct(supplier, projectId, "submit", delivery)
      yield* mustAct(supplier, projectId, "date-revision", { reason: hostile })
      const addresses = ["", "submit", "review", "lift-hold"].map((path) => projectPage(projectId, path))
      for (const by of [buyer, supplier]) {
        for (const address of [...addresses, "/workspace/projects"]) {
          const { text } = yield* readPage(by, address)
          assert.include(text, inert)
          assert.notMatch(text, /<script|<b |\u202e/)
          assert.deepStrictEqual(faultsOf(text), [])
        }
      }
      const { text } = yield* readPage(buyer, projectPage(projectId))
      assert.isAbove(text.split(inert).length, 22)
      assert.include(text, `/legal/TERMS/1`)
    })
  )

  it.effect("says to whoever it names without an organization what they need", () =>
    Effect.gen(function* () {
      const both = yield* pair
      const { supplier } = both
      const projectId = yield* agreeing(both.buyer, supplier)
      yield* endMembership("OPERATOR", { membershipId: supplier.membershipId })
      assert.include((yield* readPage(supplier, "/workspace/projects")).text, projectPage(projectId))
      const page = yield* readPage(supplier, projectPage(projectId))
      assert.deepStrictEqual([page.status, faultsOf(page.text)], [200, []])
      assert.include(wordsOn(page), "you need a membership in an organization")
      assert.notInclude(page.text, "One logo.")
      assert.strictEqual((yield* readPage(supplier, projectPage(projectId, "respond"))).status, 403)
    })
  )

  it.effect("leads to a revision, and tells who has to stand for the supplier in it", () =>
    Effect.gen(function* () {
      const both = yield* pair
      const { buyer, supplier } = both
      const lou = yield* signInAnew("Lou")
      yield* joinedBy(lou, supplier.organizationId)
      const projectId = yield* locked(both)
      const revised = (yield* revising(both, projectId)).project.taskId as string
      assert.include((yield* readPage(supplier, projectPage(projectId))).text, `href="${projectPage(revised)}"`)
      assert.include((yield* readPage(supplier, projectPage(revised))).text, `href="${projectPage(projectId)}"`)
      const named = { reason: "Holidays.", supplierActorId: lou.personId }
      yield* mustAct(supplier, projectId, "change-representative", named)
      const words = wordsOn(yield* readPage(supplier, projectPage(revised)))
      assert.include(words, "Name the person here too who stands for your side in the agreed version.")
      yield* mustAct(supplier, revised, "change-representative", named)
      yield* mustAct(lou, revised, "respond", filled.respond)
      assert.strictEqual(yield* stateOf(buyer, projectId), "SUPERSEDED")
      assert.include(wordsOn(yield* readPage(buyer, projectPage(projectId))), "In its place now")
    })
  )

  it.effect("lets people act while agents are paused", () =>
    Effect.gen(function* () {
      const both = yield* pair
      const projectId = yield* locked(both)
      const { token } = yield* makeAgent(both.supplier, "SUPPLIER", ["SUBMIT_MATERIALS"], [projectId])
      yield* pauseAs({ personId: both.buyer.personId, projectId, reason: "Wait." })
      const body = submissionFor(yield* readProject(token, projectId))
      assert.strictEqual((yield* command(token, projectId, "submit", body)).body.error, "AGENT_PAUSED")
      yield* mustAct(both.supplier, projectId, "submit", filled.submit)
      assert.strictEqual(yield* stateOf(both.buyer, projectId), "SUBMITTED")
    })
  )

  it.effect("tells people from agents in what happened", () =>
    Effect.gen(function* () {
      const both = yield* pair
      const projectId = yield* locked(both)
      const { token } = yield* makeAgent(both.supplier, "SUPPLIER", ["SUBMIT_MATERIALS"], [projectId])
      const body = submissionFor(yield* readProject(token, projectId))
      assert.strictEqual((yield* command(token, projectId, "submit", body)).status, 200)
      const words = wordsOn(yield* readPage(both.buyer, projectPage(projectId)))
      assert.include(words, "an agent of Sam for the supplier delivered, naming 1 file")
      assert.include(words, ": Sam for the supplier accepted the terms")
      assert.include(words, ": Dana for the buyer made the agreement")
    })
  )
})

layer(freshTestService, { excludeTestServices: true })("the list of projects", (it) => {
  it.effect("has what needs the own side on top, then the newest", () =>
    Effect.gen(function* () {
      const both = yield* pair
      const waiting = yield* delivered(both)
      const ended = yield* onPage(both, agreeing(both.buyer, both.supplier), [
        ["supplier", "respond", { ...filled.respond, action: "DECLINE" }]
      ])
      const fresh = yield* agreeing(both.buyer, both.supplier)
      const orderFor = (by: Pair["buyer"]) =>
        Effect.map(readPage(by, "/workspace/projects"), ({ text }) => {
          const seen = [...text.matchAll(/<code>(delivery_[^<]*)<\/code>/g)].map(([, id]) => id)
          return [seen, text] as const
        })
      const [buyers, text] = yield* orderFor(both.buyer)
      assert.deepStrictEqual(buyers, [waiting, fresh, ended])
      assert.include(text, "needs your side")
      assert.include(text, "The supplier: Answers the terms")
      assert.deepStrictEqual((yield* orderFor(both.supplier))[0], [fresh, ended, waiting])
      assert.include(
        formOn(yield* readPage(both.buyer, "/workspace/projects"), "/workspace/sign-out").action,
        "sign-out"
      )
    })
  )
})
