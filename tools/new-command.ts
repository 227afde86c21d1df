/**
 * Writes the files and rows of a new command on a project: `npm run new:command -- <name> --by BUYER --from LOCKED --to
 * LOCKED`. People send the command; with `--action REVIEW_DELIVERY` agents whose grant holds that action send it too.
 * Every edit is computed before the first file is written.
 */
import { spawnSync } from "node:child_process"
import * as fs from "node:fs"
import * as path from "node:path"
import { parseArgs } from "node:util"
import { actions, isForRole, type Action, type Role } from "../src/access/actions.ts"
import { states } from "../src/projects/project.ts"

const root = path.resolve(import.meta.dirname, "..")

interface Plan {
  /** The name as a file, an identifier, a type and a kind: extend-review, extendReview, ExtendReview, EXTEND_REVIEW. */
  readonly file: string
  readonly camel: string
  readonly pascal: string
  readonly kind: string
  readonly by: Role
  readonly from: ReadonlyArray<string>
  /** Undefined if the state is unchanged. */
  readonly to: string | undefined
  /** The grantable action under which agents send the command; undefined if it is reserved for people. */
  readonly action: Action | undefined
}

/** The text is inserted before the first `end` after `start`, which occurs once; empty for the start of the file. */
type Row = readonly [file: string, start: string, end: string, text: string]

const type = "string"
const options = { by: { type }, from: { type }, to: { type }, action: { type } } as const

class UsageError extends Error {}

const usage =
  "Usage: npm run new:command -- <kebab-name> --by BUYER|SUPPLIER --from STATE[,STATE] --to STATE [--action ACTION]"

const row = (...fields: Row): Row => fields
const projects = (name: string, ...rest: [string, string, string]) => row(`src/projects/${name}.ts`, ...rest)
const quoted = (values: ReadonlyArray<string>) => values.map((value) => `"${value}"`).join(", ")

/** The authority that a person needs until another one is decided on. */
const authorityOf = { BUYER: "AGREEMENT_CREATE", SUPPLIER: "TERMS_RESPOND" } as const

const decisionRows = (plan: Plan): ReadonlyArray<Row> => {
  const { file, camel, pascal, kind, by, from, to, action } = plan
  const act =
    action === undefined ? `personOnly: true, act: "${kind}", authority: "${authorityOf[by]}"` : `act: "${action}"`
  const target = to === undefined ? "" : ` to: "${to}",`
  const move = `,\n  ${kind}: { by: "${by}", ${act}, from: [${quoted(from)}],${target} emits: "record.changed" }`
  const text = `\n    case "${kind}":\n      return "sent “${titleOf(plan)}”"`
  const ofPeople = [
    projects("moves", "export const personActs = [", "\n] as const", `,\n  "${kind}"`),
    row("src/workspace/projects/labels.ts", "type ActWithoutPage =", "\nexport type", `\n  | "${kind}"`)
  ]
  return [
    projects("decide", "", "import { moveNamed", `import { ${camel} } from "./commands/${file}.ts"\n`),
    projects("decide", "export const commands = {", "\n} as const", `,\n  [${camel}.kind]: ${camel}`),
    ...(action === undefined ? ofPeople : []),
    projects("moves", "export const moves = {", "\n} as const satisfies", move),
    projects("event", "const IssuePayload", "\nconst event =", `\nconst ${pascal}Payload = Schema.Struct(reasoned)\n`),
    projects("event", "export const SignedEvent =", "\n])", `,\n  event("${kind}", ${pascal}Payload)`),
    row("src/workspace/projects/labels.ts", 'case "INVITATION_ACCEPTED":', "\n  }\n}", text)
  ]
}

/** The handler of an operation in one API, after the one of another operation. */
const handlerRows = (handlers: string, other: string, name: string, { file, camel }: Plan): ReadonlyArray<Row> => [
  row(
    handlers,
    "",
    "import type { Command, CommandKind }",
    `import { ${camel} } from "../../projects/commands/${file}.ts"\n`
  ),
  row(handlers, `${other}:`, "\n  })\n)", `,\n    ${name}: run(${camel})`)
]

const operationRows = (plan: Plan): ReadonlyArray<Row> => {
  const { file, camel, pascal, action } = plan
  // A person's operation has a name of its own where an agent has one.
  const ofPeople = action === undefined ? camel : `${camel}AsPerson`
  const imported = `import { ${pascal}Input } from "./commands/${file}.ts"\n`
  const ofAgents =
    action === undefined
      ? ""
      : `\n    agent: { name: "${camel}", payload: agentBody("${pascal}Command", ${pascal}Input) },`
  const declared =
    `,\n  ${camel}: {\n    path: "${file}",\n    summary: "${titleOf(plan)}",\n    refusals: checks.projectCommand,${ofAgents}` +
    `\n    person: { name: "${ofPeople}", payload: personBody("Person${pascal}", ${pascal}Input) }\n  }`
  const endOfGroup = "\n  )\n  .pipe"
  return [
    projects("command-wire", "", "import { PersonProjectView", imported),
    projects("command-wire", "export const projectCommands = {", "\n} as const satisfies", declared),
    projects(
      "person-commands-wire",
      "export class ProjectCommands",
      endOfGroup,
      `,\n    personCommand(projectCommands.${camel})`
    ),
    ...handlerRows("src/handlers/people/project-commands.ts", "createOwnProject", ofPeople, plan),
    ...(action === undefined
      ? []
      : [
          projects("wire", "export class ProjectsGroup", endOfGroup, `,\n    agentCommand(projectCommands.${camel})`),
          ...handlerRows("src/handlers/agents/projects.ts", "createProject", camel, plan)
        ])
  ]
}

const testRows = ({ camel, kind, by, from, to, action }: Plan): ReadonlyArray<Row> => {
  const callers = action !== undefined ? by.toLowerCase() : by === "BUYER" ? '["buyer"]' : '["representative"]'
  const target = to === undefined ? "" : ` to: "${to}",`
  const expected = `\n  ${kind}: { from: [${quoted(from)}],${target} emits: "record.changed", by: ${callers} },`
  const sender =
    `export const ${camel} = (project: Project, changes: Changes<"${kind}"> = {}): Command => ({\n` +
    `  kind: "${kind}",\n  input: { ...named(project), reason: "As agreed.", ...changes }\n})\n\n`
  const named = `,\n  ${kind}: (project: Project) => ${camel}(project)`
  const commands = "test/support/project-commands.ts"
  return [
    row("test/support/move-table.ts", "export const table = {", "\n  /** Revised terms replace", expected),
    row(commands, "", "/** The same terms under another title. */", sender),
    row(commands, "export const commandFor = {", "\n} as const", named),
    row("test/projects/acts.test.ts", "const actOfCommand:", "\n}", `,\n  ${kind}: "${action ?? kind}"`),
    row("test/projects/decisions.test.ts", "const startOf = {", "\n  } as const", `,\n    ${kind}: "${from[0]}"`),
    row("test/webhooks/event.test.ts", "const kinds:", "\n}", `,\n  ${kind}: true`),
    row("test/verifier/moves.test.ts", "const events:", "\n}", `,\n  ${kind}: ["${kind}"]`),
    ...(action === undefined ? [row("test/support/project.ts", "const forPeople:", "\n])", `,\n  "${kind}"`)] : [])
  ]
}

const titleOf = ({ file }: Plan): string => (file.charAt(0).toUpperCase() + file.slice(1)).replaceAll("-", " ")

const commandFile = ({ camel, pascal, kind, by }: Plan): string => `/** The ${by.toLowerCase()} sends ${kind}. */
import { Result, Schema } from "effect"
import { defineCommand, reasoned } from "../command.ts"

export const ${pascal}Input = Schema.Struct(reasoned)

export const ${camel} = defineCommand({
  kind: "${kind}",
  moveOf: () => "${kind}",
  decide: (_, { agreementDigest, reason }: typeof ${pascal}Input.Type) =>
    Result.succeed({ event: { kind: "${kind}", payload: { agreementDigest, reason } } })
})
`

/** What the tool cannot decide, each with its file. */
const decisionsLeft = ({ file, action }: Plan): ReadonlyArray<string> => [
  `its input, its checks, their order and refusals, and its effect on the project: src/projects/commands/${file}.ts`,
  "its condition, deadline, authority and webhook event; whether a hold stops it or it ends a project: src/projects/moves.ts",
  "its payload: src/projects/event.ts",
  "the summary and the refusals of its endpoints: src/projects/command-wire.ts",
  action === undefined
    ? "its page: src/workspace/projects/labels.ts"
    : "the authority of a signed event: src/verifier/authority.ts, test/verifier/second/authority.py",
  "its text: src/workspace/projects/labels.ts",
  "the record format: src/verifier/{schemas,moves,parties}.ts, test/verifier/second/*.py, docs/records.md",
  "default inputs of a step in a scenario: simulator/scenario/operations/",
  "a sample in searches and generated inputs: simulator/search/isolation/sample-actions.ts, simulator/generation/",
  "a step in a scenario, which proves it on both stores: scenarios/; then npm run examples",
  "its term, if it is new: docs/glossary.md; the entry: docs/reference/decisions.md"
]

const planOf = (args: ReadonlyArray<string>): Plan => {
  const { values, positionals } = parseArgs({ args: [...args], allowPositionals: true, options })
  const [file = "", ...more] = positionals
  const { by, to } = values
  const from = values.from?.split(",") ?? []
  const isSide = by === "BUYER" || by === "SUPPLIER"
  if (!isSide || more.length > 0 || from.length === 0 || to === undefined) throw new UsageError(usage)
  if (!/^[a-z]+(-[a-z]+)*$/.test(file)) throw new UsageError(`The name "${file}" is not in kebab case.`)
  const unknown = [...from, to].find((name) => !states.some((state) => state === name))
  if (unknown !== undefined) throw new UsageError(`${unknown} is not a state of src/projects/project.ts.`)
  const action = actions.find((one) => one === values.action && isForRole(one, by))
  if (values.action !== undefined && action === undefined) {
    throw new UsageError(`${values.action} is not an action of the ${by.toLowerCase()} in src/access/actions.ts.`)
  }
  const pascal = file.replaceAll(/(?:^|-)([a-z])/g, (_, letter: string) => letter.toUpperCase())
  const camel = pascal.charAt(0).toLowerCase() + pascal.slice(1)
  const kind = file.replaceAll("-", "_").toUpperCase()
  return { file, camel, pascal, kind, by, from, to: from.every((state) => state === to) ? undefined : to, action }
}

/** Empty if there is no such file. */
const textOf = (file: string): string =>
  fs.existsSync(path.join(root, file)) ? fs.readFileSync(path.join(root, file), "utf8") : ""

const inserted = (text: string, [file, start, end, added]: Row): string => {
  const first = text.indexOf(start)
  const at = text.indexOf(end, first + start.length)
  if (first < 0 || at < 0 || (start !== "" && text.lastIndexOf(start) !== first)) {
    throw new UsageError(`The anchor "${`${start} … ${end}`.replaceAll(/\s+/g, " ").trim()}" is not in ${file}.`)
  }
  return text.slice(0, at) + added + text.slice(at)
}

/** The texts of all files after the edits. */
const editsOf = (plan: Plan): ReadonlyMap<string, string> => {
  const { file, pascal, camel, kind } = plan
  const created = `src/projects/commands/${file}.ts`
  const identifiers = `${kind}|${pascal}(Input|Command|Payload)|const ${camel}|${camel}(?=:)`
  const rows = [...decisionRows(plan), ...operationRows(plan), ...testRows(plan)]
  const names = new RegExp(`\\b(${identifiers})\\b`)
  const inUse = textOf(created) === "" ? rows.map(([one]) => one).find((one) => names.test(textOf(one))) : created
  if (inUse !== undefined) throw new UsageError(`The name ${file} is in use in ${inUse}.`)
  const texts = new Map([[created, commandFile(plan)]])
  for (const one of rows) texts.set(one[0], inserted(texts.get(one[0]) ?? textOf(one[0]), one))
  return texts
}

const main = (args: ReadonlyArray<string>): void => {
  if (args.includes("--help")) return console.log(usage)
  const plan = planOf(args)
  const edits = editsOf(plan)
  for (const [file, text] of edits) fs.writeFileSync(path.join(root, file), text)
  const formatter = path.join(root, "node_modules/oxfmt/bin/oxfmt")
  spawnSync(process.execPath, [formatter, ...edits.keys()], { cwd: root })
  console.log(["Written:", ...edits.keys(), "\nLeft to decide:", ...decisionsLeft(plan)].join("\n  "))
  console.log("\nThen npm test: it names the tables and generated pages that do not have the command yet.")
}

try {
  main(process.argv.slice(2))
} catch (error) {
  if (!(error instanceof UsageError || (error instanceof TypeError && "code" in error))) throw error
  console.error(error.message)
  process.exitCode = 1
}
