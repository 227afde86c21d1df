/** The types of the TypeScript client name the OpenAPI document from which they were made. */
import * as fs from "node:fs"
import { assert, it } from "vitest"
import { currentHeading, typesFile } from "../../../tools/client-types.ts"

it("The types of the TypeScript client are made from the current OpenAPI document.", () => {
  const [heading] = fs.readFileSync(typesFile, "utf8").split("\n", 1)
  assert.strictEqual(`${heading}\n`, currentHeading(), "run: npm run client:types")
})
