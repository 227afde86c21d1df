/** Locks between processes: which modes exclude each other, and the release when a process is killed. */
import { spawn, type ChildProcess } from "node:child_process"
import { once } from "node:events"
import * as path from "node:path"
import { assert, it } from "@effect/vitest"
import { Effect } from "effect"
import { takeFileLock, withFileLock, type LockMode } from "../../src/adapters/file-lock.ts"
import { temporaryDirectory } from "../support/installation.ts"

const module = path.resolve(import.meta.dirname, "../../src/adapters/file-lock.ts")

/** A process that holds the lock until it is killed. */
const holder = (file: string, mode: LockMode) =>
  Effect.acquireRelease(
    Effect.promise(async () => {
      const program = `import { takeFileLock } from ${JSON.stringify(module)}
        globalThis.lock = takeFileLock(${JSON.stringify(file)}, ${JSON.stringify(mode)})
        console.log("held"); setInterval(() => {}, 1000)`
      const child = spawn(process.execPath, ["--input-type=module", "-e", program], {
        stdio: ["ignore", "pipe", "inherit"]
      })
      await once(child.stdout, "data")
      return child
    }),
    (child) => Effect.promise(() => kill(child))
  )

const kill = async (child: ChildProcess): Promise<void> => {
  if (child.exitCode !== null || child.signalCode !== null) return
  child.kill("SIGKILL")
  await once(child, "exit")
}

/** Whether this process can take the lock now. */
const isFree = (file: string, mode: LockMode): boolean => {
  const lock = takeFileLock(file, mode)
  lock?.release()
  return lock !== undefined
}

it.live("A lock excludes other processes until its process is killed, and is free at once afterwards.", () =>
  Effect.scoped(
    Effect.gen(function* () {
      const file = path.join(yield* temporaryDirectory, "a.lock")
      const exclusive = yield* holder(file, "exclusive")
      assert.deepStrictEqual([isFree(file, "shared"), isFree(file, "exclusive")], [false, false])
      yield* Effect.promise(() => kill(exclusive))
      assert.isTrue(isFree(file, "exclusive"))
      const shared = yield* holder(file, "shared")
      assert.deepStrictEqual([isFree(file, "shared"), isFree(file, "exclusive")], [true, false])
      yield* Effect.promise(() => kill(shared))
      assert.isTrue(isFree(file, "exclusive"))
    })
  )
)

it.live("Two fibers of one process hold an exclusive lock one after the other.", () =>
  Effect.scoped(
    Effect.gen(function* () {
      const file = path.join(yield* temporaryDirectory, "a.lock")
      const order: Array<string> = []
      const hold = (name: string) =>
        withFileLock(
          file,
          Effect.gen(function* () {
            order.push(name)
            yield* Effect.sleep("30 millis")
            order.push(name)
          })
        )
      yield* Effect.all([hold("a"), hold("b")], { concurrency: 2 })
      assert.strictEqual(order[0], order[1])
      assert.strictEqual(order[2], order[3])
    })
  )
)
