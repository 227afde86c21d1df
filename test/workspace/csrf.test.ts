/** Cross-site request protection: an unsafe request must come from a page of this site and of this session. */
import { assert, describe, it } from "@effect/vitest"
import { refuseCrossSite } from "../../src/http/cross-site.ts"
import { secretsFrom } from "../../src/adapters/secrets.ts"
import { formToken, isFormToken } from "../../src/workspace/kit/csrf.ts"

const site = "https://countersign.test"

interface Case {
  readonly name: string
  readonly headers: Readonly<Record<string, string>>
  readonly isRefused: boolean
}

const cases: ReadonlyArray<Case> = [
  {
    name: "both headers of the site's own page",
    headers: { "sec-fetch-site": "same-origin", origin: site },
    isRefused: false
  },
  { name: "Sec-Fetch-Site alone", headers: { "sec-fetch-site": "same-origin" }, isRefused: false },
  { name: "Origin alone", headers: { origin: site }, isRefused: false },
  { name: "neither header", headers: {}, isRefused: true },
  { name: "another site", headers: { "sec-fetch-site": "cross-site", origin: "https://evil.test" }, isRefused: true },
  {
    name: "another site that hides its origin",
    headers: { "sec-fetch-site": "cross-site", origin: "null" },
    isRefused: true
  },
  {
    name: "a sibling domain",
    headers: { "sec-fetch-site": "same-site", origin: "https://a.countersign.test" },
    isRefused: true
  },
  { name: "an address typed by hand", headers: { "sec-fetch-site": "none" }, isRefused: true },
  {
    name: "a Sec-Fetch-Site that contradicts Origin",
    headers: { "sec-fetch-site": "same-origin", origin: "https://evil.test" },
    isRefused: true
  },
  {
    name: "an Origin that contradicts Sec-Fetch-Site",
    headers: { "sec-fetch-site": "cross-site", origin: site },
    isRefused: true
  },
  {
    name: "an unknown Sec-Fetch-Site",
    headers: { "sec-fetch-site": "same-origin, cross-site", origin: site },
    isRefused: true
  },
  { name: "an empty Sec-Fetch-Site", headers: { "sec-fetch-site": "", origin: site }, isRefused: true },
  { name: "an origin of null", headers: { origin: "null" }, isRefused: true },
  { name: "an empty origin", headers: { origin: "" }, isRefused: true },
  { name: "the site's name over HTTP", headers: { origin: "http://countersign.test" }, isRefused: true },
  { name: "the site's name on another port", headers: { origin: "https://countersign.test:8443" }, isRefused: true },
  { name: "the site's name as a prefix", headers: { origin: "https://countersign.test.evil.test" }, isRefused: true },
  { name: "a path after the site's origin", headers: { origin: "https://countersign.test/" }, isRefused: true },
  { name: "a referrer of the site and no origin", headers: { referer: `${site}/workspace/` }, isRefused: true }
]

describe("unsafe requests", () => {
  const unsafeMethods = ["POST", "PUT", "PATCH", "DELETE", "QUERY", "post"]
  const codesFor = (headers: Case["headers"]) =>
    unsafeMethods.map((method) => refuseCrossSite(site, { method, headers })?.code)

  it.each(cases.filter(({ isRefused }) => isRefused))("An unsafe request with $name is refused.", ({ headers }) => {
    assert.deepStrictEqual(
      codesFor(headers),
      unsafeMethods.map(() => "CROSS_SITE_REQUEST")
    )
  })

  it.each(cases.filter(({ isRefused }) => !isRefused))("An unsafe request with $name is accepted.", ({ headers }) => {
    assert.deepStrictEqual(
      codesFor(headers),
      unsafeMethods.map(() => undefined)
    )
  })

  it.each(["GET", "HEAD", "OPTIONS"])("A cross-site %s request is accepted.", (method) => {
    assert.isUndefined(refuseCrossSite(site, { method, headers: { "sec-fetch-site": "cross-site" } }))
  })

  it("The origin of the site is compared independently of its default port and path.", () => {
    const from = (origin: string, siteUrl: string) => refuseCrossSite(siteUrl, { method: "POST", headers: { origin } })
    assert.isUndefined(from("http://127.0.0.1:8080", "http://127.0.0.1:8080"))
    assert.isUndefined(from("https://countersign.test", "https://countersign.test:443"))
    assert.isDefined(from("http://localhost:8080", "http://127.0.0.1:8080"))
  })
})

const keyOf = (byte: number) => new Uint8Array(32).fill(byte)

describe("form tokens", () => {
  const before = secretsFrom([keyOf(1)])
  const rotating = secretsFrom([keyOf(2), keyOf(1)])
  const after = secretsFrom([keyOf(2)])

  it("A form token is valid only for its session.", () => {
    assert.isTrue(isFormToken(before, "one", formToken(before, "one")))
    assert.isFalse(isFormToken(before, "two", formToken(before, "one")))
  })

  it("A missing, empty, shortened, changed or extended form token is refused.", () => {
    const token = formToken(before, "one")
    const changed = (token.startsWith("0") ? "1" : "0") + token.slice(1)
    for (const given of [undefined, "", token.slice(1), changed, `${token}0`, "undefined"]) {
      assert.isFalse(isFormToken(before, "one", given), given)
    }
  })

  it("A form token remains valid while its key is being rotated out, and no longer.", () => {
    const token = formToken(before, "one")
    assert.isTrue(isFormToken(rotating, "one", token))
    assert.isFalse(isFormToken(after, "one", token))
    assert.isTrue(isFormToken(after, "one", formToken(rotating, "one")))
  })

  it("No form token is valid under a key without a value.", () => {
    const gone = { ...before, keyedHash: () => undefined }
    assert.isFalse(isFormToken(gone, "one", "undefined"))
    assert.isFalse(isFormToken(gone, "one", formToken(gone, "one")))
  })
})
