/** Pages of proposals under concurrent inserts: no proposal is skipped or repeated. */
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import fc from "fast-check"
import { memoryTestService } from "../support/memory-service.ts"
import { uuid } from "../support/parties.ts"
import {
  authorActions,
  createProposal,
  createDraftProposal,
  makeHolder,
  makePair,
  proposalFor
} from "../support/proposals.ts"
import { freshTestService, send } from "../support/service.ts"
import { createdBody } from "../support/workspace.ts"

const page = (token: string, query: string) => send("GET", `/api/agents/v1/proposals${query}`, { token })

const idsOf = (body: any) => (body.proposals as ReadonlyArray<{ readonly id: string }>).map(({ id }) => id)

interface Reading {
  /** The number of proposals before the first page. */
  readonly first: number
  readonly limit: number
  /** The number of inserts after each page, before or concurrently with the next page. */
  readonly between: ReadonlyArray<{ readonly count: number; readonly isConcurrent: boolean }>
}

const anyReading: fc.Arbitrary<Reading> = fc.record({
  first: fc.integer({ min: 0, max: 12 }),
  limit: fc.integer({ min: 1, max: 6 }),
  between: fc.array(fc.record({ count: fc.integer({ min: 0, max: 3 }), isConcurrent: fc.boolean() }), { maxLength: 5 })
})

/** Reads all pages; returns the flaws and the number of pages. */
const readWhileWriting = ({ first, limit, between }: Reading) =>
  Effect.gen(function* () {
    const pair = yield* makePair()
    const { token } = yield* makeHolder(pair.supplier, "SUPPLIER", authorActions)
    const write = Effect.gen(function* () {
      return createdBody(yield* createProposal(token, yield* proposalFor(pair))).proposal.id as string
    })
    const writeMany = (count: number) =>
      Effect.all(
        Array.from({ length: count }, () => write),
        { concurrency: "unbounded" }
      )
    const start = yield* writeMany(first)
    const beforeLast: Array<string> = [...start]
    const seen: Array<string> = []
    let after: string | null = null
    let pages = 0
    do {
      const query: string = after === null ? `?limit=${limit}` : `?limit=${limit}&after=${after}`
      const { count, isConcurrent } = between[pages] ?? { count: 0, isConcurrent: false }
      if (!isConcurrent) beforeLast.push(...(yield* writeMany(count)))
      const [answer, written] = yield* Effect.all([page(token, query), writeMany(isConcurrent ? count : 0)], {
        concurrency: "unbounded"
      })
      const body = createdBody(answer)
      seen.push(...idsOf(body))
      after = body.next
      // Inserts concurrent with an earlier page precede the last page.
      if (after !== null) beforeLast.push(...written)
      pages++
      if (idsOf(body).length > limit) return { flaws: ["a page is larger than its limit"], pages }
    } while (after !== null)
    const flaws = [
      ...(new Set(seen).size === seen.length ? [] : ["a proposal is repeated"]),
      ...beforeLast.filter((id) => !seen.includes(id)).map((id) => `${id} is skipped`)
    ]
    return { flaws, pages }
  })

const readOften = (runs: number) =>
  Effect.gen(function* () {
    const context = yield* Effect.context<Effect.Services<ReturnType<typeof readWhileWriting>>>()
    const reached = { pages: 0, runsOfSeveral: 0, concurrent: 0, sequential: 0 }
    const property = fc.asyncProperty(anyReading, async (reading) => {
      const { flaws, pages } = await Effect.runPromiseWith(context)(readWhileWriting(reading))
      assert.deepStrictEqual(flaws, [])
      reached.pages += pages
      if (pages > 1) reached.runsOfSeveral++
      const used = reading.between.slice(0, pages).filter(({ count }) => count > 0)
      reached.concurrent += used.filter(({ isConcurrent }) => isConcurrent).length
      reached.sequential += used.filter(({ isConcurrent }) => !isConcurrent).length
    })
    yield* Effect.promise(() => fc.assert(property, { numRuns: runs, seed: 11 }))
    console.log(JSON.stringify(reached))
    for (const times of Object.values(reached)) assert.isAbove(times, 0)
  })

layer(memoryTestService, { excludeTestServices: true })("pages of proposals in the memory store", (it) => {
  it.effect("In the memory store, pages of proposals skip and repeat nothing under concurrent inserts.", () =>
    readOften(60)
  )
})

layer(freshTestService, { excludeTestServices: true })("pages of proposals", (it) => {
  it.effect("On Postgres, pages of proposals skip and repeat nothing under concurrent inserts.", () => readOften(12))

  it.effect("Pages of proposals are in link order, 50 per page by default.", () =>
    Effect.gen(function* () {
      const pair = yield* makePair()
      const { token } = yield* makeHolder(pair.supplier, "SUPPLIER", authorActions)
      const ids: Array<string> = []
      for (let count = 0; count < 50; count++) {
        ids.push(createdBody(yield* createProposal(token, yield* proposalFor(pair))).proposal.id)
      }
      const whole = createdBody(yield* page(token, ""))
      assert.deepStrictEqual([idsOf(whole), whole.next], [ids, null])
      const most = createdBody(yield* page(token, "?limit=100"))
      assert.deepStrictEqual([idsOf(most), most.next], [ids, null])
      const rest = createdBody(yield* page(token, `?limit=1&after=${ids[48]}`))
      assert.deepStrictEqual([idsOf(rest), rest.next], [ids.slice(49), null])
      const none = createdBody(yield* page(token, `?after=${ids[49]}`))
      assert.deepStrictEqual([idsOf(none), none.next], [[], null])
    })
  )

  it.effect("A cursor of proposals must be in the grant's scope; foreign and unknown ids get the same refusal.", () =>
    Effect.gen(function* () {
      const { author, supplier, proposalId } = yield* createDraftProposal()
      const foreign = yield* createDraftProposal()
      const colleague = yield* makeHolder(supplier, "SUPPLIER", authorActions)
      const after = (token: string, id: string) => page(token, `?after=${id}`)
      assert.strictEqual((yield* after(author.token, proposalId)).status, 200)
      const unknown = yield* after(author.token, `proposal_${uuid()}`)
      assert.strictEqual(unknown.status, 400)
      assert.deepStrictEqual(unknown.body.issues, [
        { path: "after", message: "names no proposal in the scope of this grant" }
      ])
      assert.deepStrictEqual((yield* after(author.token, foreign.proposalId)).body, unknown.body)
      assert.deepStrictEqual((yield* after(colleague.token, proposalId)).body, unknown.body)
    })
  )

  it.effect.each([
    "?limit=0",
    "?limit=101",
    "?limit=-1",
    "?limit=1.5",
    "?limit=ten",
    "?limit=",
    "?limit=1&limit=2",
    // Only canonical decimal notation is accepted.
    "?limit=1e1",
    "?limit=0x10",
    "?limit=%205",
    "?limit=5%20",
    "?limit=+5",
    "?limit=1.0",
    "?limit=05",
    "?after=",
    "?after=proposal_1",
    "?after=delivery_00000000-0000-4000-8000-000000000001"
  ])("The query %s of a list of proposals is refused with 400 and its path.", (query) =>
    Effect.gen(function* () {
      const { author } = yield* createDraftProposal()
      const { status, body, text } = yield* page(author.token, query)
      assert.strictEqual(status, 400, text)
      assert.deepStrictEqual([body.error, body.nextAction], ["INVALID_REQUEST", "CORRECT_REQUEST"])
      assert.include(body.issues[0].path, query.startsWith("?limit") ? "limit" : "after")
    })
  )
})
