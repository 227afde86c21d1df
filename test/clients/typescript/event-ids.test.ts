/** How the TypeScript client recognizes the duplicates of webhook events, also after a crash. */
import { assert, it } from "vitest"
import { EventIds } from "../../../clients/typescript/event-ids.ts"
import { MemoryStore } from "../../../clients/typescript/store.ts"

/** A store whose content was left by an earlier run; it counts what is written. */
class CountingStore extends MemoryStore {
  writes = 0
  /** What the next append leaves before it fails. */
  part: string | undefined

  static async with(text: string): Promise<CountingStore> {
    const store = new CountingStore()
    await store.write("webhook-events", text)
    store.writes = 0
    return store
  }

  override async write(name: string, text: string): Promise<void> {
    this.writes++
    await super.write(name, text)
  }

  override async append(name: string, line: string): Promise<void> {
    const { part } = this
    this.part = undefined
    if (part === undefined) return super.append(name, line)
    await super.write(name, `${await this.read(name)}${part}`)
    throw new Error("the disk is full")
  }
}

const linesOf = (first: number, last: number): string =>
  Array.from({ length: last - first + 1 }, (_, index) => `event_${first + index}\n`).join("")

it("An id is appended: the text is written as a whole before the first one only.", async () => {
  const store = await CountingStore.with(linesOf(1, 2))
  const ids = EventIds.of(store)
  assert.deepStrictEqual(
    [await ids.add("event_2"), await ids.add("event_3"), await ids.add("event_3")],
    [false, true, false]
  )
  assert.deepStrictEqual([await ids.has("event_3"), await ids.has("event_4")], [true, false])
  assert.strictEqual(await store.read("webhook-events"), linesOf(1, 3))
  assert.strictEqual(store.writes, 1)
})

it("A part of a line that a crash left is removed, and its event is new.", async () => {
  const store = await CountingStore.with(`${linesOf(1, 2)}event_`)
  assert.isTrue(await EventIds.of(store).add("event_3"))
  assert.strictEqual(await store.read("webhook-events"), linesOf(1, 3))
})

it("After an append that failed in the middle of a line, its event is new and the next one is saved.", async () => {
  const store = await CountingStore.with(linesOf(1, 1))
  const ids = EventIds.of(store)
  store.part = "eve"
  assert.strictEqual(await ids.add("event_2").catch((error: Error) => error.message), "the disk is full")
  assert.deepStrictEqual([await ids.add("event_3"), await ids.add("event_2")], [true, true])
  assert.strictEqual(await store.read("webhook-events"), "event_1\nevent_3\nevent_2\n")
})

it("After an append that failed behind its line, its event is new too.", async () => {
  const store = await CountingStore.with(linesOf(1, 1))
  const ids = EventIds.of(store)
  store.part = "event_2\n"
  assert.strictEqual(await ids.add("event_2").catch((error: Error) => error.message), "the disk is full")
  assert.deepStrictEqual(
    [await ids.has("event_2"), await ids.add("event_3"), await ids.add("event_2")],
    [false, true, true]
  )
  assert.strictEqual(await store.read("webhook-events"), "event_1\nevent_3\nevent_2\n")
})

it("The newest 10,000 ids stay known whenever the text is written as a whole.", async () => {
  const store = await CountingStore.with(linesOf(1, 10_005))
  const ids = EventIds.of(store)
  assert.deepStrictEqual([await ids.has("event_5"), await ids.has("event_6")], [false, true])
  for (let number = 10_006; number <= 20_006; number++) await ids.add(`event_${number}`)
  assert.deepStrictEqual([await ids.has("event_10005"), await ids.has("event_10006")], [false, true])
  assert.strictEqual(await store.read("webhook-events"), linesOf(10_006, 20_006))
  assert.strictEqual(store.writes, 2)
})
