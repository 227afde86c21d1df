/**
 * Connections of a store with a gate in each: the bytes of a client are split into statements, and each statement waits
 * until it is released. The client is the real adapter with its real driver.
 */
import * as net from "node:net"
import { Duplex } from "node:stream"
import {
  isReadyForQuery,
  MessageReader,
  backendProcessIn,
  type Statement,
  StatementReader,
  writtenTables
} from "./wire-protocol.ts"

export class StatementGate {
  #activity = 0
  #onActivity: (() => void) | undefined
  readonly connections = new Set<GatedConnection>()
  /** The tables written since the set was last cleared. */
  readonly written = new Set<string>()
  readonly #server: net.NetConnectOpts
  #isHolding = false

  constructor(server: net.NetConnectOpts) {
    this.#server = server
  }

  /** Increases with every message in either direction. */
  get activity(): number {
    return this.#activity
  }

  /** Records a message in either direction. */
  recordActivity(): number {
    this.#onActivity?.()
    return (this.#activity += 1)
  }

  /** Resolves at the next message, or after so many milliseconds. */
  nextActivity(atMost: number): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, atMost)
      this.#onActivity = () => {
        clearTimeout(timer)
        resolve()
      }
    })
  }

  /** Resolves once the event loop is idle: the next event is an answer or a timer. */
  async eventLoopIdle(): Promise<void> {
    do await new Promise((resolve) => setImmediate(resolve))
    while (process.getActiveResourcesInfo().includes("Immediate"))
  }

  get isHolding(): boolean {
    return this.#isHolding
  }

  /** Holds every statement from now on. */
  hold(): void {
    this.#isHolding = true
  }

  /** Releases all held statements and holds no more. */
  open(): void {
    this.#isHolding = false
    for (const connection of this.connections) connection.releaseUnscheduled()
  }

  /** True if no statement is in flight or held. */
  get isIdle(): boolean {
    return [...this.connections].every(({ isOut, next }) => !isOut && next === undefined)
  }

  /** A new connection of one client. */
  connect(client: number): GatedConnection {
    const connection = new GatedConnection(this, client, net.connect(this.#server))
    this.connections.add(connection)
    connection.once("close", () => this.connections.delete(connection))
    return connection
  }
}

export class GatedConnection extends Duplex {
  readonly client: number
  /** The held statements in the order in which they were sent. */
  readonly #held: Array<Statement> = []
  readonly #gate: StatementGate
  readonly #socket: net.Socket
  readonly #sent = new StatementReader()
  readonly #received = new MessageReader()
  /** False during startup and authentication. */
  #isStarted = false
  #serverProcess = 0
  #isInFlight = false
  #waitingSince = 0
  #inFlightSince = performance.now()

  constructor(gate: StatementGate, client: number, socket: net.Socket) {
    super()
    this.#gate = gate
    this.client = client
    this.#socket = socket
    socket.on("data", (piece: Buffer) => this.#receive(piece))
    socket.on("error", (error) => this.destroy(error))
    socket.on("close", () => this.destroy())
  }

  /** The next statement to release. */
  get next(): Statement | undefined {
    return this.#held[0]
  }

  /** True while a statement or the startup is in flight. */
  get isOut(): boolean {
    return this.#isInFlight || !this.#isStarted
  }

  /** The start of the current flight, in milliseconds of the monotonic clock. */
  get outSince(): number {
    return this.#inFlightSince
  }

  /** The activity count at which the wait began: lower is earlier. */
  get waitsSince(): number {
    return this.#waitingSince
  }

  /** The process id of the server backend. */
  get serverProcess(): number {
    return this.#serverProcess
  }

  /** Releases the next statement. */
  releaseNext(): void {
    const statement = this.#held.shift()
    if (statement === undefined) return
    this.#isInFlight = true
    this.#inFlightSince = performance.now()
    this.#waitingSince = this.#gate.recordActivity()
    for (const table of writtenTables(statement.sql)) this.#gate.written.add(table)
    this.#socket.write(statement.bytes)
  }

  /** Releases the statements that need no decision while the server is ready. */
  releaseUnscheduled(): void {
    while (!this.#isInFlight && this.next !== undefined && !(this.#gate.isHolding && isScheduled(this.next)))
      this.releaseNext()
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
    const now = this.#gate.recordActivity()
    if (this.#held.length === 0) this.#waitingSince = now
    this.#held.push(...statements)
    this.releaseUnscheduled()
  }

  #receive(piece: Buffer): void {
    this.#gate.recordActivity()
    for (const message of this.#received.take(piece)) {
      this.#serverProcess = backendProcessIn(message) ?? this.#serverProcess
      if (!isReadyForQuery(message)) continue
      this.#isStarted = true
      this.#isInFlight = false
    }
    this.push(piece)
    this.releaseUnscheduled()
  }
}

/** Preparation and session setup affect no other session, so they are not scheduled. */
const isScheduled = ({ sql, isRun }: Statement): boolean =>
  isRun && !/^select (?:set_config|pg_backend_pid)\(/.test(sql)
