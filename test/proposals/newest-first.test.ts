/** A person's list of proposals: newest first, limited to the newest of each party. */
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { exclusive, Storage } from "../../src/ports/storage.ts"
import { Proposals, ProposalSides, type ProposalRow } from "../../src/proposals/store.ts"
import { addMilliseconds, now } from "../../src/vocabulary/instant.ts"
import { limits } from "../../src/vocabulary/limits.ts"
import { Counted, countingService, statementsOf } from "../support/counting-service.ts"
import { uuid } from "../support/parties.ts"
import { alterProposal, proposalRow } from "../support/proposals.ts"
import { freshTestService } from "../support/service.ts"
import type { SignedInPerson } from "../support/sessions.ts"
import { draftBy, peoplePair, publishBy } from "../support/person-proposals.ts"
import { createdBody, read } from "../support/workspace.ts"

const second = 1000

const listOf = (by: SignedInPerson) =>
  Effect.map(read(by, "/proposals"), (answer) =>
    (createdBody(answer).proposals as ReadonlyArray<{ readonly id: string }>).map(({ id }) => id)
  )

/** Inserts copies of a proposal for one party, oldest first, one second apart. */
const copies = Effect.fnUntraced(function* (row: ProposalRow, party: string, count: number) {
  const start = yield* now
  const storage = yield* Storage
  const ids = Array.from({ length: count }, () => `proposal_${uuid()}`)
  yield* storage.transaction({ locks: ids.map((id) => exclusive("proposal", id)) }, (transaction) =>
    Effect.forEach(ids, (proposalId, index) =>
      Effect.gen(function* () {
        const at = addMilliseconds(start, (index - count) * second)
        const role = party === row.organizationId ? ("SUPPLIER" as const) : ("BUYER" as const)
        yield* transaction.insert(Proposals, { ...row, proposalId, createdAt: at })
        yield* transaction.insert(ProposalSides, { party, proposalId, role, at })
      })
    )
  )
  return ids
})

layer(freshTestService, { excludeTestServices: true })("a person's list of proposals", (it) => {
  it.effect("A person's list of proposals begins with the newest, on either side.", () =>
    Effect.gen(function* () {
      const pair = yield* peoplePair
      const { supplier, buyer } = pair
      const first = (yield* draftBy(pair)).proposal.id
      const row = yield* proposalRow(first)
      const written = yield* copies(row, supplier.organizationId, 12)
      assert.deepStrictEqual(yield* listOf(supplier), [first, ...written.toReversed()])
      const shown = yield* publishBy(pair, yield* draftBy(pair))
      const received = yield* copies(yield* proposalRow(shown.proposal.id), buyer.personId, 12)
      assert.deepStrictEqual(yield* listOf(buyer), [shown.proposal.id, ...received.toReversed()])
    })
  )

  it.effect("A person's list of proposals is limited to the newest of a party.", () =>
    Effect.gen(function* () {
      const pair = yield* peoplePair
      const { supplier } = pair
      const newest = (yield* draftBy(pair)).proposal.id
      const ids = yield* copies(yield* proposalRow(newest), supplier.organizationId, limits.projectsListed)
      const listed = yield* listOf(supplier)
      assert.lengthOf(listed, limits.projectsListed)
      assert.deepStrictEqual(listed.slice(0, 2), [newest, ids.at(-1)])
      assert.strictEqual(listed.at(-1), ids[1])
      assert.notInclude(listed, ids[0])
    })
  )

  it.effect("A change of a proposal does not change its position in a person's list.", () =>
    Effect.gen(function* () {
      const pair = yield* peoplePair
      const ids: Array<string> = []
      for (const _ of [1, 2, 3]) ids.unshift((yield* draftBy(pair)).proposal.id)
      yield* alterProposal(ids[2]!, { state: "WITHDRAWN", lastEventAt: addMilliseconds(yield* now, second) })
      assert.deepStrictEqual(yield* listOf(pair.supplier), ids)
    })
  )
})

layer(countingService, { excludeTestServices: true })("a long list of proposals", (it) => {
  it.effect("A person's list of proposals takes the same statements for 10 proposals as for 400.", () =>
    Effect.gen(function* () {
      const { observed } = yield* Counted
      const pair = yield* peoplePair
      const row = yield* proposalRow((yield* draftBy(pair)).proposal.id)
      const statementsFor = Effect.fnUntraced(function* (count: number) {
        yield* copies(row, pair.supplier.organizationId, count)
        observed.length = 0
        yield* listOf(pair.supplier)
        return statementsOf(observed).reduce((sum, one) => sum + one)
      })
      const few = yield* statementsFor(10)
      assert.isAtMost(few, 12)
      assert.strictEqual(yield* statementsFor(400), few)
    })
  )
})
