/**
 * Prints the verdict on each named case of a folder, one line each with the first failed check and its code, or "threw" if
 * the verifier threw. It avoids the built-in objects that its test modifies, and is bundled into one file.
 */
import { readFileSync, writeSync } from "node:fs"
import { verifyResultFiles } from "../../src/verifier/verify.ts"

const [, , folder, ...names] = process.argv

const verdictOn = (name: string): string => {
  const read = (file: string): Uint8Array => readFileSync(`${folder}/${name}/${file}`)
  try {
    const inputs: { [role: string]: string } = { __proto__: null, ...JSON.parse(String(read("case.json"))) }
    const { artifact, keys, status, policy, checkedAt } = inputs
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
