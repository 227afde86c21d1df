/** Reads stacks: which line of the project called something, or which file of a package did and for which line. */
import * as path from "node:path"
import { fileURLToPath } from "node:url"

export interface Place {
  /** `src/projects/commit.ts:57:13`, or `effect/dist/Clock.js:12:3` inside a package. */
  readonly at: string
  readonly isPackage: boolean
  /** The nearest line of the project behind a package's. */
  readonly behind: string | undefined
}

const project = path.resolve(import.meta.dirname, "../..")

/** The nearest frame that is not the runtime's; undefined where only the runtime is on the stack. */
export const callerIn = (stack: string, root: string = project): Place | undefined => {
  const places = stack.split("\n").flatMap((line) => {
    const location = locationOf(line)
    return location === undefined ? [] : [placed(location, root)]
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
 * Where a frame stands: `at async commit (file:///a.ts:1:2)`, `at /a.ts:1:2`. Code that was made by `eval` stands where
 * `eval` was called. Frames of the runtime (`node:`, `<anonymous>`, `native`) stand nowhere.
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

const placed = ({ file, position }: Location, root: string): { readonly at: string; readonly isPackage: boolean } => {
  const packages = file.lastIndexOf(packageFolder)
  if (packages >= 0) return { at: `${file.slice(packages + packageFolder.length)}:${position}`, isPackage: true }
  const isInside = file.startsWith(`${root}${path.sep}`)
  return { at: `${isInside ? path.relative(root, file) : file}:${position}`, isPackage: false }
}

const packageFolder = "/node_modules/"

/** What is on every stack of a world says nothing about who asked. */
const isDriver = (at: string): boolean => /^simulator\/(kernel|leaks)\//.test(at)
