/** The faults on the way of a request, of the database, and of the processes themselves. */
import type { Fault } from "./catalogue.ts"
import { type StorageFault, storageFaults, strikePoints } from "./storage-faults.ts"

type Where = (typeof strikePoints)[number]

const whatDatabaseDoes: { readonly [F in StorageFault]: readonly [what: string, scenario: string] } = {
  "40001": [
    "The transaction cannot be put in order with another; it is run again.",
    "108-conflicts-that-nobody-notices"
  ],
  "40P01": ["The transaction is the victim of a deadlock; it is run again.", "108-conflicts-that-nobody-notices"],
  "57014": [
    "The statement was cancelled, as one is that took too long; the answer is 503.",
    "94-when-the-database-fails"
  ],
  "53200": ["The database is out of memory; the answer is 503.", "94-when-the-database-fails"],
  "25006": ["The database takes no writes, as a standby does; the answer is 503.", "94-when-the-database-fails"],
  "connection-lost": [
    "The connection to the database breaks; the transaction is run once more on another.",
    "108-conflicts-that-nobody-notices"
  ],
  "commit-lost-committed": [
    "The answer to COMMIT is lost; it turns out that it is committed.",
    "76-an-answer-of-the-database-that-is-lost"
  ],
  "commit-lost-aborted": [
    "The answer to COMMIT is lost; it turns out that nothing is committed, and it is run again.",
    "76-an-answer-of-the-database-that-is-lost"
  ],
  "commit-lost-running": [
    "The answer to COMMIT is lost while the database still commits; it turns out well.",
    "76-an-answer-of-the-database-that-is-lost"
  ],
  "commit-lost-unknown": [
    "The answer to COMMIT is lost, and nobody can tell what became of it; the answer is 503.",
    "76-an-answer-of-the-database-that-is-lost"
  ]
}

const whatItIsAt: { readonly [W in Where]: readonly [what: string, scenario: string] } = {
  begin: ["The fault strikes when the transaction begins.", "108-conflicts-that-nobody-notices"],
  lock: ["The fault strikes where a root is locked; in names the kind of root.", "94-when-the-database-fails"],
  read: ["The fault strikes where rows are read; in names the table.", "108-conflicts-that-nobody-notices"],
  write: ["The fault strikes where a row is written; in names the table.", "108-conflicts-that-nobody-notices"],
  commit: [
    "The fault strikes at the commit of a transaction that wrote something; in names a table it wrote.",
    "108-conflicts-that-nobody-notices"
  ]
}

const requests: ReadonlyArray<Fault> = [
  {
    name: "lost-request",
    what: "The request never arrives; whoever sent it waits for an answer that does not come.",
    written: "{ as: dana, do: …, inject: lost-request }",
    seenAs: ({ kind, lost }) => kind === "request" && lost === true,
    scenario: "47-a-saved-job-and-a-lost-answer"
  },
  {
    name: "lost-answer",
    what: "The request arrives and is answered; the answer is lost on its way.",
    written: "{ as: dana, do: …, inject: lost-answer }",
    seenAs: ({ kind, lost }) => kind === "response" && lost === true,
    scenario: "02-changes-and-evidence"
  }
]

const errors = storageFaults.map((code): Fault => {
  const [what, scenario] = whatDatabaseDoes[code]
  return {
    name: `database ${code}`,
    what,
    written: `{ as: dana, do: …, inject: { database: ${/^\d+$/.test(code) ? `"${code}"` : code} } }`,
    seenAs: ({ kind, fault }) => kind === "fault" && fault === code,
    scenario
  }
})

const points = strikePoints.map((at): Fault => {
  const [what, scenario] = whatItIsAt[at]
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
    "The process that answers ends before its commit: nothing is kept, and no answer comes.",
    "77-a-process-that-ends-around-a-commit"
  ),
  crash(
    "after-commit",
    "The process that answers ends after its commit: it is kept, and no answer comes.",
    "77-a-process-that-ends-around-a-commit"
  ),
  crashOfWorker(
    "before-commit",
    "The worker ends before its next commit, and what it held stays leased.",
    "105-a-worker-ends-around-its-commits"
  ),
  crashOfWorker(
    "after-commit",
    "The worker ends after its next commit, and knows nothing of it.",
    "105-a-worker-ends-around-its-commits"
  ),
  {
    name: "crashWorker",
    what: "The worker ends at once, whatever it is at: what it waits for never comes back to it.",
    written: "{ as: operator, do: crashWorker }",
    seenAs: ({ kind, did }, earlier) => kind === "worker" && did === "CRASHED" && earlier.at(-1)?.["kind"] === "act",
    scenario: "70-a-worker-crashes"
  },
  {
    name: "stopWorker",
    what: "The worker is stopped in good order, and gives back what it holds.",
    written: "{ as: operator, do: stopWorker }",
    seenAs: ({ kind, did }) => kind === "worker" && did === "STOPPED",
    scenario: "70-a-worker-crashes"
  }
]

export const faultsOfTheDatabase: ReadonlyArray<Fault> = [...requests, ...errors, ...points, ...processes]
