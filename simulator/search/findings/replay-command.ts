/** The shell command that replays a saved run. */
import { shellQuote } from "../../reports/replay-command.ts"

export const replayCommandOf = (file: string): string =>
  `npm run -s simulate -- replay ${shellQuote(file.startsWith("-") ? `./${file}` : file)}`
