import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { endMembership } from "../../src/people/memberships.ts"
import { grantCredits } from "../../src/records/credits.ts"
import { agreementWithRecord, joinOrganization } from "../support/issued-records.ts"
import { everyRow } from "../support/rows.ts"
import { freshTestService } from "../support/service.ts"
import { signInNewPerson, type SignedInPerson } from "../support/sessions.ts"
import { createdBody, outcome, read } from "../support/workspace.ts"

const creditsOf = (by: SignedInPerson, organizationId: string, query = "") =>
  read(by, `/organizations/${organizationId}/credits${query}`)

layer(freshTestService, { excludeTestServices: true })("the result credits of an organization", (it) => {
  it.effect("An organization without credits has a balance of zero, and reading it writes nothing.", () =>
    Effect.gen(function* () {
      const dana = yield* signInNewPerson("Dana")
      const { organizationId } = dana
      const before = yield* everyRow
      const { body } = yield* creditsOf(dana, organizationId)
      assert.deepStrictEqual(body, { organizationId, balance: 0, entries: [] })
      assert.deepStrictEqual(yield* everyRow, before)
    })
  )

  it.effect("The credits show the balance and the ledger, newest first.", () =>
    Effect.gen(function* () {
      const buyer = yield* signInNewPerson("Dana")
      yield* grantCredits({ organizationId: buyer.organizationId, credits: 4, reference: "Invoice 7" })
      const projectId = yield* agreementWithRecord({ buyer, supplier: yield* signInNewPerson("Sam") })
      const { balance, entries } = createdBody(yield* creditsOf(buyer, buyer.organizationId))
      assert.strictEqual(balance, 4)
      assert.deepStrictEqual(
        entries.map(({ sequence, change, balance, reference }: any) => [sequence, change, balance, reference]),
        [
          [3, -1, 4, projectId],
          [2, 1, 5, "test"],
          [1, 4, 4, "Invoice 7"]
        ]
      )
      assert.deepStrictEqual(
        entries.map(({ confirmationId }: any) => typeof confirmationId),
        ["string", "object", "object"]
      )
    })
  )

  it.effect("The ledger of credits has 100 entries per page.", () =>
    Effect.gen(function* () {
      const dana = yield* signInNewPerson("Dana")
      const { organizationId } = dana
      for (let number = 1; number <= 205; number++) {
        yield* grantCredits({ organizationId, credits: 1, reference: `Invoice ${number}` })
      }
      const pages: Array<ReadonlyArray<number>> = []
      let query = ""
      while (true) {
        const { balance, entries } = createdBody(yield* creditsOf(dana, organizationId, query))
        assert.strictEqual(balance, 205)
        if (entries.length === 0) break
        pages.push(entries.map(({ sequence }: { sequence: number }) => sequence))
        query = `?before=${pages.at(-1)!.at(-1)}`
      }
      assert.deepStrictEqual(
        pages.map(({ length }) => length),
        [100, 100, 5]
      )
      assert.deepStrictEqual(
        pages.flat(),
        Array.from({ length: 205 }, (_, index) => 205 - index)
      )
    })
  )

  it.effect("Credits are readable with FINANCIAL_READ or RECORD_ISSUE only.", () =>
    Effect.gen(function* () {
      const dana = yield* signInNewPerson("Dana")
      const { organizationId } = dana
      for (const authority of ["FINANCIAL_READ", "RECORD_ISSUE"] as const) {
        const mia = yield* joinOrganization(dana, "Mia", [authority])
        assert.strictEqual((yield* creditsOf(mia, organizationId)).status, 200)
        yield* endMembership("OPERATOR", mia)
        assert.deepStrictEqual(outcome(yield* creditsOf(mia, organizationId)), [403, "FORBIDDEN"])
      }
      const max = yield* joinOrganization(dana, "Max", ["MEMBERS_MANAGE", "DELEGATE", "COMPLETION_CONFIRM"])
      const unrelated = yield* signInNewPerson("Sam")
      for (const person of [max, unrelated]) {
        assert.deepStrictEqual(outcome(yield* creditsOf(person, organizationId)), [403, "FORBIDDEN"])
      }
    })
  )

  it.effect("An invalid ledger cursor is refused with 400.", () =>
    Effect.gen(function* () {
      const dana = yield* signInNewPerson("Dana")
      for (const query of ["?before=0", "?before=-1", "?before=1.5", "?before=x", "?before=", "?after=1"]) {
        const answer = yield* creditsOf(dana, dana.organizationId, query)
        assert.deepStrictEqual(outcome(answer), [400, "INVALID_REQUEST"], query)
      }
    })
  )
})
