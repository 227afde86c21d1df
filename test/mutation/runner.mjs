/**
 * Stryker's runner for Vitest with two fixes. Vitest 5 joins the names of a test differently than the runner expects, so
 * that a filter by name finds no test and every mutant survives: this runner runs whole files that cover a mutant. A file
 * that fails before its first test has no failed test: here it counts as one.
 */
import { TestStatus } from "@stryker-mutator/api/test-runner"
import { commonTokens, declareFactoryPlugin, PluginKind, tokens } from "@stryker-mutator/api/plugin"
import { strykerValidationSchema } from "@stryker-mutator/vitest-runner"
import { VitestTestRunner } from "../../node_modules/@stryker-mutator/vitest-runner/dist/src/vitest-test-runner.js"

class WholeFiles extends VitestTestRunner {
  async run({ testIds = [], ...options } = {}) {
    const files = [...new Set(testIds.map((id) => id.split("#")[0]))]
    const result = await super.run(files.length === 0 ? options : { ...options, testFiles: files })
    if (result.tests === undefined) return result
    const unloaded = this.ctx.state
      .getFiles()
      .filter((file) => file.result?.state === "fail" && file.tasks.length === 0)
    return { ...result, tests: [...result.tests, ...unloaded.map(failedTest)] }
  }
}

const failedTest = ({ filepath, result }) => ({
  id: `${filepath}#`,
  name: filepath,
  fileName: filepath,
  status: TestStatus.Failed,
  timeSpentMs: 0,
  failureMessage: result.errors?.[0]?.message ?? "The file failed before its first test."
})

const create = (injector) => injector.provideValue("globalNamespace", "__stryker__").injectClass(WholeFiles)
create.inject = tokens(commonTokens.injector)

export const strykerPlugins = [declareFactoryPlugin(PluginKind.TestRunner, "vitest-files", create)]
export { strykerValidationSchema }
