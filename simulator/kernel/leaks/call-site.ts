/** Finds the call site in a stack trace: a line of the project, or a file of a package and the project line behind it. */
import * as path from "node:path"
import { fileURLToPath } from "node:url"

export interface CallSite {
  /** `src/projects/commit.ts:57:13`, or `effect/dist/Clock.js:12:3` inside a package. */
  readonly at: string
  readonly isPackage: boolean
  /** For a package: the nearest line of the project below it. */
  readonly behind: string | undefined
}

const project = path.resolve(import.meta.dirname, "../../..")

/** The newest frame outside the runtime; undefined if there is none. */
export const callSiteIn = (stack: string, root: string = project): CallSite | undefined => {
  const places = stack.split("\n").flatMap((line) => {
    const location = locationOf(line)
    return location === undefined ? [] : [callSiteOf(location, root)]
  })
  const [caller] = places
  if (caller === undefined) return undefined
  const behind = caller.isPackage ? places.find(({ at, isPackage }) => !isPackage && !isDriver(at))?.at : undefined
  return { ...caller, behind }
}

interface Location {
  readonly file: string
  /** `57:13` */
  readonly position: string
}

/**
 * The location of a frame: `at async commit (file:///a.ts:1:2)`, `at /a.ts:1:2`. Code in `eval` has the location of the
 * call of `eval`. Frames of the runtime (`node:`, `<anonymous>`, `native`) have none.
 */
const locationOf = (line: string): Location | undefined => {
  const frame = /^\s*at (?:async )?(.*)$/.exec(line)?.[1]
  if (frame === undefined) return undefined
  const [, url, file = url, position] = (frame.includes("eval at ") ? evaluated : plain).exec(frame) ?? []
  if (file === undefined || position === undefined) return undefined
  return { file: url === undefined ? file : fileURLToPath(url), position }
}

const plain = /^(?:.*? \()?(?:(file:\/\/\/.+?)|(\/.+?)):(\d+:\d+)\)?$/
const evaluated = /\((?:(file:\/\/\/[^()]+?)|(\/[^()]+?)):(\d+:\d+)\)/

const callSiteOf = (
  { file, position }: Location,
  root: string
): { readonly at: string; readonly isPackage: boolean } => {
  const packages = file.lastIndexOf(packageFolder)
  if (packages >= 0) return { at: `${file.slice(packages + packageFolder.length)}:${position}`, isPackage: true }
  const isInside = file.startsWith(`${root}${path.sep}`)
  return { at: `${isInside ? path.relative(root, file) : file}:${position}`, isPackage: false }
}

const packageFolder = "/node_modules/"

/** Frames of the kernel and the guard are on every stack, so they are skipped. */
const isDriver = (at: string): boolean => /^simulator\/(kernel|determinism)\//.test(at)
