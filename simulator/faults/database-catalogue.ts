/** Faults of requests, of the database and of processes. */
import type { Fault } from "./catalogue.ts"
import { type StorageFault, storageFaults, strikePoints } from "./storage-faults.ts"

type Where = (typeof strikePoints)[number]

const databaseFaults: { readonly [F in StorageFault]: readonly [what: string, scenario: string] } = {
  "40001": ["The transaction has a serialization failure; it is retried.", "108-conflicts-that-nobody-notices"],
  "40P01": ["The transaction is the victim of a deadlock; it is retried.", "108-conflicts-that-nobody-notices"],
  "57014": ["The statement is cancelled, as after a timeout; the response is 503.", "94-when-the-database-fails"],
  "53200": ["The database is out of memory; the response is 503.", "94-when-the-database-fails"],
  "25006": ["The database is read-only, as a standby is; the response is 503.", "94-when-the-database-fails"],
  "connection-lost": [
    "The connection to the database is lost; the transaction is retried once on another connection.",
    "108-conflicts-that-nobody-notices"
  ],
  "commit-lost-committed": [
    "The response to COMMIT is lost; the transaction is found committed.",
    "76-an-answer-of-the-database-that-is-lost"
  ],
  "commit-lost-aborted": [
    "The response to COMMIT is lost; the transaction is found aborted and is retried.",
    "76-an-answer-of-the-database-that-is-lost"
  ],
  "commit-lost-running": [
    "The response to COMMIT is lost while the commit is still running; it is found committed later.",
    "76-an-answer-of-the-database-that-is-lost"
  ],
  "commit-lost-unknown": [
    "The response to COMMIT is lost and the outcome remains unknown; the response is 503.",
    "76-an-answer-of-the-database-that-is-lost"
  ]
}

const faultPointTexts: { readonly [W in Where]: readonly [what: string, scenario: string] } = {
  begin: ["The fault occurs when the transaction begins.", "108-conflicts-that-nobody-notices"],
  lock: ["The fault occurs when a lock is taken; `in` names the kind of lock.", "94-when-the-database-fails"],
  read: ["The fault occurs when rows are read; `in` names the table.", "108-conflicts-that-nobody-notices"],
  write: ["The fault occurs when a row is written; `in` names the table.", "108-conflicts-that-nobody-notices"],
  commit: [
    "The fault occurs at the commit of a transaction with writes; `in` names one of its tables.",
    "108-conflicts-that-nobody-notices"
  ]
}

const requests: ReadonlyArray<Fault> = [
  {
    name: "lost-request",
    what: "The request is lost; its caller gets no response.",
    written: "{ as: dana, do: …, inject: lost-request }",
    seenAs: ({ kind, lost }) => kind === "request" && lost === true,
    scenario: "47-a-saved-job-and-a-lost-answer"
  },
  {
    name: "lost-answer",
    what: "The request is processed and its response is lost.",
    written: "{ as: dana, do: …, inject: lost-answer }",
    seenAs: ({ kind, lost }) => kind === "response" && lost === true,
    scenario: "02-changes-and-evidence"
  }
]

const errors = storageFaults.map((code): Fault => {
  const [what, scenario] = databaseFaults[code]
  return {
    name: `database ${code}`,
    what,
    written: `{ as: dana, do: …, inject: { database: ${/^\d+$/.test(code) ? `"${code}"` : code} } }`,
    seenAs: ({ kind, fault }) => kind === "fault" && fault === code,
    scenario
  }
})

const points = strikePoints.map((at): Fault => {
  const [what, scenario] = faultPointTexts[at]
  return {
    name: `database at ${at}`,
    what,
    written: `{ as: dana, do: …, inject: { database: connection-lost, at: ${at} } }`,
    seenAs: ({ kind, fault, where }) => kind === "fault" && where === at && !crashes.has(fault),
    scenario
  }
})

const crashes: ReadonlySet<unknown> = new Set(["before-commit", "after-commit"])

const isWorker = (actor: unknown): boolean => /^worker(-\d+)?$/.test(String(actor))

const crash = (at: "before-commit" | "after-commit", what: string, scenario: string): Fault => ({
  name: `crash ${at}`,
  what,
  written: `{ as: dana, do: …, inject: { crash: ${at} } }`,
  seenAs: ({ kind, fault, actor }) => kind === "fault" && fault === at && !isWorker(actor),
  scenario
})

const crashOfWorker = (at: "before-commit" | "after-commit", what: string, scenario: string): Fault => ({
  name: `crash of a worker ${at}`,
  what,
  written: `{ inject: { of: worker, crash: ${at} } }`,
  seenAs: ({ kind, fault, actor }) => kind === "fault" && fault === at && isWorker(actor),
  scenario
})

const processes: ReadonlyArray<Fault> = [
  crash(
    "before-commit",
    "The service process crashes before its commit: nothing is stored, and there is no response.",
    "77-a-process-that-ends-around-a-commit"
  ),
  crash(
    "after-commit",
    "The service process crashes after its commit: the writes are stored, and there is no response.",
    "77-a-process-that-ends-around-a-commit"
  ),
  crashOfWorker(
    "before-commit",
    "The worker crashes before its next commit, and its leases remain until they expire.",
    "105-a-worker-ends-around-its-commits"
  ),
  crashOfWorker(
    "after-commit",
    "The worker crashes after its next commit, without learning its outcome.",
    "105-a-worker-ends-around-its-commits"
  ),
  {
    name: "crashWorker",
    what: "The worker crashes at once: its pending calls never return.",
    written: "{ as: operator, do: crashWorker }",
    seenAs: ({ kind, did }, earlier) => kind === "worker" && did === "CRASHED" && earlier.at(-1)?.["kind"] === "act",
    scenario: "70-a-worker-crashes"
  },
  {
    name: "stopWorker",
    what: "The worker stops gracefully and releases its leases.",
    written: "{ as: operator, do: stopWorker }",
    seenAs: ({ kind, did }) => kind === "worker" && did === "STOPPED",
    scenario: "70-a-worker-crashes"
  }
]

export const faultsOfTheDatabase: ReadonlyArray<Fault> = [...requests, ...errors, ...points, ...processes]
