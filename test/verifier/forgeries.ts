/**
 * Forgeries by an attacker who holds a signing key of the issuer: each object has a valid signature, and all derived values
 * are consistent with the forgery. A table names the check that refuses each, and its code.
 */
import { assert, expect, it } from "vitest"
import type { Report } from "../../src/verifier/report.ts"
import { verifyResultFiles } from "../../src/verifier/verify.ts"
import { checkedAt, type Forgery, makeSample } from "./sample.ts"
import { jcs, keys, kid, type Members, signBytes } from "./signing.ts"

export type ForgeryRow = readonly [fault: string, forgery: Forgery, check: string, code: string]

/** Each forgery is refused by its check, and the report repeats no part of the artifact. */
export const refuseEach = (rows: ReadonlyArray<ForgeryRow>): void =>
  it.each(rows)("an artifact with %s is refused", (_, forgery, check, code) => {
    const report = verify(forgery)
    assert.strictEqual(report.verdict, "REFUSED")
    assert.strictEqual(report.exit, 1)
    expect(failures(report)).toContain(`${check} ${code}`)
    expect([report.objects, report.recordedAuthority.grants, report.record, report.limits]).toEqual([[], [], null, []])
    assert.strictEqual(report.currentStatus.outcome, "NOT_CHECKED")
  })

/** Each forgery is refused by its check alone. */
export const refuseEachAlone = (rows: ReadonlyArray<ForgeryRow>): void =>
  it.each(rows)("an artifact with %s is refused by one check alone", (_, forgery, check, code) => {
    const report = verify(forgery)
    assert.strictEqual(report.verdict, "REFUSED")
    expect([...new Set(failures(report))]).toEqual([`${check} ${code}`])
  })

export const verify = (forgery: Forgery, at: string = checkedAt): Report => {
  const sample = makeSample(forgery)
  return verifyResultFiles({
    artifact: sample.bytes(sample.review),
    trust: sample.bytes(sample.trust),
    checkedAt: at
  })
}

export const failures = (report: Report): ReadonlyArray<string> =>
  report.checks.filter((check) => check.outcome === "fail").map((check) => `${check.id} ${check.code}`)

export const hex = (character: string): string => character.repeat(64)

type Edit = (value: Members) => unknown

export const editContent = (edit: Edit): Forgery => ({ content: (content) => void edit(content) })
export const editPackage = (edit: Edit): Forgery => ({ package: (content) => void edit(content) })
export const editManifest = (edit: (manifest: any) => unknown): Forgery =>
  editPackage((content) => edit(content["manifest"]))
export const editEvents = (edit: (events: any) => unknown): Forgery => editContent((content) => edit(content["events"]))
export const editAgreement = (edit: Edit): Forgery => ({ agreement: (agreement) => void edit(agreement) })
export const editRecord = (edit: Edit): Forgery => ({ record: (record) => void edit(record) })

/** The nth event of a kind, before anything is hashed or signed. */
export const editEvent = (kind: string, edit: Edit, nth = 0): Forgery => ({
  history: (events) => void edit(events.filter((event) => event["kind"] === kind)[nth]!)
})
/** The event at an index, after `sequence` and `previous` are set. */
export const editLinked = (place: number, edit: Edit): Forgery => ({
  event: (event, index) => void (index === place && edit(event))
})
export const editAccepting = (edit: Edit): Forgery => editEvent("REVIEW", (event) => edit(event["payload"]), 1)
export const editAuthority = (place: number, edit: Edit): Forgery => ({
  authority: (event, grant, index) => void (grant === "buyer" && index === place && edit(event))
})
export const editKey = (purpose: string, edit: Edit): Forgery => ({
  trust: (file) => void edit(file["keys"].find((key: Members) => key["kid"] === kid(purpose)))
})

/** A package signature over exactly this text. */
export const signText = (payload: string, by: "PACKAGE" | "stranger" = "PACKAGE"): string =>
  signBytes(jcs({ alg: "EdDSA", kid: kid("PACKAGE"), typ: "service.result-package/v2" }), payload, keys[by].privateKey)
