/** Operators' acts and their rows commit atomically, under every fault of the store. */
import { assert, describe, it } from "@effect/vitest"
import { Cause, Effect, Exit, Layer } from "effect"
import { SecureRandom } from "effect/crypto"
import type { FaultAt } from "../../simulator/storage/memory-storage/faults.ts"
import { layer } from "../../simulator/storage/memory-storage/layer.ts"
import { MemoryStore } from "../../simulator/storage/memory-storage/store.ts"
import type { Act } from "../../src/administration/act.ts"
import { listActs } from "../../src/administration/log.ts"
import { recordAct, recordFileAct } from "../../src/administration/recording.ts"
import { listOrganizations } from "../../src/people/listing.ts"
import { createOrganization } from "../../src/people/operations.ts"
import { StorageUnavailable } from "../../src/ports/storage.ts"
import { lockTables } from "../../src/tables.ts"
import { refuse, Refusal } from "../../src/vocabulary/refusals.ts"

const act: Act = {
  operator: { who: "anna", account: "root@host" },
  why: "a new customer",
  command: "create-organization",
  arguments: { name: "A" }
}

const everything = { since: undefined, who: undefined, command: undefined }
const page = { after: undefined, limit: 100 }

const rows = Effect.map(listActs(everything, page), (found) => found.rows)

/** Runs on a new store, with this fault in every transaction. */
const on = (fault?: FaultAt) =>
  Effect.provide(
    Layer.mergeAll(
      layer(new MemoryStore(lockTables), fault === undefined ? {} : { fault }),
      SecureRandom.layerWebCrypto
    )
  )

describe("acts on the database", () => {
  it.effect("An act commits with a row of its operator, reason, command and written rows", () =>
    Effect.gen(function* () {
      const { organizationId } = yield* recordAct(act, createOrganization({ name: "A" }))
      const [row, ...others] = yield* rows
      assert.deepStrictEqual(others, [])
      const { at: _at, actId: _actId, ...rest } = row!
      assert.deepStrictEqual(rest, {
        step: 1,
        who: "anna",
        account: "root@host",
        why: "a new customer",
        command: "create-organization",
        arguments: { name: "A" },
        outcome: "DONE",
        changed: [organizationId]
      })
    }).pipe(on())
  )

  it.effect("A refused act leaves a row with its code and has no effect", () =>
    Effect.gen(function* () {
      const exit = yield* Effect.exit(recordAct(act, createOrganization({ name: "" })))
      assert.isTrue(Exit.isFailure(exit))
      assert.deepStrictEqual(
        (yield* rows).map(({ outcome, changed }) => ({ outcome, changed })),
        [{ outcome: "INVALID_REQUEST", changed: [] }]
      )
      assert.deepStrictEqual((yield* listOrganizations(page)).items, [])
    }).pipe(on())
  )

  it.live.each(["commit-lost-committed", "commit-lost-aborted", "40001", "connection-lost"] as const)(
    "An act has one effect and one row when its first COMMIT meets %s",
    (fault) =>
      Effect.gen(function* () {
        yield* recordAct(act, createOrganization({ name: "A" }))
        assert.lengthOf((yield* listOrganizations(page)).items, 1)
        assert.lengthOf(yield* rows, 1)
      }).pipe(on(({ transaction, at }) => (transaction === 1 && at === "commit" ? fault : undefined)))
  )

  it.live("An act that the store does not commit has neither an effect nor a row", () => {
    const store = new MemoryStore(lockTables)
    const broken = layer(store, { fault: ({ at }) => (at === "commit" ? "25006" : undefined) })
    return Effect.gen(function* () {
      const exit = yield* recordAct(act, createOrganization({ name: "A" })).pipe(
        Effect.exit,
        Effect.provide([broken, SecureRandom.layerWebCrypto])
      )
      assert.isTrue(Exit.isFailure(exit))
      const left = yield* Effect.all([rows, listOrganizations(page)]).pipe(Effect.provide(layer(store)))
      assert.deepStrictEqual([left[0], left[1].items], [[], []])
    })
  })

  it.live("A refusal whose row cannot be written is still returned", () =>
    Effect.gen(function* () {
      for (const record of [recordAct, recordFileAct]) {
        const refusal = yield* Effect.flip(record(act, refuse("UNKNOWN_PARTY")))
        assert.strictEqual(refusal instanceof Refusal ? refusal.code : refusal, "UNKNOWN_PARTY")
      }
      // The first transaction of the second act writes BEGUN.
      assert.deepStrictEqual(
        (yield* rows).map(({ outcome }) => outcome),
        ["BEGUN"]
      )
    }).pipe(
      on(({ transaction, at }) => (at === "commit" && (transaction === 1 || transaction === 3) ? "53200" : undefined))
    )
  )
})

describe("acts on files", () => {
  it.live("An act on files whose last row cannot be written reports that the change may have been made", () =>
    Effect.gen(function* () {
      const exit = yield* Effect.exit(recordFileAct(act, Effect.void))
      const defect = Exit.isFailure(exit) ? Cause.squash(exit.cause) : undefined
      assert.isTrue(defect instanceof StorageUnavailable && defect.mayBeCommitted)
    }).pipe(on(({ transaction, at }) => (at === "commit" && transaction === 2 ? "53200" : undefined)))
  )

  it.effect("An act on files has a row before the change and one after it", () =>
    Effect.gen(function* () {
      const before = yield* recordFileAct(act, rows)
      assert.deepStrictEqual(
        before.map(({ outcome }) => outcome),
        ["BEGUN"]
      )
      const [done, begun] = yield* rows
      assert.deepStrictEqual([done!.outcome, begun!.outcome], ["DONE", "BEGUN"])
      assert.strictEqual(done!.actId, begun!.actId)
    }).pipe(on())
  )

  it.effect("A refused or failed act on files records its outcome in its second row", () =>
    Effect.gen(function* () {
      yield* Effect.exit(recordFileAct(act, refuse("UNKNOWN_PARTY")))
      yield* Effect.exit(recordFileAct(act, Effect.fail(new Error("the file cannot be written"))))
      assert.sameMembers(
        (yield* rows).map(({ outcome }) => outcome),
        ["BEGUN", "UNKNOWN_PARTY", "BEGUN", "FAILED"]
      )
    }).pipe(on())
  )
})

describe("log of acts", () => {
  it.effect("The log is listed newest first, page by page, filtered by operator and by command", () =>
    Effect.gen(function* () {
      const by = (who: string, command: string) =>
        recordFileAct({ ...act, operator: { ...act.operator, who }, command }, Effect.void)
      yield* by("anna", "set-password")
      yield* by("ben", "set-password")
      yield* by("anna", "set-address")
      const outcomes = (filter: object) =>
        Effect.map(listActs({ ...everything, ...filter }, page), (found) =>
          found.rows.map(({ who, command }) => `${who} ${command}`)
        )
      const twice = (text: string) => [text, text]
      assert.sameMembers(yield* outcomes({ who: "anna" }), [
        ...twice("anna set-password"),
        ...twice("anna set-address")
      ])
      assert.sameMembers(yield* outcomes({ command: "set-password" }), [
        ...twice("anna set-password"),
        ...twice("ben set-password")
      ])
      assert.sameMembers(yield* outcomes({ who: "anna", command: "set-address" }), twice("anna set-address"))
      const all = yield* rows
      assert.deepStrictEqual(
        all.map(({ at }) => at),
        all
          .map(({ at }) => at)
          .toSorted()
          .toReversed()
      )
      const first = yield* listActs(everything, { after: undefined, limit: 4 })
      const last = first.rows.at(-1)!
      const second = yield* listActs(everything, { after: [last.at, last.actId, last.step], limit: 4 })
      assert.deepStrictEqual([first.hasMore, second.hasMore], [true, false])
      assert.deepStrictEqual([...first.rows, ...second.rows], all)
    }).pipe(on())
  )
})
