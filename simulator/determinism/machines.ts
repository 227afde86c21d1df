/** Machine settings that must not affect a run, as far as one machine can vary them. */
import * as fs from "node:fs"
import * as os from "node:os"
import * as path from "node:path"

/** The settings of a Node process. */
export interface Machine {
  readonly node: string
  readonly flags: ReadonlyArray<string>
  /** In this order. */
  readonly environment: { readonly [variable: string]: string }
  readonly directory: string
}

/** One for each Node, and at least two: with a single Node the zone, locale, memory and hash seed still differ. */
export const machinesFor = (nodes: ReadonlyArray<string>): ReadonlyArray<Machine> => {
  const [first] = nodes
  if (first === undefined) return []
  return (nodes.length === 1 ? [first, first] : nodes).map((node, index) => {
    const { zone, locale, directory, isReversed, memory } = settings[index % settings.length]!
    return {
      node,
      // The V8 seeds of Math.random and of hash tables.
      flags: [...memory, `--random-seed=${index + 1}`, `--hash-seed=${index + 1}`],
      environment: environmentWith({ TZ: zone, LC_ALL: locale, LANG: locale }, isReversed),
      directory
    }
  })
}

/** This Node, and the others in node_modules of the project. */
export const installedNodes = (project: string): ReadonlyArray<string> => {
  const packages = path.join(project, "node_modules")
  const others = fs.existsSync(packages)
    ? fs
        .readdirSync(packages)
        .filter((name) => /^node(-|$)/.test(name))
        .toSorted()
        .map((name) => path.join(packages, name, "bin", "node"))
        .filter((file) => fs.existsSync(file))
        .map((file) => fs.realpathSync(file))
    : []
  return [...new Set([fs.realpathSync(process.execPath), ...others])]
}

/** `TZ=Asia/Kathmandu LC_ALL=tr_TR.UTF-8 node --max-semi-space-size=1 …` */
export const describeMachine = ({ node, flags, environment, directory }: Machine): string =>
  `TZ=${environment["TZ"]} LC_ALL=${environment["LC_ALL"]} ${node} ${flags.join(" ")}, in ${directory}`

const settings = [
  {
    zone: "Asia/Kathmandu",
    locale: "tr_TR.UTF-8",
    directory: path.parse(os.tmpdir()).root,
    isReversed: false,
    // A small young generation, so that garbage is collected often.
    memory: ["--max-semi-space-size=1"]
  },
  { zone: "America/St_Johns", locale: "C", directory: os.tmpdir(), isReversed: true, memory: [] },
  { zone: "Pacific/Apia", locale: "ar_EG.UTF-8", directory: os.homedir(), isReversed: false, memory: [] }
] as const

const environmentWith = (changes: { readonly [variable: string]: string }, isReversed: boolean) => {
  const entries = Object.entries(process.env).filter(([name]) => !/^(TZ|LC_.*|LANG|LANGUAGE|NODE_OPTIONS)$/.test(name))
  const all = [...entries.map(([name, value = ""]) => [name, value] as const), ...Object.entries(changes)]
  return Object.fromEntries(isReversed ? all.toReversed() : all)
}
