/** Parses the messages of the Postgres protocol out of a byte stream, as far as the stepper needs them. */

export interface Message {
  readonly type: string
  /** The complete message as sent. */
  readonly bytes: Buffer
}

/** Splits a byte stream into complete messages. */
export class MessageReader {
  #rest: Buffer = Buffer.alloc(0)

  /** The messages that the piece completes. */
  take(piece: Uint8Array): ReadonlyArray<Message> {
    const bytes = this.#rest.length === 0 ? Buffer.from(piece) : Buffer.concat([this.#rest, piece])
    const messages: Array<Message> = []
    let from = 0
    while (bytes.length - from >= headerBytes) {
      // The length counts itself, and not the type before it.
      const to = from + 1 + bytes.readUInt32BE(from + 1)
      if (to > bytes.length) break
      messages.push({ type: String.fromCharCode(bytes[from]!), bytes: bytes.subarray(from, to) })
      from = to
    }
    this.#rest = bytes.subarray(from)
    return messages
  }
}

const headerBytes = 5

/** The messages up to the one that the server answers with ReadyForQuery. */
export interface Statement {
  readonly bytes: Buffer
  readonly sql: string
  /** False if the statement is only prepared. */
  readonly isRun: boolean
}

/** Groups the messages of a client into statements and resolves the names of prepared statements. */
export class StatementReader {
  readonly #messages = new MessageReader()
  readonly #prepared = new Map<string, string>()
  #pending: Array<Message> = []
  #sql = ""
  #isRun = false

  take(piece: Uint8Array): ReadonlyArray<Statement> {
    const statements: Array<Statement> = []
    for (const message of this.#messages.take(piece)) {
      this.#pending.push(message)
      this.#learn(message)
      if (!ends.has(message.type)) continue
      statements.push({
        bytes: Buffer.concat(this.#pending.map(({ bytes }) => bytes)),
        sql: this.#sql,
        isRun: this.#isRun
      })
      this.#pending = []
      this.#sql = ""
      this.#isRun = false
    }
    return statements
  }

  #learn({ type, bytes }: Message): void {
    const [first = "", second = ""] = bytes.toString("utf8", headerBytes).split("\0", 2)
    if (type === query) this.#sql = first
    if (type === parse) this.#prepared.set(first, second)
    if (type === parse) this.#sql = second
    if (type === bind) this.#sql = this.#prepared.get(second) ?? this.#sql
    if (type === query || type === execute) this.#isRun = true
  }
}

const query = "Q"
const parse = "P"
const bind = "B"
const execute = "E"
/** Sync, a simple query and Terminate end a statement. */
const ends: ReadonlySet<string> = new Set([query, "S", "X"])

/** The server takes the next statement. */
export const isReadyForQuery = ({ type }: Message): boolean => type === "Z"

/** The process id of the server backend, if the message carries it. */
export const backendProcessIn = ({ type, bytes }: Message): number | undefined =>
  type === "K" ? bytes.readUInt32BE(headerBytes) : undefined

/** The tables that a statement writes, if it changes anything. */
export const writtenTables = (sql: string): ReadonlyArray<string> =>
  [...sql.matchAll(/(?:insert into|update|delete from) "?([a-z_]+)"?/g)].map(([, table]) => table!)

/** A short label of a statement, without values. */
export const statementLabel = (sql: string): string => {
  const [verb = ""] = sql.split(" ", 1)
  if (["begin", "commit", "rollback"].includes(verb)) return verb
  const tables = [...sql.matchAll(/(?:insert into|update|delete from|from) "?([a-z_]+)"?/g)].map(([, table]) => table)
  const named = [...new Set(tables)].filter((table) => table !== "rows" && table !== "unnest").join(", ")
  if (sql.includes("pg_advisory")) return sql.includes("_shared(") ? "lock shared" : "lock"
  if (sql.includes("skip locked")) return `claim ${named}`
  if (sql.endsWith("for no key update")) return `lock ${named}`
  return `${verb === "with" ? "write" : verb === "select" ? "read" : verb} ${named}`.trim()
}
