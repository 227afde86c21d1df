/** The shell command that replays a saved run. */
import { quoted } from "../../reports/replay.ts"

export const replayCommandOf = (file: string): string =>
  `npm run -s simulate -- replay ${quoted(file.startsWith("-") ? `./${file}` : file)}`
