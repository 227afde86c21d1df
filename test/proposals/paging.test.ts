/** Pages of proposals while others come in: nothing is skipped or repeated, and what came before the last page is on it. */
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import fc from "fast-check"
import { memoryTestService } from "../support/memory-service.ts"
import { uuid } from "../support/parties.ts"
import { authorActions, createProposal, drafted, makeHolder, makePair, proposalFor } from "../support/proposals.ts"
import { freshTestService, send } from "../support/service.ts"
import { made } from "../support/workspace.ts"

const page = (token: string, query: string) => send("GET", `/api/agents/v1/proposals${query}`, { token })

const idsOf = (body: any) => (body.proposals as ReadonlyArray<{ readonly id: string }>).map(({ id }) => id)

interface Reading {
  /** Proposals that are there when the reading begins. */
  readonly first: number
  readonly limit: number
  /** After each page, how many more are written; beside the reading of the next one where it says so. */
  readonly between: ReadonlyArray<{ readonly count: number; readonly isBeside: boolean }>
}

const anyReading: fc.Arbitrary<Reading> = fc.record({
  first: fc.integer({ min: 0, max: 12 }),
  limit: fc.integer({ min: 1, max: 6 }),
  between: fc.array(fc.record({ count: fc.integer({ min: 0, max: 3 }), isBeside: fc.boolean() }), { maxLength: 5 })
})

/** Reads page after page; says what was wrong, and how many pages and insertions there were. */
const readWhileWriting = ({ first, limit, between }: Reading) =>
  Effect.gen(function* () {
    const pair = yield* makePair()
    const { token } = yield* makeHolder(pair.supplier, "SUPPLIER", authorActions)
    const write = Effect.gen(function* () {
      return made(yield* createProposal(token, yield* proposalFor(pair))).proposal.id as string
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
      const { count, isBeside } = between[pages] ?? { count: 0, isBeside: false }
      if (!isBeside) beforeLast.push(...(yield* writeMany(count)))
      const [answer, written] = yield* Effect.all([page(token, query), writeMany(isBeside ? count : 0)], {
        concurrency: "unbounded"
      })
      const body = made(answer)
      seen.push(...idsOf(body))
      after = body.next
      // What was written beside a page that was not the last came before the last one.
      if (after !== null) beforeLast.push(...written)
      pages++
      if (idsOf(body).length > limit) return { flaws: ["a page is larger than it was asked to be"], pages }
    } while (after !== null)
    const flaws = [
      ...(new Set(seen).size === seen.length ? [] : ["something is repeated"]),
      ...beforeLast.filter((id) => !seen.includes(id)).map((id) => `${id} is skipped`)
    ]
    return { flaws, pages }
  })

const readOften = (runs: number) =>
  Effect.gen(function* () {
    const context = yield* Effect.context<Effect.Services<ReturnType<typeof readWhileWriting>>>()
    const reached = { pages: 0, runsOfSeveral: 0, besides: 0, betweens: 0 }
    const property = fc.asyncProperty(anyReading, async (reading) => {
      const { flaws, pages } = await Effect.runPromiseWith(context)(readWhileWriting(reading))
      assert.deepStrictEqual(flaws, [])
      reached.pages += pages
      if (pages > 1) reached.runsOfSeveral++
      const used = reading.between.slice(0, pages).filter(({ count }) => count > 0)
      reached.besides += used.filter(({ isBeside }) => isBeside).length
      reached.betweens += used.filter(({ isBeside }) => !isBeside).length
    })
    yield* Effect.promise(() => fc.assert(property, { numRuns: runs, seed: 11 }))
    console.log(JSON.stringify(reached))
    for (const times of Object.values(reached)) assert.isAbove(times, 0)
  })

layer(memoryTestService, { excludeTestServices: true })("pages of proposals in the simulator's memory", (it) => {
  it.effect("never skip and never repeat", () => readOften(60))
})

layer(freshTestService, { excludeTestServices: true })("pages of proposals", (it) => {
  it.effect("never skip and never repeat over Postgres", () => readOften(12))

  it.effect("are in the order in which the proposals came, by fifty where nothing is said", () =>
    Effect.gen(function* () {
      const pair = yield* makePair()
      const { token } = yield* makeHolder(pair.supplier, "SUPPLIER", authorActions)
      const ids: Array<string> = []
      for (let count = 0; count < 50; count++) {
        ids.push(made(yield* createProposal(token, yield* proposalFor(pair))).proposal.id)
      }
      const whole = made(yield* page(token, ""))
      assert.deepStrictEqual([idsOf(whole), whole.next], [ids, null])
      const most = made(yield* page(token, "?limit=100"))
      assert.deepStrictEqual([idsOf(most), most.next], [ids, null])
      const rest = made(yield* page(token, `?limit=1&after=${ids[48]}`))
      assert.deepStrictEqual([idsOf(rest), rest.next], [ids.slice(49), null])
      const none = made(yield* page(token, `?after=${ids[49]}`))
      assert.deepStrictEqual([idsOf(none), none.next], [[], null])
    })
  )

  it.effect("begin after a proposal of this grant's scope and nothing else, whether it exists or not", () =>
    Effect.gen(function* () {
      const { author, supplier, proposalId } = yield* drafted()
      const foreign = yield* drafted()
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
    // A number is written in one way.
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
  ])("%s is 400 with its place", (query) =>
    Effect.gen(function* () {
      const { author } = yield* drafted()
      const { status, body, text } = yield* page(author.token, query)
      assert.strictEqual(status, 400, text)
      assert.deepStrictEqual([body.error, body.nextAction], ["INVALID_REQUEST", "CORRECT_REQUEST"])
      assert.include(body.issues[0].path, query.startsWith("?limit") ? "limit" : "after")
    })
  )
})
