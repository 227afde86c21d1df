/** What a request that may change something must show: that a page of this site made it, in this session. */
import { assert, describe, it } from "@effect/vitest"
import { refuseCrossSite } from "../../src/http/cross-site.ts"
import { secretsFrom } from "../../src/adapters/secrets.ts"
import { formToken, isFormToken } from "../../src/workspace/protection.ts"

const site = "https://countersign.test"

interface Case {
  readonly what: string
  readonly headers: Readonly<Record<string, string>>
  readonly isRefused: boolean
}

const cases: ReadonlyArray<Case> = [
  {
    what: "both headers of our own page",
    headers: { "sec-fetch-site": "same-origin", origin: site },
    isRefused: false
  },
  { what: "Sec-Fetch-Site alone", headers: { "sec-fetch-site": "same-origin" }, isRefused: false },
  { what: "Origin alone", headers: { origin: site }, isRefused: false },
  { what: "neither", headers: {}, isRefused: true },
  { what: "another site", headers: { "sec-fetch-site": "cross-site", origin: "https://evil.test" }, isRefused: true },
  {
    what: "another site that hides its origin",
    headers: { "sec-fetch-site": "cross-site", origin: "null" },
    isRefused: true
  },
  {
    what: "a sibling domain",
    headers: { "sec-fetch-site": "same-site", origin: "https://a.countersign.test" },
    isRefused: true
  },
  { what: "an address typed by hand", headers: { "sec-fetch-site": "none" }, isRefused: true },
  {
    what: "Sec-Fetch-Site against Origin",
    headers: { "sec-fetch-site": "same-origin", origin: "https://evil.test" },
    isRefused: true
  },
  { what: "Origin against Sec-Fetch-Site", headers: { "sec-fetch-site": "cross-site", origin: site }, isRefused: true },
  { what: "an unknown word", headers: { "sec-fetch-site": "same-origin, cross-site", origin: site }, isRefused: true },
  { what: "an empty Sec-Fetch-Site", headers: { "sec-fetch-site": "", origin: site }, isRefused: true },
  { what: "an origin of null", headers: { origin: "null" }, isRefused: true },
  { what: "an empty origin", headers: { origin: "" }, isRefused: true },
  { what: "our name over http", headers: { origin: "http://countersign.test" }, isRefused: true },
  { what: "our name on another port", headers: { origin: "https://countersign.test:8443" }, isRefused: true },
  { what: "our name as a beginning", headers: { origin: "https://countersign.test.evil.test" }, isRefused: true },
  { what: "a path after our origin", headers: { origin: "https://countersign.test/" }, isRefused: true },
  { what: "a referrer of ours and no origin", headers: { referer: `${site}/workspace/` }, isRefused: true }
]

describe("an unsafe request", () => {
  it.each(cases)("with $what is refused: $isRefused", ({ headers, isRefused }) => {
    for (const method of ["POST", "PUT", "PATCH", "DELETE", "QUERY", "post"]) {
      const refused = refuseCrossSite(site, { method, headers })
      assert.strictEqual(refused?.code, isRefused ? "CROSS_SITE_REQUEST" : undefined, method)
    }
  })

  it.each(["GET", "HEAD", "OPTIONS"])("is not %s", (method) => {
    assert.isUndefined(refuseCrossSite(site, { method, headers: { "sec-fetch-site": "cross-site" } }))
  })

  it("knows the site's origin whatever port and path its address has", () => {
    const from = (origin: string, siteUrl: string) => refuseCrossSite(siteUrl, { method: "POST", headers: { origin } })
    assert.isUndefined(from("http://127.0.0.1:8080", "http://127.0.0.1:8080"))
    assert.isUndefined(from("https://countersign.test", "https://countersign.test:443"))
    assert.isDefined(from("http://localhost:8080", "http://127.0.0.1:8080"))
  })
})

const keyOf = (byte: number) => new Uint8Array(32).fill(byte)

describe("the token of a form", () => {
  const before = secretsFrom([keyOf(1)])
  const rotating = secretsFrom([keyOf(2), keyOf(1)])
  const after = secretsFrom([keyOf(2)])

  it("holds for its session alone", () => {
    assert.isTrue(isFormToken(before, "one", formToken(before, "one")))
    assert.isFalse(isFormToken(before, "two", formToken(before, "one")))
  })

  it("is none where it is missing, empty, cut short, changed or longer", () => {
    const token = formToken(before, "one")
    const changed = (token.startsWith("0") ? "1" : "0") + token.slice(1)
    for (const given of [undefined, "", token.slice(1), changed, `${token}0`, "undefined"]) {
      assert.isFalse(isFormToken(before, "one", given), given)
    }
  })

  it("holds while its key is rotated out, and ends with it", () => {
    const token = formToken(before, "one")
    assert.isTrue(isFormToken(rotating, "one", token))
    assert.isFalse(isFormToken(after, "one", token))
    assert.isTrue(isFormToken(after, "one", formToken(rotating, "one")))
  })

  it("matches nothing under a key without a value", () => {
    const gone = { ...before, keyedHash: () => undefined }
    assert.isFalse(isFormToken(gone, "one", "undefined"))
    assert.isFalse(isFormToken(gone, "one", formToken(gone, "one")))
  })
})
