/** A project's page in every state of an agreement, and the list of projects. */
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { endMembership } from "../../src/people/memberships.ts"
import { now } from "../../src/vocabulary/instant.ts"
import { nextActionText } from "../../src/workspace/projects/labels.ts"
import { formOn, formsOn, readPage } from "../support/page-forms.ts"
import { accessibilityFaults } from "../support/accessibility-rules.ts"
import { sendCommand, makeAgent, readProject, submissionFor } from "../support/parties.ts"
import { pauseAs } from "../support/people.ts"
import {
  runToAccepted,
  commandAsPerson,
  createAgreementAsPerson,
  personCommandBody,
  runToDelivered,
  runToLocked,
  readProjectAsPerson,
  signatureBy,
  termsOf,
  type Pair
} from "../support/person-commands.ts"
import { pageInputs, addMember, actSuccessfully, projectPage, stateOf, textOn } from "../support/project-pages.ts"
import { freshTestService } from "../support/service.ts"
import { signInNewPerson } from "../support/sessions.ts"
import { createdBody } from "../support/workspace.ts"

const hostile = `</p><script>alert(1)</script><b onclick=x>\u202e"&amp;`
const inert = "&lt;/p>&lt;script>alert(1)&lt;/script>&lt;b onclick=x>‹U+202E›"

const pair = Effect.gen(function* () {
  const both = { buyer: yield* signInNewPerson("Dana"), supplier: yield* signInNewPerson("Sam") } satisfies Pair
  yield* addMember(yield* signInNewPerson("Lou"), both.supplier.organizationId)
  return both
})

/** The paths of the command pages that a project's page can link to. */
const commandPaths = [
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

const reviseTerms = Effect.fnUntraced(function* ({ buyer, supplier }: Pair, projectId: string) {
  const terms = yield* termsOf(supplier, { scope: "Two logos." })
  const view = yield* readProjectAsPerson(buyer, projectId)
  return createdBody(
    yield* commandAsPerson(buyer, projectId, "revise", personCommandBody(view, { reason: "Two.", terms }))
  )
})

/** An agreement in each state, and the next actions on its page: for the buyer, then for the supplier. */
const projectStates: ReadonlyArray<
  readonly [string, (pair: Pair) => ReturnType<typeof runToLocked>, buyer: string, supplier: string]
> = [
  [
    "AWAITING_SUPPLIER",
    ({ buyer, supplier }) => createAgreementAsPerson(buyer, supplier),
    "The supplier: Answers the terms",
    "your turn Answer the terms: accept them, ask for others, or decline."
  ],
  [
    "LOCKED",
    (both) => runToLocked(both),
    "The supplier: Delivers: answers every criterion",
    "Deliver: answer every criterion"
  ],
  [
    "LOCKED, not signed",
    (both) =>
      Effect.flatMap(now, (today) =>
        runToLocked(both, { signing: signatureBy(both.buyer, both.supplier, "NATIVE", today) })
      ),
    "The supplier: Signs the agreement.",
    "your turn Sign the agreement. By "
  ],
  [
    "LOCKED, half signed",
    (both) =>
      Effect.flatMap(now, (today) =>
        onPage(both, runToLocked(both, { signing: signatureBy(both.buyer, both.supplier, "NATIVE", today) }), [
          ["supplier", "sign", { signed: "on" }]
        ])
      ),
    "your turn Sign the agreement.",
    "The buyer: Signs the agreement."
  ],
  [
    "LOCKED, held",
    (both) => onPage(both, runToLocked(both), [["buyer", "date-revision", pageInputs.reasoned]]),
    "Revise the terms with other dates, or continue under the agreed ones.",
    "You can continue under the agreed dates."
  ],
  ["SUBMITTED", (both) => runToDelivered(both), "Review what was delivered", "The buyer: Reviews what was delivered"],
  [
    "CHANGES_REQUESTED",
    (both) => onPage(both, runToDelivered(both), [["buyer", "review", pageInputs.changes]]),
    "The supplier: Delivers",
    "Deliver: answer every criterion"
  ],
  [
    "AGREEMENT_CHANGES_REQUESTED",
    (both) =>
      onPage(both, createAgreementAsPerson(both.buyer, both.supplier), [
        ["supplier", "respond", { ...pageInputs.respond, action: "REQUEST_CHANGES" }]
      ]),
    "Revise the terms, or do nothing.",
    "The buyer: Revises the terms"
  ],
  [
    "SUPPLIER_DECLINED",
    (both) =>
      onPage(both, createAgreementAsPerson(both.buyer, both.supplier), [
        ["supplier", "respond", { ...pageInputs.respond, action: "DECLINE" }]
      ]),
    "Agreed declined",
    "Nothing more."
  ],
  [
    "BUYER_REJECTED",
    (both) => onPage(both, runToDelivered(both), [["buyer", "review", { ...pageInputs.changes, action: "REJECT" }]]),
    "Nothing more.",
    "Nothing more."
  ],
  [
    "BUYER_CONFIRMED",
    (both) => runToAccepted(both),
    "Issue the record of this acceptance",
    "The buyer: Issues the record of this acceptance"
  ],
  [
    "CONFIRMATION_CONTESTED",
    (both) => onPage(both, runToAccepted(both), [["supplier", "concern", pageInputs.concern]]),
    "Resolve the concern: uphold it",
    "Dismiss your party’s concern if it is settled."
  ],
  [
    "CONFIRMATION_WITHDRAWN",
    (both) => onPage(both, runToAccepted(both), [["buyer", "withdraw-confirmation", pageInputs.final]]),
    "Nothing more.",
    "Nothing more."
  ],
  [
    "SUPERSEDED",
    (both) =>
      Effect.gen(function* () {
        const projectId = yield* createAgreementAsPerson(both.buyer, both.supplier)
        yield* reviseTerms(both, projectId)
        return projectId
      }),
    "Superseded by",
    "Superseded by"
  ]
]

const onPage = Effect.fnUntraced(function* (
  both: Pair,
  project: ReturnType<typeof runToLocked>,
  steps: ReadonlyArray<readonly [by: keyof Pair, path: string, values: Readonly<Record<string, string>>]>
) {
  const projectId = yield* project
  for (const [by, path, values] of steps) yield* actSuccessfully(both[by], projectId, path, values)
  return projectId
})

layer(freshTestService, { excludeTestServices: true })("the page of a project", (it) => {
  it.effect.each(projectStates)(
    "In the state %s, the project's page and its command pages offer each party exactly its available actions.",
    (projectState) =>
      Effect.gen(function* () {
        const [name, start, buyerWords, supplierWords] = projectState
        const both = yield* pair
        const projectId = yield* start(both)
        assert.strictEqual(yield* stateOf(both.buyer, projectId), name.split(",")[0])
        const outsider = yield* signInNewPerson("Kim")
        for (const [by, said] of [[both.buyer, buyerWords] as const, [both.supplier, supplierWords] as const]) {
          const view = yield* readProjectAsPerson(by, projectId)
          const { action, party } = view.project.nextAction
          assert.isTrue(party === "NONE" || nextActionText(action, party) !== undefined, `${action} has no words`)
          const page = yield* readPage(by, projectPage(projectId))
          assert.deepStrictEqual([page.status, accessibilityFaults(page.text)], [200, []])
          assert.include(textOn(page), said)
          const offered = new Set<string>()
          for (const path of commandPaths) {
            const address = projectPage(projectId, path)
            const shown = yield* readPage(by, address)
            assert.deepStrictEqual([shown.status, accessibilityFaults(shown.text)], [200, []], `${path} of ${by.name}`)
            const isOpen = formsOn(shown.text).some(({ action }) => action === address)
            assert.strictEqual(isOpen, page.text.includes(`href="${address}"`), `${path} of ${by.name}`)
            assert.strictEqual(isOpen, !shown.text.includes("You cannot do this now"))
            if (isOpen) offered.add(path)
            assert.strictEqual((yield* readPage(outsider, address)).status, 403)
          }
          const isRevisable = view.availableActions.includes("REVISE_AGREEMENT")
          assert.strictEqual(page.text.includes(projectPage(projectId, "revise")), isRevisable)
          const expected = new Set(view.availableActions.filter((one: string) => one !== "REVISE_AGREEMENT"))
          // Both decisions on a delivery have one page.
          if (expected.has("CONFIRM_COMPLETION")) expected.delete("REVIEW_DELIVERY")
          assert.strictEqual(offered.size, expected.size, [...offered].join())
        }
      })
  )

  it.effect("All terms and all texts of the other party are shown as text.", () =>
    Effect.gen(function* () {
      const both = yield* pair
      const { buyer, supplier } = both
      const projectId = yield* runToLocked(both, {
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
      yield* actSuccessfully(supplier, projectId, "submit", delivery)
      yield* actSuccessfully(buyer, projectId, "review", {
        ...pageInputs.changes,
        reason: hostile,
        note1: hostile,
        nextAction: hostile
      })
      yield* actSuccessfully(supplier, projectId, "submit", delivery)
      yield* actSuccessfully(supplier, projectId, "date-revision", { reason: hostile })
      const addresses = ["", "submit", "review", "lift-hold"].map((path) => projectPage(projectId, path))
      for (const by of [buyer, supplier]) {
        for (const address of [...addresses, "/workspace/projects"]) {
          const { text } = yield* readPage(by, address)
          assert.include(text, inert)
          assert.notMatch(text, /<script>|<b |\u202e/)
          assert.deepStrictEqual(accessibilityFaults(text), [])
        }
      }
      const { text } = yield* readPage(buyer, projectPage(projectId))
      assert.isAbove(text.split(inert).length, 22)
      assert.include(text, `/legal/TERMS/1`)
    })
  )

  it.effect("A representative without an organization reads that a membership is needed.", () =>
    Effect.gen(function* () {
      const both = yield* pair
      const { supplier } = both
      const projectId = yield* createAgreementAsPerson(both.buyer, supplier)
      yield* endMembership("OPERATOR", { membershipId: supplier.membershipId })
      assert.include((yield* readPage(supplier, "/workspace/projects")).text, projectPage(projectId))
      const page = yield* readPage(supplier, projectPage(projectId))
      assert.deepStrictEqual([page.status, accessibilityFaults(page.text)], [200, []])
      assert.include(textOn(page), "you need a membership in an organization")
      assert.notInclude(page.text, "One logo.")
      assert.strictEqual((yield* readPage(supplier, projectPage(projectId, "respond"))).status, 403)
    })
  )

  it.effect("The project's page links to its revision and names the representative that the revision needs.", () =>
    Effect.gen(function* () {
      const both = yield* pair
      const { buyer, supplier } = both
      const lou = yield* signInNewPerson("Lou")
      yield* addMember(lou, supplier.organizationId)
      const projectId = yield* runToLocked(both)
      const revised = (yield* reviseTerms(both, projectId)).project.taskId as string
      assert.include((yield* readPage(supplier, projectPage(projectId))).text, `href="${projectPage(revised)}"`)
      assert.include((yield* readPage(supplier, projectPage(revised))).text, `href="${projectPage(projectId)}"`)
      const named = { reason: "Holidays.", supplierActorId: lou.personId }
      yield* actSuccessfully(supplier, projectId, "change-representative", named)
      const words = textOn(yield* readPage(supplier, projectPage(revised)))
      assert.include(words, "Name your representative of the agreed version here too.")
      yield* actSuccessfully(supplier, revised, "change-representative", named)
      yield* actSuccessfully(lou, revised, "respond", pageInputs.respond)
      assert.strictEqual(yield* stateOf(buyer, projectId), "SUPERSEDED")
      assert.include(textOn(yield* readPage(buyer, projectPage(projectId))), "Superseded by")
    })
  )

  it.effect("People can act while agents are paused.", () =>
    Effect.gen(function* () {
      const both = yield* pair
      const projectId = yield* runToLocked(both)
      const { token } = yield* makeAgent(both.supplier, "SUPPLIER", ["SUBMIT_MATERIALS"], [projectId])
      yield* pauseAs({ personId: both.buyer.personId, projectId, reason: "Wait." })
      const body = submissionFor(yield* readProject(token, projectId))
      assert.strictEqual((yield* sendCommand(token, projectId, "submit", body)).body.error, "AGENT_PAUSED")
      yield* actSuccessfully(both.supplier, projectId, "submit", pageInputs.submit)
      assert.strictEqual(yield* stateOf(both.buyer, projectId), "SUBMITTED")
    })
  )

  it.effect("The timeline distinguishes people from agents.", () =>
    Effect.gen(function* () {
      const both = yield* pair
      const projectId = yield* runToLocked(both)
      const { token } = yield* makeAgent(both.supplier, "SUPPLIER", ["SUBMIT_MATERIALS"], [projectId])
      const body = submissionFor(yield* readProject(token, projectId))
      assert.strictEqual((yield* sendCommand(token, projectId, "submit", body)).status, 200)
      const words = textOn(yield* readPage(both.buyer, projectPage(projectId)))
      assert.include(words, "an agent of Sam for the supplier delivered, naming 1 file")
      assert.include(words, ": Sam for the supplier accepted the terms")
      assert.include(words, ": Dana for the buyer made the agreement")
    })
  )
})

layer(freshTestService, { excludeTestServices: true })("the list of projects", (it) => {
  it.effect("The list of projects has the newest first, and says whose turn it is.", () =>
    Effect.gen(function* () {
      const both = yield* pair
      const waiting = yield* runToDelivered(both)
      const ended = yield* onPage(both, createAgreementAsPerson(both.buyer, both.supplier), [
        ["supplier", "respond", { ...pageInputs.respond, action: "DECLINE" }]
      ])
      const fresh = yield* createAgreementAsPerson(both.buyer, both.supplier)
      const orderFor = (by: Pair["buyer"]) =>
        Effect.map(readPage(by, "/workspace/projects"), ({ text }) => {
          const seen = [...text.matchAll(/<code>(delivery_[^<]*)<\/code>/g)].map(([, id]) => id)
          return [seen, text] as const
        })
      const [buyers, text] = yield* orderFor(both.buyer)
      assert.deepStrictEqual(buyers, [fresh, ended, waiting])
      assert.include(text, ">yours</span>")
      assert.include(text, "The supplier: Answers the terms")
      assert.deepStrictEqual((yield* orderFor(both.supplier))[0], [fresh, ended, waiting])
      assert.include(
        formOn(yield* readPage(both.buyer, "/workspace/projects"), "/workspace/sign-out").action,
        "sign-out"
      )
    })
  )
})
