/** Every command of `admin` that changes something, in the order of `--help`. */
import { setAddressCommand, setPasswordCommand } from "./directory.ts"
import { erasePersonCommand } from "./erase-person.ts"
import { exportProjectCommand } from "./export-project.ts"
import { grantActs } from "./grants.ts"
import { historyActs } from "./history.ts"
import { organizationActs } from "./organizations.ts"
import { archiveCommand, createPartitionsCommand } from "./partitions.ts"
import { projectActs } from "./projects.ts"
import { recordActs } from "./records.ts"
import { reloadKeysCommand } from "./reload-keys.ts"

/** The commands that can run with many others in one process: they read no standard input and wait for no other process. */
export const batchActs = [
  ...organizationActs,
  ...grantActs,
  ...projectActs,
  ...recordActs,
  ...historyActs,
  setAddressCommand,
  exportProjectCommand,
  erasePersonCommand,
  archiveCommand,
  createPartitionsCommand
] as const

export const acts = [...batchActs, setPasswordCommand, reloadKeysCommand] as const
