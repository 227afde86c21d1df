/** Real failovers: Patroni, etcd, haproxy and Postgres of the distribution, which have to be installed. */
import { assert, it } from "@effect/vitest"
import { Effect } from "effect"
import { failoversUnderLoad } from "../drill/failover.ts"

it.live(
  "A leader that is killed with -9 loses no acknowledged act, none has two effects, and a revoked agent stays revoked.",
  () =>
    Effect.scoped(
      Effect.gen(function* () {
        const { rounds, wrong } = yield* failoversUnderLoad({ seed: 1, kills: 1, cut: false })
        assert.deepStrictEqual(wrong, [])
        assert.lengthOf(rounds, 1)
        assert.notStrictEqual(rounds[0]!.next, rounds[0]!.leader)
      })
    ),
  600_000
)
