/** Regenerates the examples of the OpenAPI documents from the committed traces: `npm run examples`. */
import { writeFileSync } from "node:fs"
import { examplesFile, examplesText, recordedExchanges } from "./examples.ts"

writeFileSync(examplesFile, examplesText(recordedExchanges()))
