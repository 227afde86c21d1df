/** A worker process that tests one mutant, or the unmodified service, and sends the result to its parent. */
import { searchForKill } from "./kill-search.ts"
import { mutants } from "./mutants.ts"

/** The name `unchanged` stands for the unmodified service. */
const [, , name = "", few = "", many = "", ...files] = process.argv

const result = searchForKill(
  mutants.find((one) => one.name === name),
  files,
  { few: Number(few), many: Number(many) }
)
process.send?.(result, () => process.disconnect())
