/** `npm run new:command`, run in a copy of the repository. */
import { spawnSync } from "node:child_process"
import * as fs from "node:fs"
import { stripTypeScriptTypes } from "node:module"
import * as path from "node:path"
import { assert, it } from "@effect/vitest"
import { Effect } from "effect"
import { temporaryDirectory } from "../support/installation.ts"
import { node } from "../support/server.ts"

const root = path.resolve(import.meta.dirname, "../..")

const folders = [
  "src",
  "simulator/scenario",
  "test/projects",
  "test/support",
  "test/webhooks",
  "test/verifier",
  "tools"
]

const copyOfRepository = Effect.map(temporaryDirectory, (copy) => {
  for (const folder of folders) fs.cpSync(path.join(root, folder), path.join(copy, folder), { recursive: true })
  fs.writeFileSync(path.join(copy, "package.json"), JSON.stringify({ type: "module" }))
  fs.copyFileSync(path.join(root, ".oxfmtrc.json"), path.join(copy, ".oxfmtrc.json"))
  fs.symlinkSync(path.join(root, "node_modules"), path.join(copy, "node_modules"))
  return copy
})

const run = (copy: string, ...args: ReadonlyArray<string>) => {
  const { status, stdout, stderr } = spawnSync(node, ["tools/new-command.ts", ...args], { cwd: copy, encoding: "utf8" })
  return { status, stdout, stderr }
}

const filesOf = (copy: string): ReadonlyMap<string, string> =>
  new Map(
    folders.flatMap((folder) =>
      fs
        .readdirSync(path.join(copy, folder), { recursive: true, encoding: "utf8" })
        .filter((name) => name.endsWith(".ts"))
        .map((name) => [path.join(folder, name), fs.readFileSync(path.join(copy, folder, name), "utf8")] as const)
    )
  )

/** The files that the run changed, with the lines that each did not have before. */
const changesBetween = (before: ReadonlyMap<string, string>, after: ReadonlyMap<string, string>) =>
  new Map(
    [...after].flatMap(([file, text]) => {
      const known = new Set(before.get(file)?.split("\n"))
      return text === before.get(file) ? [] : [[file, text.split("\n").filter((line) => !known.has(line))] as const]
    })
  )

const extend = ["extend-review", "--by", "BUYER", "--from", "LOCKED,SUBMITTED", "--to", "SUBMITTED"]
const note = ["note-progress", "--by", "SUPPLIER", "--from", "LOCKED", "--to", "LOCKED", "--action", "SUBMIT_MATERIALS"]

/** A part of the new row in each edited file. */
const rowsOfExtend: ReadonlyArray<readonly [file: string, row: string]> = [
  ["src/projects/commands/extend-review.ts", 'kind: "EXTEND_REVIEW"'],
  ["src/projects/decide.ts", "[extendReview.kind]: extendReview"],
  ["src/projects/moves.ts", 'act: "EXTEND_REVIEW"'],
  ["src/projects/event.ts", 'event("EXTEND_REVIEW", ExtendReviewPayload)'],
  ["src/projects/person-commands-wire.ts", 'post("extendReview", "extend-review",'],
  ["src/handlers/people/project-commands.ts", "extendReview: ({ params, payload }) =>"],
  ["src/workspace/projects/labels.ts", '| "EXTEND_REVIEW"'],
  ["simulator/scenario/operations/workspace-api.ts", 'extendReview: decide("/extend-review")'],
  ["test/support/move-table.ts", 'EXTEND_REVIEW: { from: ["LOCKED", "SUBMITTED"], to: "SUBMITTED"'],
  ["test/support/project-commands.ts", "EXTEND_REVIEW: (project: Project) => extendReview(project)"],
  ["test/support/project.ts", '"EXTEND_REVIEW"'],
  ["test/projects/acts.test.ts", 'EXTEND_REVIEW: "EXTEND_REVIEW"'],
  ["test/projects/decisions.test.ts", 'EXTEND_REVIEW: "LOCKED"'],
  ["test/webhooks/event.test.ts", "EXTEND_REVIEW: true"],
  ["test/verifier/moves.test.ts", 'EXTEND_REVIEW: ["EXTEND_REVIEW"]']
]

it.live("A new command has its row in every file, and every file is valid TypeScript.", () =>
  Effect.scoped(
    Effect.gen(function* () {
      const copy = yield* copyOfRepository
      const before = filesOf(copy)
      const { status, stdout, stderr } = run(copy, ...extend)
      assert.deepStrictEqual({ status, stderr }, { status: 0, stderr: "" })
      const after = filesOf(copy)
      const changes = changesBetween(before, after)
      assert.sameMembers(
        [...changes.keys()],
        rowsOfExtend.map(([file]) => file)
      )
      for (const [file, row] of rowsOfExtend) {
        assert.include(changes.get(file)?.join("\n"), row, file)
        assert.doesNotThrow(() => stripTypeScriptTypes(after.get(file)!), undefined, file)
        assert.include(stdout, file)
      }
      for (const part of ["condition", "input", "effect", "refusals", "verifier", "scenarios", "glossary"]) {
        assert.include(stdout.slice(stdout.indexOf("Left to decide:")), part)
      }
    })
  )
)

it.live("A second command for agents has an endpoint, a handler and refusals in both APIs.", () =>
  Effect.scoped(
    Effect.gen(function* () {
      const copy = yield* copyOfRepository
      run(copy, ...extend)
      const before = filesOf(copy)
      assert.strictEqual(run(copy, ...note).stderr, "")
      const after = filesOf(copy)
      const changes = changesBetween(before, after)
      for (const [file, row] of [
        ["src/projects/wire.ts", "NoteProgressCommand"],
        ["src/handlers/agents/projects.ts", "noteProgress: ({ params, payload }) =>"],
        ["src/handlers/people/project-commands.ts", "noteProgressAsPerson: ({ params, payload }) =>"],
        ["simulator/scenario/operations/agent-api.ts", 'noteProgress: command("/note-progress")'],
        ["src/projects/moves.ts", 'act: "SUBMIT_MATERIALS"'],
        ["test/support/move-table.ts", "by: supplier }"]
      ] as const) {
        assert.include(changes.get(file)?.join("\n"), row, file)
      }
      for (const file of changes.keys())
        assert.doesNotThrow(() => stripTypeScriptTypes(after.get(file)!), undefined, file)
    })
  )
)

const refused: ReadonlyArray<readonly [reason: string, args: ReadonlyArray<string>, sentence: string]> = [
  [
    "a file of that name",
    ["concern", ...extend.slice(1)],
    "The name concern is in use in src/projects/commands/concern.ts."
  ],
  [
    "a move of that name",
    ["hold-delivery", ...extend.slice(1)],
    "The name hold-delivery is in use in src/projects/moves.ts."
  ],
  ["a malformed name", ["ExtendReview", ...extend.slice(1)], 'The name "ExtendReview" is not in kebab case.'],
  ["an unknown state", [...extend.slice(0, -1), "SIGNED"], "SIGNED is not a state of src/projects/project.ts."],
  [
    "an action of the other side",
    [...extend, "--action", "SUBMIT_MATERIALS"],
    "SUBMIT_MATERIALS is not an action of the buyer in src/access/actions.ts."
  ]
]

it.live("A refused run is one sentence and writes nothing.", () =>
  Effect.scoped(
    Effect.gen(function* () {
      const copy = yield* copyOfRepository
      const before = filesOf(copy)
      for (const [reason, args, sentence] of refused) {
        assert.deepStrictEqual(run(copy, ...args), { status: 1, stdout: "", stderr: `${sentence}\n` }, reason)
        assert.deepStrictEqual(filesOf(copy), before, reason)
      }
    })
  )
)

it.live("A second run with the same name is refused and writes nothing.", () =>
  Effect.scoped(
    Effect.gen(function* () {
      const copy = yield* copyOfRepository
      run(copy, ...extend)
      const before = filesOf(copy)
      const stderr = "The name extend-review is in use in src/projects/commands/extend-review.ts.\n"
      assert.deepStrictEqual(run(copy, ...extend), { status: 1, stdout: "", stderr })
      assert.deepStrictEqual(filesOf(copy), before)
    })
  )
)

it.live("A missing anchor is refused before any file is written.", () =>
  Effect.scoped(
    Effect.gen(function* () {
      const copy = yield* copyOfRepository
      const file = path.join(copy, "test/webhooks/event.test.ts")
      fs.writeFileSync(file, fs.readFileSync(file, "utf8").replace("const kinds:", "const eventKinds:"))
      const before = filesOf(copy)
      const stderr = 'The anchor "const kinds: … }" is not in test/webhooks/event.test.ts.\n'
      assert.deepStrictEqual(run(copy, ...extend), { status: 1, stdout: "", stderr })
      assert.deepStrictEqual(filesOf(copy), before)
    })
  )
)
