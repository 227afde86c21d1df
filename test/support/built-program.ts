/**
 * `countersign` as a bundle: a process starts with a third of the work that loading every module takes. The processes of
 * the tests run it, but for those whose subject is the sources.
 */
import * as fs from "node:fs"
import * as path from "node:path"
import { build } from "rolldown"

const root = path.resolve(import.meta.dirname, "../..")

/** The program that processes run: the built one within a run of vitest, else the sources. */
export const programOfTests = (): string => process.env["COUNTERSIGN_TEST_PROGRAM"] ?? sources

export const sources = path.join(root, "src/main.ts")

const webhookWorker = path.join(root, "test/processes/webhook-worker.ts")

/** The program of `test/processes/webhook-worker.ts`: built likewise. */
export const webhookWorkerOfTests = (): string => process.env["WEBHOOK_WORKER_TEST_PROGRAM"] ?? webhookWorker

const paymentService = path.join(root, "test/processes/payment-service.ts")

/** The program of `test/processes/payment-service.ts`: built likewise. */
export const paymentServiceOfTests = (): string => process.env["PAYMENT_SERVICE_TEST_PROGRAM"] ?? paymentService

const migrations = path.join(root, "src/migrations/all.ts")

/** Builds `countersign` with the migrations of another module, as a version of its own; returns the program. */
export const buildVersion = async (directory: string, otherMigrations: string): Promise<string> => {
  fs.symlinkSync(path.join(root, "node_modules"), path.join(directory, "node_modules"))
  const file = path.join(directory, "countersign.mjs")
  const plugin = {
    name: "other-migrations",
    resolveId: (source: string, importer: string | undefined) =>
      importer !== undefined && importer !== otherMigrations && path.resolve(importer, "..", source) === migrations
        ? otherMigrations
        : null
  }
  await build({
    input: sources,
    platform: "node",
    logLevel: "silent",
    plugins: [plugin],
    output: { file, codeSplitting: false }
  })
  return file
}

/** Builds the programs into this directory; the processes that this one starts from now on use them. */
export const buildProgram = async (directory: string): Promise<void> => {
  // The binaries of Postgres are found from the program at run time.
  fs.symlinkSync(path.join(root, "node_modules"), path.join(directory, "node_modules"))
  // Each on its own: in chunks shared by both, imports of CommonJS modules are undefined.
  for (const [name, input] of [
    ["countersign", sources],
    ["webhook-worker", webhookWorker],
    ["payment-service", paymentService]
  ] as const) {
    const file = path.join(directory, `${name}.mjs`)
    await build({ input, platform: "node", logLevel: "silent", output: { file, codeSplitting: false } })
  }
  process.env["COUNTERSIGN_TEST_PROGRAM"] = path.join(directory, "countersign.mjs")
  process.env["WEBHOOK_WORKER_TEST_PROGRAM"] = path.join(directory, "webhook-worker.mjs")
  process.env["PAYMENT_SERVICE_TEST_PROGRAM"] = path.join(directory, "payment-service.mjs")
}
