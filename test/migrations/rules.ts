/**
 * What a migration must not do to a table that is in use. The statements are read by the parser of Postgres; tables that
 * the migration itself creates are exempt.
 */
import { parse } from "libpg-query"
import type { Migration, Step } from "../../src/migrations/migration.ts"

/** A node of the parser's tree: its members depend on its kind. */
type Node = any

interface Statement {
  /** The kind of the node, such as `AlterTableStmt`. */
  readonly type: string
  readonly node: Node
}

interface Context {
  readonly migration: Migration
  /** Of the step that is examined. */
  readonly index: number
  readonly statements: ReadonlyArray<Statement>
  readonly created: ReadonlySet<string>
}

interface Rule {
  readonly name: string
  readonly instead: string
  /** True where a statement of a transaction violates the rule. */
  readonly statement?: (statement: Statement, context: Context) => boolean
  /** True where a step as a whole does. */
  readonly step?: (step: Step, context: Context) => boolean
}

export const violationsOf = async (migration: Migration): Promise<ReadonlyArray<string>> => {
  const steps = await Promise.all(migration.steps.map((step) => statementsOf(step)))
  const created = new Set(
    steps.flat().flatMap(({ type, node }) => (type === "CreateStmt" ? [node.relation.relname] : []))
  )
  return migration.steps.flatMap((step, index) => {
    const context = { migration, index, statements: steps[index]!, created }
    return rules
      .filter(
        (rule) =>
          rule.step?.(step, context) === true ||
          (step.kind === "transaction" &&
            context.statements.some((statement) => rule.statement?.(statement, context) === true))
      )
      .map(
        ({ name, instead }) => `migration ${migration.id} (${migration.name}), step ${index + 1}: ${name}; ${instead}`
      )
  })
}

const statementsOf = async (step: Step): Promise<ReadonlyArray<Statement>> => {
  const texts =
    step.kind === "transaction"
      ? step.statements
      : step.kind === "batches"
        ? [step.change]
        : step.kind === "index"
          ? [`create index concurrently ${step.name} on ${step.on}`]
          : step.kind === "validation"
            ? [`alter table ${step.table} validate constraint ${step.constraint}`]
            : // The statements depend on the table as it is: test/adapters/partitioning.test.ts states what they keep.
              []
  const parsed = await Promise.all(texts.map((text) => parse(text)))
  return parsed.flatMap(({ stmts }: Node) =>
    stmts.map(({ stmt }: Node) => {
      const [type, node] = Object.entries(stmt)[0]!
      return { type, node }
    })
  )
}

const isExisting = (relation: Node, { created }: Context): boolean =>
  relation !== undefined && !created.has(relation.relname)

/** The changes of an ALTER TABLE of a table that existed before. */
const alterations = ({ type, node }: Statement, context: Context): ReadonlyArray<Node> =>
  type === "AlterTableStmt" && isExisting(node.relation, context)
    ? node.cmds.map(({ AlterTableCmd }: Node) => AlterTableCmd)
    : []

const addedColumns = (statement: Statement, context: Context): ReadonlyArray<Node> =>
  alterations(statement, context)
    .filter(({ subtype }) => subtype === "AT_AddColumn")
    .map(({ def }) => def.ColumnDef)

const columnConstraints = (column: Node): ReadonlyArray<Node> =>
  (column.constraints ?? []).map(({ Constraint }: Node) => Constraint)

const addedConstraints = (statement: Statement, context: Context): ReadonlyArray<Node> =>
  alterations(statement, context)
    .filter(({ subtype }) => subtype === "AT_AddConstraint")
    .map(({ def }) => def.Constraint)

const isConstant = (expression: Node): boolean =>
  expression.A_Const !== undefined || (expression.TypeCast !== undefined && isConstant(expression.TypeCast.arg))

const alters =
  (...subtypes: ReadonlyArray<string>) =>
  (statement: Statement, context: Context): boolean =>
    alterations(statement, context).some(({ subtype }) => subtypes.includes(subtype))

const dataChanges = ["UpdateStmt", "DeleteStmt", "InsertStmt", "MergeStmt"]

/** The existing tables that a statement locks. */
const lockedBy = (statement: Statement, context: Context): ReadonlyArray<string> => {
  const { type, node } = statement
  if (dataChanges.includes(type) || type === "SelectStmt") return []
  const dropped =
    type === "DropStmt" && node.removeType === "OBJECT_TABLE"
      ? node.objects.map(({ List }: Node) => ({ relname: List.items.at(-1).String.sval }))
      : []
  const constraints = [
    ...addedConstraints(statement, context),
    ...addedColumns(statement, context).flatMap(columnConstraints),
    ...(type === "CreateStmt" ? node.tableElts : []).flatMap((element: Node) =>
      element.Constraint === undefined ? columnConstraints(element.ColumnDef) : [element.Constraint]
    )
  ]
  return [node.relation, ...dropped, ...constraints.map(({ pktable }) => pktable)]
    .filter((relation) => relation !== undefined && isExisting(relation, context))
    .map(({ relname }) => relname)
}

const limitOf = (node: Node): number | undefined => node?.limitCount?.A_Const?.ival?.ival

/** The select statements inside a condition. */
const selectsIn = (tree: Node): ReadonlyArray<Node> =>
  tree === null || typeof tree !== "object"
    ? []
    : [
        ...(tree.SelectStmt === undefined ? [] : [tree.SelectStmt]),
        ...Object.values(tree).flatMap((value) => selectsIn(value))
      ]

const batchRowsMax = 10_000

/** True where an earlier step validated a check that the column is not null. */
const isValidatedNotNull = (table: string, column: string, { migration, index }: Context): boolean => {
  const before = migration.steps.slice(0, index)
  return before.some(
    (step) =>
      step.kind === "validation" &&
      step.table === table &&
      before.some(
        (earlier) =>
          earlier.kind === "transaction" &&
          earlier.statements.some((text) =>
            new RegExp(`constraint ${step.constraint} check \\(\\s*${column} is not null\\s*\\)`, "i").test(text)
          )
      )
  )
}

export const rules: ReadonlyArray<Rule> = [
  {
    name: "changes the type of a column, which rewrites the table under an exclusive lock",
    instead: "add a column, fill it in batches, and drop the former one in a contract",
    statement: alters("AT_AlterColumnType")
  },
  {
    name: "adds a column whose values are computed, which rewrites the table",
    instead: "add it without a default or with a constant, and fill it in batches",
    statement: (statement, context) =>
      addedColumns(statement, context).some(
        (column) =>
          /^(?:small|big)?serial\d?$/.test(column.typeName.names.at(-1).String.sval) ||
          columnConstraints(column).some(
            ({ contype, raw_expr }) =>
              contype === "CONSTR_IDENTITY" ||
              contype === "CONSTR_GENERATED" ||
              (contype === "CONSTR_DEFAULT" && !isConstant(raw_expr))
          )
      )
  },
  {
    name: "builds an index while writes wait",
    instead: "write a step of the kind index",
    statement: ({ type, node }, context) =>
      type === "IndexStmt" && !node.concurrent && isExisting(node.relation, context)
  },
  {
    name: "builds or drops an index concurrently inside a transaction, which Postgres refuses",
    instead: "write a step of the kind index, or drop it without concurrently",
    statement: ({ type, node }) => (type === "IndexStmt" || type === "DropStmt") && node.concurrent === true
  },
  {
    name: "adds a unique or primary key that builds its index while writes wait",
    instead: "build the index in a step of its own, then add the constraint using index",
    statement: (statement, context) =>
      [...addedConstraints(statement, context), ...addedColumns(statement, context).flatMap(columnConstraints)].some(
        ({ contype, indexname }) =>
          ["CONSTR_UNIQUE", "CONSTR_PRIMARY", "CONSTR_EXCLUSION"].includes(contype) && indexname === undefined
      )
  },
  {
    name: "validates a constraint while it is added, which reads the whole table under its lock",
    instead: "add it as not valid, and write a step of the kind validation",
    statement: (statement, context) =>
      addedConstraints(statement, context).some(
        ({ contype, skip_validation }) =>
          ["CONSTR_CHECK", "CONSTR_FOREIGN", "CONSTR_NOTNULL"].includes(contype) && skip_validation !== true
      ) ||
      addedColumns(statement, context)
        .flatMap(columnConstraints)
        .some(({ contype }) => contype === "CONSTR_CHECK" || contype === "CONSTR_FOREIGN")
  },
  {
    name: "sets a column not null without a validated check, which reads the whole table under an exclusive lock",
    instead: "add the check that it is not null as not valid, validate it, then set not null",
    statement: (statement, context) =>
      alterations(statement, context).some(
        ({ subtype, name }) =>
          subtype === "AT_SetNotNull" && !isValidatedNotNull(statement.node.relation.relname, name, context)
      )
  },
  {
    name: "adds a column that is not null and has no default, without which the previous version cannot insert",
    instead: "add it nullable or with a constant default",
    statement: (statement, context) =>
      addedColumns(statement, context).some((column) => {
        const kinds = columnConstraints(column).map(({ contype }) => contype)
        return kinds.includes("CONSTR_NOTNULL") && !kinds.includes("CONSTR_DEFAULT")
      })
  },
  {
    name: "renames what the previous version uses by its former name",
    instead: "add the new name beside it, and drop the former one in a contract",
    statement: ({ type, node }, context) =>
      (type === "RenameStmt" && (node.relation === undefined || isExisting(node.relation, context))) ||
      type === "AlterObjectSchemaStmt"
  },
  {
    name: "drops what the previous version uses",
    instead: "move it to a contract of a later release",
    statement: (statement, context) =>
      context.migration.kind === "expand" &&
      (statement.type === "DropStmt" ||
        alters("AT_DropColumn", "AT_DropConstraint", "AT_DetachPartition")(statement, context) ||
        alterations(statement, context).some(({ subtype, def }) => subtype === "AT_ColumnDefault" && def === undefined))
  },
  {
    name: "locks several tables in one transaction, which can deadlock with the service",
    instead: "write a transaction for each table",
    step: (step, context) =>
      step.kind === "transaction" &&
      new Set(context.statements.flatMap((statement) => lockedBy(statement, context))).size > 1
  },
  {
    name: "changes rows in the transaction of a schema change, which holds its lock for as long",
    instead: "write a step of its own",
    step: (step, context) => {
      const isDataChange = ({ type, node }: Statement) =>
        dataChanges.includes(type) && isExisting(node.relation, context)
      return (
        step.kind === "transaction" &&
        context.statements.some(isDataChange) &&
        context.statements.some((statement) => lockedBy(statement, context).length > 0)
      )
    }
  },
  {
    name: "updates or deletes rows of a table in use at once",
    instead: "write a step of the kind batches",
    statement: ({ type, node }, context) =>
      ["UpdateStmt", "DeleteStmt", "MergeStmt"].includes(type) && isExisting(node.relation, context)
  },
  {
    name: `has batches without a limit of at most ${batchRowsMax} rows`,
    instead: "select the keys of a batch with limit in its condition",
    step: (step, { statements }) =>
      step.kind === "batches" &&
      !statements.every(
        ({ type, node }) =>
          (type === "UpdateStmt" || type === "DeleteStmt") &&
          selectsIn(node.whereClause).some((select) => (limitOf(select) ?? Infinity) <= batchRowsMax)
      )
  },
  {
    name: "has batches that skip locked rows, and so can end before the last one",
    instead: "leave out skip locked",
    step: (step, { statements }) =>
      step.kind === "batches" &&
      statements.some(({ node }) =>
        selectsIn(node.whereClause).some(({ lockingClause }) =>
          (lockingClause ?? []).some(({ LockingClause }: Node) => LockingClause.waitPolicy === "LockWaitSkip")
        )
      )
  },
  {
    name: "adds a trigger or rule, by which the previous version does what its code does not say",
    instead: "write both forms in code for one release",
    statement: ({ type }, context) =>
      type === "CreateTrigStmt" ||
      type === "RuleStmt" ||
      context.statements.some((one) => one.type === "CreateEventTrigStmt")
  },
  {
    name: "rewrites or locks a table outright",
    instead: "leave it to operators in a maintenance window",
    statement: (statement, context) =>
      ["ClusterStmt", "RepackStmt", "VacuumStmt", "LockStmt", "TruncateStmt", "ReindexStmt"].includes(statement.type) ||
      alters(
        "AT_SetTableSpace",
        "AT_SetLogged",
        "AT_SetUnLogged",
        "AT_ClusterOn",
        "AT_SetAccessMethod"
      )(statement, context)
  },
  {
    name: "controls its own transaction or settings",
    instead: "leave them to the migrator",
    statement: ({ type }) => type === "TransactionStmt" || type === "VariableSetStmt"
  },
  {
    name: "executes code that these rules cannot read",
    instead: "write the statements themselves",
    statement: ({ type }) => type === "DoStmt" || type === "CallStmt"
  }
]
