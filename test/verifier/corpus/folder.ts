/** A case as a folder of files: what is written there, and how it is read back. */
import { readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { type Case, exits } from "./case.ts"

export const casesFolder = join(import.meta.dirname, "../cases")

export type Files = ReadonlyMap<string, Uint8Array>

/** The files of one case, by name: those that are handed over, what is expected of them, and why. */
export const filesOf = (one: Case): Files => {
  const handed: Handed = {
    artifact: [begins(one.artifact, "ey") ? "artifact.jws" : "artifact.json", one.artifact],
    keys: ["keys.json", one.trust],
    ...(one.status === undefined
      ? {}
      : { status: [begins(one.status, "ey") ? "status.jws" : "status.json", one.status] }),
    ...(one.policy === undefined ? {} : { policy: ["policy.json", one.policy] })
  }
  const { verdict, first } = one.expected
  const names = Object.fromEntries(Object.entries(handed).map(([role, [name]]) => [role, name]))
  const statement = { ...names, checkedAt: one.checkedAt, exit: exits[verdict], first, verdict }
  return new Map([
    ...Object.values(handed),
    ["case.json", Buffer.from(`${JSON.stringify(statement, null, 2)}\n`)],
    ["README.md", Buffer.from(`${one.why}\n`)]
  ])
}

interface Handed {
  readonly [role: string]: readonly [name: string, bytes: Uint8Array]
}

const begins = (bytes: Uint8Array, text: string): boolean =>
  Buffer.from(bytes).subarray(0, text.length).equals(Buffer.from(text))

/** The case in a folder, by what the folder alone says. */
export const readCase = (name: string): Case => readCaseIn(casesFolder, name)

export const readCaseIn = (folder: string, name: string): Case => {
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

/** The files that a folder holds. */
export const filesIn = (name: string): Files =>
  new Map(readdirSync(join(casesFolder, name)).map((file) => [file, readFileSync(join(casesFolder, name, file))]))
