/** docs/records.md and docs/portable-records.md name every check, code and limit of reports. */
import { createHash } from "node:crypto"
import canonicalize from "canonicalize"
import { assert, describe, expect, it } from "vitest"
import { passportReadme } from "../../src/publications/readme.ts"
import { confirmationOf, confirmationOperations } from "../../src/projects/confirmation.ts"
import { codes, limits } from "../../src/verifier/codes.ts"
import { verifierLimits } from "../../src/verifier/verifier-limits.ts"
import { verifyResultArtifact } from "../../src/verifier/verify.ts"
import { codeWords, portablePage, recordsPage } from "./format-pages.ts"
import { policyFor } from "./policy.ts"
import { makeClosure } from "./sample-closure.ts"
import { makeClosureV1 } from "./sample-closure-v1.ts"
import { makeCommerceRecord } from "./sample-commerce.ts"
import { makePassport } from "./sample-passport.ts"
import { checkedAt, makeSample } from "./sample.ts"
import { digest, type Members } from "./signing.ts"

describe("the pages of the formats", () => {
  it("the pages name every code and every limit", () => {
    expect([...Object.keys(codes), ...Object.keys(limits)].filter((name) => !codeWords.has(name))).toEqual([])
  })

  it("the pages name every check of a verified package, passport, Commerce Record and closure", () => {
    const { review, trust, package: content } = makeSample()
    const passport = makePassport()
    const commerce = makeCommerceRecord()
    const closure = makeClosure({ lineage: {} })
    const first = makeClosureV1()
    const reports = [
      verifyResultArtifact(review, trust, checkedAt, undefined, policyFor(content)),
      verifyResultArtifact(passport.file, passport.trust, checkedAt),
      verifyResultArtifact(commerce.file, commerce.trust, checkedAt),
      verifyResultArtifact(closure.file, closure.trust, checkedAt, closure.statusFile),
      verifyResultArtifact(first.file, first.trust, checkedAt)
    ]
    const ids = new Set(reports.flatMap(({ checks }) => checks.map((check) => check.id)))
    expect([...ids].filter((id) => !codeWords.has(id))).toEqual([])
  })

  it("docs/portable-records.md names every member of the passport in a report", () => {
    const { file, trust } = makePassport()
    const { entries, ...manifest } = verifyResultArtifact(file, trust, checkedAt).passport!
    const members = [...Object.keys(manifest), ...Object.keys(entries[0]!)]
    expect(members.filter((name) => !codeWords.has(name))).toEqual([])
  })

  it("docs/portable-records.md names every member of the Commerce Record in a report", () => {
    const { file, trust } = makeCommerceRecord()
    const commerce = verifyResultArtifact(file, trust, checkedAt).commerce!
    const members = [...Object.keys(commerce), ...Object.keys(commerce.observations[0]!)]
    const named = (name: string) => codeWords.has(name) || portablePage.includes(`\`commerce.${name}\``)
    expect(members.filter((name) => !named(name))).toEqual([])
  })

  it("docs/portable-records.md names every member of a closure of each version in a report", () => {
    const closure = makeClosure()
    const first = makeClosureV1()
    const reports = [
      verifyResultArtifact(closure.file, closure.trust, checkedAt, closure.statusFile),
      verifyResultArtifact(first.file, first.trust, checkedAt)
    ]
    const members = reports.flatMap((report) => {
      const { references: _, assurance: __, ...closure } = report.closure as Members
      return Object.entries(closure).flatMap(([name, value]) => [
        name,
        ...Object.keys(typeof value === "object" ? (value ?? {}) : {})
      ])
    })
    const named = (name: string) => codeWords.has(name) || portablePage.includes(`\`closure.${name}\``)
    expect(members.filter((name) => !named(name))).toEqual([])
    assert.isAbove(members.length, 30)
  })

  it("docs/portable-records.md names every member of a lineage in a report", () => {
    const { file, trust } = makeClosure({ lineage: {} })
    const { lineage } = verifyResultArtifact(file, trust, checkedAt).closure as Members
    const members = [...Object.keys(lineage), ...Object.values(lineage as Members).flatMap((part) => Object.keys(part))]
    expect(members.filter((name) => !codeWords.has(name))).toEqual([])
    assert.isAbove(members.length, 20)
  })

  it("docs/portable-records.md states the source, the binding and the first entry of a payment by an example", () => {
    const base = "https://example.org/api/agents/v1"
    const { binding, journal } = makeCommerceRecord().payload
    expect(digest(["1".repeat(64), "2".repeat(64), base, base, "3".repeat(64)])).toBe(binding.acceptedSourceDigest)
    const [first] = journal.entries
    for (const stated of [binding.acceptedSourceDigest, digest(binding), first.hash]) {
      expect(portablePage).toContain(`\n    ${stated}\n`)
    }
    expect(first.previousHash).toBe(digest(binding))
  })

  it("docs/portable-records.md states the digest of an enclosed JWS by an example", () => {
    const digest = createHash("sha256").update('"a.b.c"').digest("hex")
    expect(portablePage).toContain(digest)
  })

  it("docs/portable-records.md prints the instructions in the ZIP file of a passport", () => {
    const indented = passportReadme.replaceAll(/^(?=.)/gm, "    ")
    expect(portablePage).toContain(`\n\n${indented}`)
  })

  it("docs/portable-records.md states the size limits", () => {
    expect(portablePage).toContain(verifierLimits.portableBytesMax.toLocaleString("en-US"))
    expect(portablePage).toContain(`1 to ${verifierLimits.passportEntriesMax} entries`)
    const { journalEntriesMax, reversalsMax, amountMinorMax } = verifierLimits
    expect(portablePage).toContain(`at most ${journalEntriesMax.toLocaleString("en-US")} entries`)
    expect(portablePage).toContain(`at most ${reversalsMax} reversals`)
    expect(portablePage).toContain(`1 to ${amountMinorMax.toLocaleString("en-US")}`)
  })

  it("docs/records.md states the size limits of the files", () => {
    const { artifactBytesMax, trustBytesMax, authorityBytesMax, statusBytesMax } = verifierLimits
    for (const bytes of [artifactBytesMax, trustBytesMax, authorityBytesMax, statusBytesMax]) {
      expect(recordsPage).toContain(bytes.toLocaleString("en-US"))
    }
  })

  it("docs/records.md has an example of every confirmation in canonical form with its digest", () => {
    const examples = Array.from(
      recordsPage.matchAll(/^ {4}(\{"documents":.*\})\n {4}([0-9a-f]{64})$/gm),
      ([, text, stated]) => ({
        text: text!,
        digest: stated!,
        value: JSON.parse(text!)
      })
    )
    expect(examples.map(({ value }) => value.operation)).toEqual(confirmationOperations)
    for (const { text, digest, value } of examples) {
      assert.strictEqual(text, canonicalize(value))
      assert.strictEqual(digest, createHash("sha256").update(text).digest("hex"))
      const { effect, digest: confirmed } = confirmationOf(value.operation, value.documents, value.subject)
      assert.deepStrictEqual([effect, confirmed], [value.effect, digest])
    }
  })
})
