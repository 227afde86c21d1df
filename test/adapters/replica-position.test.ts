import { assert, it } from "vitest"
import {
  hasReplayed,
  primaryPositionOf,
  replicaSnapshotOf,
  unfitness
} from "../../src/adapters/postgres-storage/replica-position.ts"

const primary = primaryPositionOf([7n, "0000000A", 500n, "90:95:90,93"])
const snapshot = (changes: { cluster?: bigint; timeline?: number; replayed?: bigint; isStandby?: boolean } = {}) => {
  const { cluster = 7n, timeline = 10, replayed = 500n, isStandby = true } = changes
  return replicaSnapshotOf([cluster, timeline, replayed], [isStandby, "95"])
}

it("The position of a primary names its timeline, and the transactions that have not ended.", () => {
  assert.deepStrictEqual(primary, { cluster: 7n, timeline: 10, logEnd: 500n, unendedFrom: 95n, unended: [90n, 93n] })
  assert.deepStrictEqual(primaryPositionOf([7n, "00000001", 0n, "95:95:"]).unended, [])
})

it.each([
  [snapshot(), undefined],
  [snapshot({ isStandby: false }), "is no standby any more"],
  [snapshot({ cluster: 8n }), "is a copy of another cluster"],
  [snapshot({ timeline: 9 }), "is on timeline 9, and the primary on 10"],
  [snapshot({ timeline: 11 }), "is on timeline 11, and the primary on 10"]
] as const)("A snapshot is used of a standby of the same cluster and timeline only.", (taken, expected) => {
  assert.strictEqual(unfitness(primary, taken), expected)
})

it("A snapshot that ends before the log of the primary lacks commits.", () => {
  assert.isTrue(hasReplayed(primary, snapshot()))
  assert.isFalse(hasReplayed(primary, snapshot({ replayed: 499n })))
})
