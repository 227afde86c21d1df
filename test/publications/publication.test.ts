/** The moves of publications as a decision table. */
import { assert, describe, it } from "vitest"
import fc from "fast-check"
import {
  approvalGuard,
  availableActs,
  isDisclosed,
  proposalGuard,
  publicationMoves,
  publicationStates,
  withdrawalGuard,
  type PublicationState
} from "../../src/publications/publication.ts"
import { states } from "../../src/projects/project.ts"
import { limits } from "../../src/vocabulary/limits.ts"

const digest = "a".repeat(64)
const publication = (state: PublicationState) => ({ state, digest })
const confirmed = { projectState: "BUYER_CONFIRMED", isIssued: true } as const

type Result = Parameters<typeof proposalGuard>[0]
type States = ReadonlyArray<PublicationState>
type Row = readonly [what: string, result: Result, earlier: States, code: string | undefined]

const withdrawn = (count: number) => Array.from({ length: count }, () => "WITHDRAWN" as const)

const proposals: ReadonlyArray<Row> = [
  ["an issued result", confirmed, [], undefined],
  ["a result that is not issued", { ...confirmed, isIssued: false }, [], "RESULT_NOT_ISSUED"],
  [
    "a contested result that is not issued",
    { projectState: "CONFIRMATION_CONTESTED", isIssued: false },
    [],
    "RESULT_NOT_ISSUED"
  ],
  ["a contested result", { projectState: "CONFIRMATION_CONTESTED", isIssued: true }, ["PUBLISHED"], "STATE_CONFLICT"],
  ["a proposed result", confirmed, ["WITHDRAWN", "PROPOSED"], "ALREADY_EXISTS"],
  ["a published result", confirmed, ["PUBLISHED"], "ALREADY_EXISTS"],
  ["a result with a withdrawn publication", confirmed, ["WITHDRAWN"], undefined],
  ["a result with 19 withdrawn publications", confirmed, withdrawn(limits.publicationsPerResult - 1), undefined],
  ["a result with 20 withdrawn publications", confirmed, withdrawn(limits.publicationsPerResult), "PUBLICATION_LIMIT"]
]

describe("A proposal", () => {
  it.each(proposals)("of %s has the listed refusal", (_, result, earlier, code) => {
    assert.strictEqual(proposalGuard(result, earlier.map(publication))?.code, code)
  })

  it.each(states)("in %s is possible only if the buyer's confirmation stands", (projectState) => {
    const refused = proposalGuard({ projectState, isIssued: true }, [])
    assert.strictEqual(refused?.code, projectState === "BUYER_CONFIRMED" ? undefined : "STATE_CONFLICT")
  })
})

describe("An approval and a withdrawal", () => {
  const every = publicationStates.flatMap((state) => states.map((projectState) => [state, projectState] as const))

  it.each(every)("of a publication that is %s, in %s, are possible as the moves say", (state, projectState) => {
    const isConfirmed = projectState === "BUYER_CONFIRMED"
    const approval = state === "PROPOSED" && isConfirmed ? undefined : "STATE_CONFLICT"
    assert.strictEqual(approvalGuard(publication(state), digest, projectState)?.code, approval)
    const withdrawal = state === "WITHDRAWN" ? "STATE_CONFLICT" : undefined
    assert.strictEqual(withdrawalGuard(publication(state), projectState)?.code, withdrawal)
    assert.strictEqual(isDisclosed({ state }, projectState), state === "PUBLISHED" && isConfirmed)
    const withdraw = withdrawal === undefined ? ["WITHDRAW"] : []
    assert.deepStrictEqual(availableActs({ state }, "SUPPLIER", projectState), withdraw)
    const approve = approval === undefined ? ["APPROVE"] : []
    assert.deepStrictEqual(availableActs({ state }, "BUYER", projectState), [...approve, ...withdraw])
  })

  it.each(publicationStates)("of another digest is refused in every state, such as %s", (state) => {
    const refused = approvalGuard(publication(state), "b".repeat(64), "BUYER_CONFIRMED")
    assert.strictEqual(refused?.code, "PUBLICATION_DIGEST_MISMATCH")
  })
})

describe("A publication", () => {
  it("is never disclosed without an approval by the buyer, and never again after a withdrawal", () => {
    const acts = fc.array(fc.tuple(fc.constantFrom("APPROVE", "WITHDRAW" as const), fc.constantFrom(...states)))
    fc.assert(
      fc.property(acts, (steps) => {
        const taken: Array<string> = []
        let state: PublicationState = "PROPOSED"
        for (const [act, projectState] of steps) {
          const guard = act === "APPROVE" ? approvalGuard({ state, digest }, digest, projectState) : undefined
          const refused = act === "WITHDRAW" ? withdrawalGuard({ state }, projectState) : guard
          if (refused === undefined) {
            assert.include(publicationMoves[act as "APPROVE"].from, state)
            state = publicationMoves[act as "APPROVE"].to
            taken.push(act)
          }
          const isPublic = isDisclosed({ state }, "BUYER_CONFIRMED")
          assert.strictEqual(isPublic, taken.includes("APPROVE") && !taken.includes("WITHDRAW"))
        }
      })
    )
  })
})
