/** The test suites, each a project of its own: `vitest run --project service`. The scripts of package.json name them. */
import { defineConfig } from "vitest/config"

const minutes = (count: number) => count * 60_000

/** The limit of a test that hangs; on a busy machine an ordinary test takes several times its usual seconds. */
const testTimeout = minutes(3)

// Files of a suite need no isolation from each other: modules keep no state, nothing is mocked, constants stay as they are.
const onPostgres = {
  globalSetup: ["test/support/postgres.ts", "test/support/client-scripts.ts"],
  testTimeout,
  hookTimeout: minutes(2),
  maxWorkers: 2,
  isolate: false
}

const inProcess = ["test/**/*.test.ts"]

/**
 * What `test:quick` leaves out: the edge, pages, what follows a record, the simulator, the verifier, and a list among ten
 * thousand projects.
 */
const slowFolders =
  "http,workspace,browser-scripts,publications,commerce,closure,participation,jobs,adapters,command-line,simulator,verifier," +
  "bench,docs,integrity,operating,soak"

export default defineConfig({
  test: {
    projects: [
      { test: { name: "service", ...onPostgres, include: inProcess } },
      // Agreements, proposals, webhooks, records and authority, in less than three minutes with the checks.
      {
        test: {
          name: "quick",
          ...onPostgres,
          include: inProcess,
          exclude: [`test/{${slowFolders}}/**`, "test/projects/lists.test.ts"]
        }
      },
      // Tests that start programs: servers, commands, a Postgres of their own.
      { test: { name: "processes", ...onPostgres, include: ["test/**/*.process.ts"], maxWorkers: 1 } },
      {
        // The commands over all scenarios, and every test that starts many processes.
        test: {
          name: "scenarios",
          include: ["test/simulator/**/*.whole.ts"],
          exclude: ["test/simulator/search/exhaustive.whole.ts", "test/simulator/search/mutants.whole.ts"],
          testTimeout,
          hookTimeout: minutes(2),
          maxWorkers: 1
        }
      },
      {
        // Every schedule of every script that is marked for it, the mutants, and a bit flip in every byte of a record.
        test: {
          name: "exhaustive",
          include: [
            "test/simulator/search/exhaustive.whole.ts",
            "test/simulator/search/mutants.whole.ts",
            "test/verifier/*.whole.ts"
          ],
          testTimeout: minutes(30),
          hookTimeout: minutes(2),
          maxWorkers: 1
        }
      },
      {
        test: {
          name: "browser",
          include: ["test/browser/**/*.browser.ts"],
          globalSetup: ["test/support/postgres.ts", "test/support/client-scripts.ts"],
          testTimeout,
          hookTimeout: minutes(2),
          maxWorkers: 1,
          isolate: false
        }
      },
      {
        // The service's output, checked by programs of others, which have to be installed.
        test: {
          name: "foreign",
          include: ["test/foreign/**/*.foreign.ts"],
          globalSetup: ["test/support/python.ts"],
          testTimeout,
          hookTimeout: minutes(1),
          maxWorkers: 1,
          isolate: false,
          // Agents under examination wait for lost answers about half of their time.
          maxConcurrency: 3
        }
      },
      {
        // The output of `npm pack`, installed into an empty folder.
        test: {
          name: "package",
          include: ["test/package/**/*.package.ts"],
          testTimeout,
          hookTimeout: minutes(5),
          maxWorkers: 1
        }
      }
    ]
  }
})
