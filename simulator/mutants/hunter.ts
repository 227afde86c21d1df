/** A worker process that tests one mutant, or the unmodified service, and sends the result to its parent. */
import { hunt } from "./hunt.ts"
import { mutants } from "./every.ts"

/** The name `unchanged` stands for the unmodified service. */
const [, , name = "", few = "", many = "", ...files] = process.argv

const result = hunt(
  mutants.find((one) => one.name === name),
  files,
  { few: Number(few), many: Number(many) }
)
process.send?.(result, () => process.disconnect())
