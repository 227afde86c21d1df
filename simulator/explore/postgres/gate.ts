/**
 * The connections of a store, with a gate in each: what a client sends is cut into statements, and each waits until it
 * is let go. The client is the real adapter with its real driver, and knows nothing of it.
 */
import * as net from "node:net"
import { Duplex } from "node:stream"
import { isReady, Messages, processIn, type Statement, Statements, writtenIn } from "./wire.ts"

export class Gate {
  #activity = 0
  #noticed: (() => void) | undefined
  readonly connections = new Set<GatedConnection>()
  /** The tables that may be other than they were when this was last emptied. */
  readonly written = new Set<string>()
  readonly #socket: string
  #isHolding = false

  /** `socket` is where the server listens. */
  constructor(socket: string) {
    this.#socket = socket
  }

  /** Goes up whenever anything is sent or comes back. */
  get activity(): number {
    return this.#activity
  }

  /** Something was sent or came back. */
  stir(): number {
    this.#noticed?.()
    return (this.#activity += 1)
  }

  /** Until that happens again, and at most so many milliseconds. */
  stirred(atMost: number): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, atMost)
      this.#noticed = () => {
        clearTimeout(timer)
        resolve()
      }
    })
  }

  /** Until nothing runs in this process any more: then only an answer, or time, brings something about. */
  async rested(): Promise<void> {
    do await new Promise((resolve) => setImmediate(resolve))
    while (process.getActiveResourcesInfo().includes("Immediate"))
  }

  get isHolding(): boolean {
    return this.#isHolding
  }

  /** From now on every statement waits. */
  hold(): void {
    this.#isHolding = true
  }

  /** Everything that waits goes, and nothing waits any more. */
  open(): void {
    this.#isHolding = false
    for (const connection of this.connections) connection.goOn()
  }

  /** True where no statement is under way or waits. */
  get isQuiet(): boolean {
    return [...this.connections].every(({ isOut, next }) => !isOut && next === undefined)
  }

  /** A new connection of one of several clients. */
  connect(client: number): GatedConnection {
    const connection = new GatedConnection(this, client, net.connect({ path: this.#socket }))
    this.connections.add(connection)
    connection.once("close", () => this.connections.delete(connection))
    return connection
  }
}

export class GatedConnection extends Duplex {
  readonly client: number
  /** Statements that were sent one after the other and wait for each other. */
  readonly #held: Array<Statement> = []
  readonly #gate: Gate
  readonly #socket: net.Socket
  readonly #sent = new Statements()
  readonly #received = new Messages()
  /** Before that, client and server agree on who is who. */
  #isStarted = false
  #serverProcess = 0
  #isOut = false
  #waitsSince = 0
  #outSince = performance.now()

  constructor(gate: Gate, client: number, socket: net.Socket) {
    super()
    this.#gate = gate
    this.client = client
    this.#socket = socket
    socket.on("data", (piece: Buffer) => this.#receive(piece))
    socket.on("error", (error) => this.destroy(error))
    socket.on("close", () => this.destroy())
  }

  /** The statement that would be next. */
  get next(): Statement | undefined {
    return this.#held[0]
  }

  /** True while the server has something and has not answered it: a statement, or who it is that connects. */
  get isOut(): boolean {
    return this.#isOut || !this.#isStarted
  }

  /** When that began, in milliseconds of a clock that only measures spans. */
  get outSince(): number {
    return this.#outSince
  }

  /** Who came first waits since a lower number. */
  get waitsSince(): number {
    return this.#waitsSince
  }

  /** The number of the process that serves it. */
  get serverProcess(): number {
    return this.#serverProcess
  }

  /** Lets the next statement go. */
  letGo(): void {
    const statement = this.#held.shift()
    if (statement === undefined) return
    this.#isOut = true
    this.#outSince = performance.now()
    this.#waitsSince = this.#gate.stir()
    for (const table of writtenIn(statement.sql)) this.#gate.written.add(table)
    this.#socket.write(statement.bytes)
  }

  /** Lets what needs no decision go, where the server is ready. */
  goOn(): void {
    while (!this.#isOut && this.next !== undefined && !(this.#gate.isHolding && isDecided(this.next))) this.letGo()
  }

  override _write(piece: Buffer, _: string, done: () => void): void {
    if (this.#isStarted) this.#hold(this.#sent.take(piece))
    else this.#socket.write(piece)
    done()
  }

  override _read(): void {}

  override _final(done: () => void): void {
    this.#socket.end()
    done()
  }

  override _destroy(error: Error | null, done: (error: Error | null) => void): void {
    this.#socket.destroy()
    done(error)
  }

  #hold(statements: ReadonlyArray<Statement>): void {
    const now = this.#gate.stir()
    if (this.#held.length === 0) this.#waitsSince = now
    this.#held.push(...statements)
    this.goOn()
  }

  #receive(piece: Buffer): void {
    this.#gate.stir()
    for (const message of this.#received.take(piece)) {
      this.#serverProcess = processIn(message) ?? this.#serverProcess
      if (!isReady(message)) continue
      this.#isStarted = true
      this.#isOut = false
    }
    this.push(piece)
    this.goOn()
  }
}

/** What is only prepared, or sets up a session, changes nothing for anybody else. */
const isDecided = ({ sql, isRun }: Statement): boolean => isRun && !/^select (?:set_config|pg_backend_pid)\(/.test(sql)
