/** The cookies of people, as set and as read. */
import { assert, describe, it } from "@effect/vitest"
import { HttpServerResponse } from "effect/http"
import { Cookies } from "effect/http"
import { clearCookie, readCookie, setCookie } from "../../src/http/cookies.ts"

const sentBy = (change: (response: HttpServerResponse.HttpServerResponse) => HttpServerResponse.HttpServerResponse) =>
  Cookies.toSetCookieHeaders(change(HttpServerResponse.empty()).cookies)

const read = (cookie: string | undefined) =>
  readCookie({ headers: cookie === undefined ? {} : { cookie } } as Parameters<typeof readCookie>[0], "session")

describe("cookies", () => {
  it("A cookie is limited to this host, HTTPS and no scripts", () => {
    assert.deepStrictEqual(sentBy(setCookie("session", "dds_a")), [
      "__Host-countersign=dds_a; Path=/; HttpOnly; Secure; SameSite=Lax"
    ])
  })

  it("A sealed cookie expires after ten minutes", () => {
    assert.deepStrictEqual(sentBy(setCookie("signIn", "k.s-_")), [
      "__Host-countersign-sign-in=k.s-_; Max-Age=600; Path=/; HttpOnly; Secure; SameSite=Lax"
    ])
    assert.match(sentBy(setCookie("invitation", "k.s"))[0]!, /^__Host-countersign-invitation=k\.s; Max-Age=600;/)
  })

  it("A cookie is cleared with the attributes that it was set with", () => {
    assert.deepStrictEqual(sentBy(clearCookie("session")), [
      "__Host-countersign=; Max-Age=0; Path=/; Expires=Thu, 01 Jan 1970 00:00:00 GMT; HttpOnly; Secure; SameSite=Lax"
    ])
  })

  it.each([
    ["alone", "__Host-countersign=dds_a", "dds_a"],
    ["among others", "a=b; __Host-countersign=dds_a;c=d", "dds_a"],
    ["beside one whose name goes on", "__Host-countersign-sign-in=x; __Host-countersign=dds_a", "dds_a"],
    ["never", "a=b", undefined],
    ["twice", "__Host-countersign=dds_a; __Host-countersign=dds_b", undefined],
    ["twice alike", "__Host-countersign=dds_a; __Host-countersign=dds_a", undefined],
    ["empty", "__Host-countersign=", undefined],
    ["empty and full", "__Host-countersign=; __Host-countersign=dds_a", undefined],
    ["in quotes", '__Host-countersign="dds_a"', undefined],
    ["without its prefix", "countersign=dds_a", undefined],
    ["in other letters", "__host-countersign=dds_a", undefined],
    ["escaped", "__Host-countersign=dds%5Fa", undefined],
    ["with more than a value has", "__Host-countersign=dds_a b", undefined]
  ])("The session cookie sent %s as %s is read as %s", (_, cookie, value) => assert.strictEqual(read(cookie), value))

  it("A missing cookie is undefined", () => assert.isUndefined(read(undefined)))
})
