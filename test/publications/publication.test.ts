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
const accepted = { projectState: "BUYER_CONFIRMED", isIssued: true } as const
const contested = { projectState: "CONFIRMATION_CONTESTED", isIssued: true } as const

type Result = Parameters<typeof proposalGuard>[0]
type States = ReadonlyArray<PublicationState>
type Row = readonly [what: string, code: string, result: Result, earlier: States]

const withdrawn = (count: number) => Array.from({ length: count }, () => "WITHDRAWN" as const)

const proposals: ReadonlyArray<Row> = [
  ["an issued result", "success", accepted, []],
  ["a result that is not issued", "RESULT_NOT_ISSUED", { ...accepted, isIssued: false }, []],
  ["a contested result that is not issued", "RESULT_NOT_ISSUED", { ...contested, isIssued: false }, []],
  ["a contested result", "STATE_CONFLICT", contested, ["PUBLISHED"]],
  ["a proposed result", "ALREADY_EXISTS", accepted, ["WITHDRAWN", "PROPOSED"]],
  ["a published result", "ALREADY_EXISTS", accepted, ["PUBLISHED"]],
  ["a result with a withdrawn publication", "success", accepted, ["WITHDRAWN"]],
  ["a result with 19 withdrawn publications", "success", accepted, withdrawn(limits.publicationsPerResult - 1)],
  ["a result with 20 withdrawn publications", "PUBLICATION_LIMIT", accepted, withdrawn(limits.publicationsPerResult)]
]

describe("proposals", () => {
  it.each(proposals)("A proposal of %s is answered with %s", (_, code, result, earlier) => {
    assert.strictEqual(proposalGuard(result, earlier.map(publication))?.code ?? "success", code)
  })

  it.each(states)("A proposal is possible only in BUYER_CONFIRMED, not in %s", (projectState) => {
    const refused = proposalGuard({ projectState, isIssued: true }, [])
    assert.strictEqual(refused?.code, projectState === "BUYER_CONFIRMED" ? undefined : "STATE_CONFLICT")
  })
})

describe("approvals and withdrawals", () => {
  const every = publicationStates.flatMap((state) => states.map((projectState) => [state, projectState] as const))

  it.each(every)(
    "An approval and a withdrawal of a publication that is %s, in %s, are possible as the moves say",
    (state, projectState) => {
      const isAccepted = projectState === "BUYER_CONFIRMED"
      const approval = state === "PROPOSED" && isAccepted ? undefined : "STATE_CONFLICT"
      assert.strictEqual(approvalGuard(publication(state), digest, projectState)?.code, approval)
      const withdrawal = state === "WITHDRAWN" ? "STATE_CONFLICT" : undefined
      assert.strictEqual(withdrawalGuard(publication(state), projectState)?.code, withdrawal)
      assert.strictEqual(isDisclosed({ state }, projectState), state === "PUBLISHED" && isAccepted)
      const withdraw = withdrawal === undefined ? ["WITHDRAW"] : []
      assert.deepStrictEqual(availableActs({ state }, "SUPPLIER", projectState), withdraw)
      const approve = approval === undefined ? ["APPROVE"] : []
      assert.deepStrictEqual(availableActs({ state }, "BUYER", projectState), [...approve, ...withdraw])
    }
  )

  it.each(publicationStates)("An approval of another digest is refused in state %s", (state) => {
    const refused = approvalGuard(publication(state), "b".repeat(64), "BUYER_CONFIRMED")
    assert.strictEqual(refused?.code, "PUBLICATION_DIGEST_MISMATCH")
  })
})

describe("disclosure", () => {
  it("A publication is never disclosed without the buyer's approval, and never after a withdrawal", () => {
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
