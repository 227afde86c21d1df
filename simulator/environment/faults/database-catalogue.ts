/** Faults of requests, of the database and of processes. */
import type { Fault } from "./catalogue.ts"
import { type StorageFault, storageFaults, storageFaultPoints } from "./storage-faults.ts"

type Where = (typeof storageFaultPoints)[number]

const descriptions: { readonly [F in StorageFault]: readonly [what: string, scenario: string] } = {
  "40001": ["The transaction has a serialization failure; it is retried.", "faults/transaction-conflicts"],
  "40P01": ["The transaction is the victim of a deadlock; it is retried.", "faults/transaction-conflicts"],
  "57014": ["The statement is cancelled, as after a timeout; the response is 503.", "faults/database-unavailable"],
  "53200": ["The database is out of memory; the response is 503.", "faults/database-unavailable"],
  "25006": ["The database is read-only, as a standby is; the response is 503.", "faults/database-unavailable"],
  "connection-lost": [
    "The connection to the database is lost; the transaction is retried once on another connection.",
    "faults/transaction-conflicts"
  ],
  "commit-lost-committed": [
    "The response to COMMIT is lost; the transaction is found committed.",
    "faults/indeterminate-commit"
  ],
  "commit-lost-aborted": [
    "The response to COMMIT is lost; the transaction is found aborted and is retried.",
    "faults/indeterminate-commit"
  ],
  "commit-lost-running": [
    "The response to COMMIT is lost while the commit is still running; it is found committed later.",
    "faults/indeterminate-commit"
  ],
  "commit-lost-unknown": [
    "The response to COMMIT is lost and the outcome remains unknown; the response is 503.",
    "faults/indeterminate-commit"
  ]
}

const faultPointTexts: { readonly [W in Where]: readonly [what: string, scenario: string] } = {
  begin: ["The fault occurs when the transaction begins.", "faults/transaction-conflicts"],
  lock: ["The fault occurs when a lock is taken; `in` names the kind of lock.", "faults/database-unavailable"],
  read: ["The fault occurs when rows are read; `in` names the table.", "faults/transaction-conflicts"],
  write: ["The fault occurs when a row is written; `in` names the table.", "faults/transaction-conflicts"],
  commit: [
    "The fault occurs at the commit of a transaction with writes; `in` names one of its tables.",
    "faults/transaction-conflicts"
  ]
}

const requests: ReadonlyArray<Fault> = [
  {
    name: "lost-request",
    what: "The request is lost; its caller gets no response.",
    written: "{ as: dana, do: …, inject: lost-request }",
    occursAt: ({ kind, lost }) => kind === "request" && lost === true,
    scenario: "proposals/job-with-lost-answer"
  },
  {
    name: "lost-answer",
    what: "The request is processed and its response is lost.",
    written: "{ as: dana, do: …, inject: lost-answer }",
    occursAt: ({ kind, lost }) => kind === "response" && lost === true,
    scenario: "first-record/changes-and-evidence"
  }
]

const errors = storageFaults.map((code): Fault => {
  const [what, scenario] = descriptions[code]
  return {
    name: `database ${code}`,
    what,
    written: `{ as: dana, do: …, inject: { database: ${/^\d+$/.test(code) ? `"${code}"` : code} } }`,
    occursAt: ({ kind, fault }) => kind === "fault" && fault === code,
    scenario
  }
})

const points = storageFaultPoints.map((at): Fault => {
  const [what, scenario] = faultPointTexts[at]
  return {
    name: `database at ${at}`,
    what,
    written: `{ as: dana, do: …, inject: { database: connection-lost, at: ${at} } }`,
    occursAt: ({ kind, fault, where }) => kind === "fault" && where === at && !crashes.has(fault),
    scenario
  }
})

const crashes: ReadonlySet<unknown> = new Set(["before-commit", "after-commit"])

const isWorker = (actor: unknown): boolean => /^worker(-\d+)?$/.test(String(actor))

const crash = (at: "before-commit" | "after-commit", what: string, scenario: string): Fault => ({
  name: `crash ${at}`,
  what,
  written: `{ as: dana, do: …, inject: { crash: ${at} } }`,
  occursAt: ({ kind, fault, actor }) => kind === "fault" && fault === at && !isWorker(actor),
  scenario
})

const crashOfWorker = (at: "before-commit" | "after-commit", what: string, scenario: string): Fault => ({
  name: `worker crash ${at}`,
  what,
  written: `{ inject: { of: worker, crash: ${at} } }`,
  occursAt: ({ kind, fault, actor }) => kind === "fault" && fault === at && isWorker(actor),
  scenario
})

const processes: ReadonlyArray<Fault> = [
  crash(
    "before-commit",
    "The service process crashes before its commit: nothing is stored, and there is no response.",
    "faults/crash-around-commit"
  ),
  crash(
    "after-commit",
    "The service process crashes after its commit: the writes are stored, and there is no response.",
    "faults/crash-around-commit"
  ),
  crashOfWorker(
    "before-commit",
    "The worker crashes before its next commit, and its leases remain until they expire.",
    "faults/worker-crash-around-commits"
  ),
  crashOfWorker(
    "after-commit",
    "The worker crashes after its next commit, without learning its outcome.",
    "faults/worker-crash-around-commits"
  ),
  {
    name: "crashWorker",
    what: "The worker crashes at once: its pending calls never return.",
    written: "{ as: operator, do: crashWorker }",
    occursAt: ({ kind, did }, earlier) => kind === "worker" && did === "CRASHED" && earlier.at(-1)?.["kind"] === "act",
    scenario: "faults/worker-crash"
  },
  {
    name: "stopWorker",
    what: "The worker stops gracefully and releases its leases.",
    written: "{ as: operator, do: stopWorker }",
    occursAt: ({ kind, did }) => kind === "worker" && did === "STOPPED",
    scenario: "faults/worker-crash"
  }
]

export const databaseFaults: ReadonlyArray<Fault> = [...requests, ...errors, ...points, ...processes]
