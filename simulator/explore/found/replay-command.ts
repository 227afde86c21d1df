/** The command that has a saved run again, to be pasted into a shell. */
import { quoted } from "../../reports/replay.ts"

export const replayCommandOf = (file: string): string =>
  `npm run -s simulate -- replay ${quoted(file.startsWith("-") ? `./${file}` : file)}`
