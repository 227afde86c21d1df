/**
 * Stryker's runner for Vitest with one fix: Vitest 5 joins the names of a test differently than the runner expects, so
 * that a filter by name finds no test and every mutant survives. This runner runs whole files that cover a mutant.
 */
import { commonTokens, declareFactoryPlugin, PluginKind, tokens } from "@stryker-mutator/api/plugin"
import { strykerValidationSchema } from "@stryker-mutator/vitest-runner"
import { VitestTestRunner } from "../../node_modules/@stryker-mutator/vitest-runner/dist/src/vitest-test-runner.js"

class WholeFiles extends VitestTestRunner {
  run({ testIds = [], ...options } = {}) {
    const files = [...new Set(testIds.map((id) => id.split("#")[0]))]
    return super.run(files.length === 0 ? options : { ...options, testFiles: files })
  }
}

const create = (injector) => injector.provideValue("globalNamespace", "__stryker__").injectClass(WholeFiles)
create.inject = tokens(commonTokens.injector)

export const strykerPlugins = [declareFactoryPlugin(PluginKind.TestRunner, "vitest-files", create)]
export { strykerValidationSchema }
