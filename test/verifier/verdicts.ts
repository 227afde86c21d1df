/**
 * Prints the verdict on each named case of a folder, a line each with the first check that failed and its code; "threw"
 * where there was none. It reads its cases and writes its lines without the help of anything that it would not want
 * changed, and is bundled into one file.
 */
import { readFileSync, writeSync } from "node:fs"
import { verifyResultFiles } from "../../src/verifier/verify.ts"

const [, , folder, ...names] = process.argv

const verdictOn = (name: string): string => {
  const read = (file: string): Uint8Array => readFileSync(`${folder}/${name}/${file}`)
  try {
    const given: { [role: string]: string } = { __proto__: null, ...JSON.parse(String(read("case.json"))) }
    const { artifact, keys, status, policy, checkedAt } = given
    const { verdict, checks } = verifyResultFiles({
      artifact: read(artifact!),
      trust: read(keys!),
      checkedAt: checkedAt!,
      ...(status === undefined ? {} : { status: read(status) }),
      ...(policy === undefined ? {} : { authority: read(policy) })
    })
    const failed = checks.find(({ outcome }) => outcome === "fail")
    return failed === undefined ? verdict : `${verdict} ${failed.id} ${failed.code}`
  } catch {
    return "threw"
  }
}

for (const name of names) writeSync(1, `${name} ${verdictOn(name)}\n`)
