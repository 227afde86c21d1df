/** Builds the scripts of the pages before a test run, as `npm ci` does, so that tests serve those of the present sources. */
import { build } from "rolldown"
import scripts from "../../rolldown.config.ts"

export const setup = async (): Promise<void> => {
  await build(scripts)
}
