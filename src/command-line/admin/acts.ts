/** Every command of `admin` that changes something, in the order of `--help`. */
import { setAddressCommand, setPasswordCommand } from "./directory.ts"
import { erasePersonCommand } from "./erase-person.ts"
import { exportProjectCommand } from "./export-project.ts"
import { grantActs } from "./grants.ts"
import { organizationActs } from "./organizations.ts"
import { projectActs } from "./projects.ts"
import { recordActs } from "./records.ts"

/** The commands that do not read standard input, so that many can run in one process. */
export const batchActs = [
  ...organizationActs,
  ...grantActs,
  ...projectActs,
  ...recordActs,
  setAddressCommand,
  exportProjectCommand,
  erasePersonCommand
] as const

export const acts = [...batchActs, setPasswordCommand] as const
