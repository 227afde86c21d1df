/** Projects whose history was folded at an earlier read: only later events are read again. */
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { Caches } from "../../src/ports/caches.ts"
import type { Transaction } from "../../src/ports/storage.ts"
import { appendEvent, readStoredProject, storedProjectFrom, type StoredProject } from "../../src/projects/history.ts"
import type { Project } from "../../src/projects/project.ts"
import type { ProjectRow } from "../../src/projects/store.ts"
import { limits } from "../../src/vocabulary/limits.ts"
import { afterCommand, projectIn } from "../support/project.ts"
import { commandFor } from "../support/project-commands.ts"
import { agent, dana, digestOfCharacter, uuidOf } from "../support/project-people.ts"
import { rowFor } from "../support/project-row.ts"
import { codeOf, occurrence, projectId, rowsOf, runWith, storedOf, supersession } from "../support/stored-project.ts"

describe("reading a project that was read before", () => {
  const locked = projectIn("LOCKED")
  const submitted = projectIn("SUBMITTED")

  /** Reads what is stored, with the fold of an earlier read; lists the sequences after which events are read. */
  const readAfter = (recent: Project | undefined, stored: StoredProject) => {
    const [readFrom, kept]: [Array<number>, Array<readonly [Project, number]>] = [[], []]
    const reader = {
      get: () => Effect.succeed(stored.row),
      range: (_table: unknown, _index: unknown, { after: [sequence] }: { readonly after: readonly [number] }) => {
        readFrom.push(sequence)
        return Effect.succeed(rowsOf(stored.project).filter((row) => row.sequence > sequence))
      }
    }
    const caches = {
      of: () => ({
        get: () => recent,
        set: (_key: string, project: Project, bytes: number) => void kept.push([project, bytes]),
        delete: () => {}
      })
    }
    const read = readStoredProject(reader as unknown as Transaction, projectId).pipe(
      Effect.provideService(Caches, caches as unknown as Caches["Service"]),
      Effect.runSync
    )
    return { project: read!.project, readFrom, kept }
  }

  it("Without a fold the whole history is read, and its fold kept with three times the bytes of the history.", () => {
    const { project, readFrom, kept } = readAfter(undefined, storedOf(locked))
    assert.deepStrictEqual(project, locked)
    assert.deepStrictEqual([readFrom, kept], [[0], [[project, 3_000]]])
    assert.deepStrictEqual(storedProjectFrom(rowFor(locked), rowsOf(locked)), storedOf(locked))
  })

  it("A fold of the stored head is used as it is.", () => {
    const { project, readFrom, kept } = readAfter(locked, storedOf(locked))
    assert.strictEqual(project, locked)
    assert.deepStrictEqual([readFrom, kept], [[2], []])
  })

  it("A fold is extended by the later events alone, and replaced.", () => {
    const { project, readFrom, kept } = readAfter(locked, storedOf(submitted))
    assert.deepStrictEqual(project, submitted)
    assert.deepStrictEqual([readFrom, kept], [[2], [[project, 3_000]]])
  })

  it("A snapshot that is older than the fold is read in full, and the fold stays.", () => {
    const { project, readFrom, kept } = readAfter(submitted, storedOf(locked))
    assert.deepStrictEqual(project, locked)
    assert.deepStrictEqual([readFrom, kept], [[3, 0], []])
  })

  it("A fold that the stored events do not continue is not extended, and replaced once a statement gives it as lost.", () => {
    const other = { ...submitted, head: digestOfCharacter("f") }
    const after = afterCommand(submitted, commandFor.REVIEW_ACCEPT(submitted))
    assert.deepStrictEqual(readAfter(other, storedOf(after)).kept, [])
    const lostHead = { sequence: 3, eventHash: other.head, epoch: `epoch_${uuidOf(1)}` }
    const { project, readFrom, kept } = readAfter(other, storedOf(after, { lostHead }))
    assert.deepStrictEqual(project, { ...after, lostHead })
    assert.deepStrictEqual(readFrom, [3, 0])
    assert.deepStrictEqual(
      kept.map(([{ head }, bytes]) => [head, bytes]),
      [[after.head, 3_000]]
    )
  })

  it("A history that lacks events of an earlier read is not appended to.", async () => {
    const appendTo = (seen: Project, changes: Partial<ProjectRow> = {}) => {
      const stored = storedOf(locked, changes)
      return runWith(stored, (transaction) =>
        Effect.gen(function* () {
          const caches = yield* Caches
          caches.of<Project>({ name: "folded projects", maxBytes: limits.foldedProjectBytes }).set(projectId, seen, 1)
          return yield* codeOf(appendEvent(transaction, stored, occurrence(supersession, agent(dana))))
        })
      )
    }
    assert.strictEqual(await appendTo(locked), "APPENDED")
    assert.strictEqual(await appendTo(submitted), "PROJECT_READ_ONLY")
  })
})
