/** A process that hunts one mutant, or nothing in the service as it is, and tells its parent what came of it. */
import { hunt } from "./hunt.ts"
import { mutants } from "./every.ts"

/** `unchanged` is the name of no mutant. */
const [, , name = "", few = "", many = "", ...files] = process.argv

const hunted = hunt(
  mutants.find((one) => one.name === name),
  files,
  { few: Number(few), many: Number(many) }
)
process.send?.(hunted, () => process.disconnect())
