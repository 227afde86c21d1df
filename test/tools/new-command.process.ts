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

const folders = ["src", "test/projects", "test/support", "test/webhooks", "test/verifier", "tools"]

/** The thousands of files with data of tests are left out. */
const isCopied = (file: string): boolean => fs.statSync(file).isDirectory() || file.endsWith(".ts")

const copyOfRepository = Effect.map(temporaryDirectory, (copy) => {
  for (const folder of folders) {
    fs.cpSync(path.join(root, folder), path.join(copy, folder), { recursive: true, filter: isCopied })
  }
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

/** The files that the run wrote or changed. */
const changedFiles = (before: ReadonlyMap<string, string>, after: ReadonlyMap<string, string>) =>
  [...after].flatMap(([file, text]) => (text === before.get(file) ? [] : [file]))

/** Compares the texts directly: an assertion on both maps would sort them, and takes seconds. */
const assertUnchanged = (before: ReadonlyMap<string, string>, after: ReadonlyMap<string, string>, reason?: string) => {
  assert.deepStrictEqual([...after.keys()], [...before.keys()], reason)
  assert.deepStrictEqual(changedFiles(before, after), [], reason)
}

const extend = ["extend-review", "--by", "BUYER", "--from", "LOCKED,SUBMITTED", "--to", "SUBMITTED"]
const note = ["note-progress", "--by", "SUPPLIER", "--from", "LOCKED", "--to", "LOCKED", "--action", "SUBMIT_MATERIALS"]

/** The new rows in each edited file, formatted. */
const rowsOfExtend: ReadonlyArray<readonly [file: string, rows: string]> = [
  [
    "src/projects/commands/extend-review.ts",
    `/** The buyer sends EXTEND_REVIEW. */
import { Result, Schema } from "effect"
import { defineCommand, reasoned } from "../command.ts"

export const ExtendReviewInput = Schema.Struct(reasoned)

export const extendReview = defineCommand({
  kind: "EXTEND_REVIEW",
  moveOf: () => "EXTEND_REVIEW",
  decide: (_, { agreementDigest, reason }: typeof ExtendReviewInput.Type) =>
    Result.succeed({ event: { kind: "EXTEND_REVIEW", payload: { agreementDigest, reason } } })
})
`
  ],
  ["src/projects/decide.ts", "\n  [extendReview.kind]: extendReview\n"],
  [
    "src/projects/moves.ts",
    `
  EXTEND_REVIEW: {
    by: "BUYER",
    personOnly: true,
    act: "EXTEND_REVIEW",
    authority: "AGREEMENT_CREATE",
    from: ["LOCKED", "SUBMITTED"],
    to: "SUBMITTED",
    emits: "record.changed"
  }
`
  ],
  ["src/projects/moves.ts", '\n  "EXTEND_REVIEW"\n]'],
  ["src/projects/event.ts", "\nconst ExtendReviewPayload = Schema.Struct(reasoned)\n"],
  ["src/projects/event.ts", '\n  event("EXTEND_REVIEW", ExtendReviewPayload)\n'],
  [
    "src/projects/command-wire.ts",
    `
  extendReview: {
    path: "extend-review",
    summary: "Extend review",
    refusals: checks.projectCommand,
    person: { name: "extendReview", payload: personBody("PersonExtendReview", ExtendReviewInput) }
  }
`
  ],
  ["src/projects/person-commands-wire.ts", "\n    personCommand(projectCommands.extendReview)\n"],
  ["src/handlers/people/project-commands.ts", "\n    extendReview: run(extendReview)\n"],
  ["src/workspace/projects/labels.ts", '\n  | "EXTEND_REVIEW"\n'],
  ["src/workspace/projects/labels.ts", '\n    case "EXTEND_REVIEW":\n      return "sent “Extend review”"\n'],
  [
    "test/support/move-table.ts",
    '\n  EXTEND_REVIEW: { from: ["LOCKED", "SUBMITTED"], to: "SUBMITTED", emits: "record.changed", by: ["buyer"] },\n'
  ],
  [
    "test/support/project-commands.ts",
    `
export const extendReview = (project: Project, changes: Changes<"EXTEND_REVIEW"> = {}): Command => ({
  kind: "EXTEND_REVIEW",
  input: { ...named(project), reason: "As agreed.", ...changes }
})
`
  ],
  ["test/support/project-commands.ts", "\n  EXTEND_REVIEW: (project: Project) => extendReview(project)\n"],
  ["test/support/project.ts", '\n  "EXTEND_REVIEW"\n'],
  ["test/projects/acts.test.ts", '\n  EXTEND_REVIEW: "EXTEND_REVIEW"\n'],
  ["test/projects/decisions.test.ts", '\n    EXTEND_REVIEW: "LOCKED"\n'],
  ["test/webhooks/event.test.ts", "\n  EXTEND_REVIEW: true\n"],
  ["test/verifier/moves.test.ts", '\n  EXTEND_REVIEW: ["EXTEND_REVIEW"]\n']
]

it.live("A new command has its row in every file, and every file is valid TypeScript.", () =>
  Effect.scoped(
    Effect.gen(function* () {
      const copy = yield* copyOfRepository
      const before = filesOf(copy)
      const { status, stdout, stderr } = run(copy, ...extend)
      assert.deepStrictEqual({ status, stderr }, { status: 0, stderr: "" })
      const after = filesOf(copy)
      assert.sameMembers(changedFiles(before, after), [...new Set(rowsOfExtend.map(([file]) => file))])
      for (const [file, rows] of rowsOfExtend) {
        assert.include(after.get(file), rows, file)
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
      for (const [file, rows] of [
        [
          "src/projects/command-wire.ts",
          `
  noteProgress: {
    path: "note-progress",
    summary: "Note progress",
    refusals: checks.projectCommand,
    agent: { name: "noteProgress", payload: agentBody("NoteProgressCommand", NoteProgressInput) },
    person: { name: "noteProgressAsPerson", payload: personBody("PersonNoteProgress", NoteProgressInput) }
  }
`
        ],
        ["src/projects/wire.ts", "\n    agentCommand(projectCommands.noteProgress)\n"],
        ["src/projects/person-commands-wire.ts", "\n    personCommand(projectCommands.noteProgress)\n"],
        ["src/handlers/agents/projects.ts", "\n    noteProgress: run(noteProgress)\n"],
        ["src/handlers/people/project-commands.ts", "\n    noteProgressAsPerson: run(noteProgress)\n"],
        [
          "src/projects/moves.ts",
          '\n  NOTE_PROGRESS: { by: "SUPPLIER", act: "SUBMIT_MATERIALS", from: ["LOCKED"], emits: "record.changed" }\n'
        ],
        [
          "test/support/move-table.ts",
          '\n  NOTE_PROGRESS: { from: ["LOCKED"], emits: "record.changed", by: supplier },\n'
        ]
      ] as const) {
        assert.include(after.get(file), rows, file)
      }
      for (const file of changedFiles(before, after))
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
        assertUnchanged(before, filesOf(copy), reason)
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
      assertUnchanged(before, filesOf(copy))
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
      assertUnchanged(before, filesOf(copy))
    })
  )
)
