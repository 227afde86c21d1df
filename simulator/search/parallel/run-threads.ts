/** The threads that execute runs ahead, as the searching thread uses them: it sends plans and polls for recorded runs. */
import * as path from "node:path"
import { MessageChannel, type MessagePort, receiveMessageOnPort, Worker } from "node:worker_threads"
import { ownProgram } from "../../child-processes/program.ts"
import type { RunPlan } from "../strategies/strategy.ts"
import type { Visit } from "../strategies/visited-states.ts"
import type { RecordedRun } from "./recorded-run.ts"

/** The script that a thread prepares. */
export interface SearchedFile {
  readonly file: string
  readonly hasFaults: boolean
}

export interface ThreadSetup extends SearchedFile {
  readonly port: MessagePort
  /** Counts the answers, so that the searching thread can wait for one. */
  readonly signal: Int32Array
}

export interface RunTask {
  readonly name: string
  readonly plan: RunPlan
  /** The visited states and outcomes of the search since the last task. */
  readonly visits: ReadonlyArray<Visit>
  readonly newOutcomes: ReadonlyArray<string>
}

/** Without a name, the thread is ready; without a run, it failed. */
export interface RunAnswer {
  readonly name: string | undefined
  readonly run: RecordedRun | undefined
}

export class RunThread {
  readonly #port: MessagePort
  readonly #worker: Worker
  /** The names of the plans that were sent and not answered. */
  readonly pending = new Set<string>()
  isReady = false
  /** The numbers of visits and outcomes that were sent. */
  sent = { visits: 0, outcomes: 0 }

  constructor(searched: SearchedFile, signal: Int32Array) {
    const { port1, port2 } = new MessageChannel()
    this.#port = port1
    const workerData: ThreadSetup = { ...searched, port: port2, signal }
    this.#worker = new Worker(runThread, { workerData, transferList: [port2] })
    // A thread that cannot start or fails executes nothing, and the searching thread executes all runs.
    this.#worker.on("error", () => {})
    this.#worker.unref()
  }

  send(task: RunTask): void {
    this.pending.add(task.name)
    this.#port.postMessage(task, [])
  }

  /** The next answer; undefined if there is none yet. */
  receive(): RunAnswer | undefined {
    const received: { readonly message: RunAnswer } | undefined = receiveMessageOnPort(this.#port)
    if (received === undefined) return undefined
    const { name } = received.message
    if (name === undefined) this.isReady = true
    else this.pending.delete(name)
    return received.message
  }

  /** Gives it no more tasks, and expects no answer. */
  close(): void {
    this.isReady = false
    this.pending.clear()
    this.#port.close()
    void this.#worker.terminate()
  }
}

const runThread = ownProgram(path.join(import.meta.dirname), "run-thread")

export class RunThreads {
  readonly all: ReadonlyArray<RunThread>
  readonly #signal = new Int32Array(new SharedArrayBuffer(4))

  constructor(searched: SearchedFile, count: number) {
    this.all = Array.from({ length: count }, () => new RunThread(searched, this.#signal))
  }

  /** The answers that have arrived. */
  *receive(): Generator<RunAnswer> {
    for (const thread of this.all) {
      for (let answer = thread.receive(); answer !== undefined; answer = thread.receive()) yield answer
    }
  }

  /** Waits for an answer, given the number of answers before; false after the time limit. */
  wait(before: number, milliseconds: number): boolean {
    return Atomics.wait(this.#signal, 0, before, milliseconds) !== "timed-out"
  }

  /** The number of answers. */
  get count(): number {
    return Atomics.load(this.#signal, 0)
  }

  close(): void {
    for (const thread of this.all) thread.close()
  }
}
