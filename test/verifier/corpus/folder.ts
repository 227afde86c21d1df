/** Writes a case to a folder of files, and reads it back. */
import { readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { type Case, exits } from "./case.ts"

export const casesFolder = join(import.meta.dirname, "../cases")

export type Files = ReadonlyMap<string, Uint8Array>

/** The files of one case, by name: the inputs, the expected outcome and its reason. */
export const filesOf = (one: Case): Files => {
  const inputs: InputFiles = {
    artifact: [startsWith(one.artifact, "ey") ? "artifact.jws" : "artifact.json", one.artifact],
    keys: ["keys.json", one.trust],
    ...(one.status === undefined
      ? {}
      : { status: [startsWith(one.status, "ey") ? "status.jws" : "status.json", one.status] }),
    ...(one.policy === undefined ? {} : { policy: ["policy.json", one.policy] })
  }
  const { verdict, first } = one.expected
  const names = Object.fromEntries(Object.entries(inputs).map(([role, [name]]) => [role, name]))
  const statement = { ...names, checkedAt: one.checkedAt, exit: exits[verdict], first, verdict }
  return new Map([
    ...Object.values(inputs),
    ["case.json", Buffer.from(`${JSON.stringify(statement, null, 2)}\n`)],
    ["README.md", Buffer.from(`${one.why}\n`)]
  ])
}

interface InputFiles {
  readonly [role: string]: readonly [name: string, bytes: Uint8Array]
}

const startsWith = (bytes: Uint8Array, text: string): boolean =>
  Buffer.from(bytes).subarray(0, text.length).equals(Buffer.from(text))

/** Reads a case from its folder alone. */
export const readCase = (name: string): Case => readCaseFrom(casesFolder, name)

export const readCaseFrom = (folder: string, name: string): Case => {
  const file = (of: string): Uint8Array => readFileSync(join(folder, name, of))
  const { artifact, keys, status, policy, checkedAt, verdict, first } = JSON.parse(
    Buffer.from(file("case.json")).toString()
  )
  return {
    name,
    why: Buffer.from(file("README.md")).toString().trimEnd(),
    checkedAt,
    artifact: file(artifact),
    trust: file(keys),
    ...(status === undefined ? {} : { status: file(status) }),
    ...(policy === undefined ? {} : { policy: file(policy) }),
    expected: { verdict, first }
  }
}

/** `<group>/<case>`, sorted. */
export const caseNames = (folder: string = casesFolder): ReadonlyArray<string> =>
  foldersIn(folder)
    .flatMap((group) => foldersIn(join(folder, group)).map((name) => `${group}/${name}`))
    .toSorted()

const foldersIn = (folder: string): ReadonlyArray<string> =>
  readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map((entry) => entry.name)

/** The files in the folder of a case. */
export const filesIn = (name: string): Files =>
  new Map(readdirSync(join(casesFolder, name)).map((file) => [file, readFileSync(join(casesFolder, name, file))]))
