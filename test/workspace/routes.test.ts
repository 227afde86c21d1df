/** Responses of the workspace: headers, unknown addresses and errors. */
import { assert, layer } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { rateLimitsLayer } from "../../src/http/rate-limits.ts"
import { readForm } from "../../src/workspace/kit/form.ts"
import { listPage } from "../../src/workspace/kit/list.ts"
import { page } from "../../src/workspace/kit/page.ts"
import { pageRoute } from "../../src/workspace/kit/page-route.ts"
import { pageResponse, seeOther } from "../../src/workspace/kit/response.ts"
import { scriptPaths } from "../../src/workspace/kit/script-paths.ts"
import { verifierPath } from "../../src/workspace/kit/verifier-link.ts"
import { workspace } from "../../src/workspace/routes.ts"
import { StorageUnavailable } from "../../src/ports/storage.ts"
import { refusals, type RefusalCode } from "../../src/vocabulary/refusal-rules.ts"
import { fromMilliseconds } from "../../src/vocabulary/instant.ts"
import { refuse } from "../../src/vocabulary/refusals.ts"
import { pageAddresses } from "../support/page-routes.ts"
import { pagesApp } from "../support/pages.ts"
import { uuid } from "../support/parties.ts"
import { send, siteUrl, type Answer } from "../support/service.ts"

const codes = Object.keys(refusals) as ReadonlyArray<RefusalCode>
let changes = 0

const examples = Layer.mergeAll(
  workspace,
  pageRoute("GET", "/workspace/defect", Effect.die(new Error("the inside of table agents"))),
  pageRoute(
    "GET",
    "/workspace/unavailable",
    Effect.die(new StorageUnavailable({ reason: "connection refused", mayBeCommitted: false }))
  ),
  pageRoute(
    "GET",
    "/workspace/page",
    Effect.sync(() => pageResponse(page({ title: "A page" })))
  ),
  pageRoute(
    "POST",
    "/workspace/page",
    Effect.map(readForm, () => (changes++, seeOther("/workspace/page")))
  ),
  pageRoute(
    "GET",
    "/workspace/list-of-hidden-items",
    listPage({
      title: "A list",
      viewer: undefined,
      list: { name: "hidden", path: "/workspace/list-of-hidden-items", caption: "Items", columns: [], empty: "None." },
      read: () => Effect.succeed({ items: [], older: { at: fromMilliseconds(0), id: "one" }, newer: null })
    })
  ),
  ...codes.map((code) => pageRoute("GET", `/workspace/refused/${code}`, refuse(code)))
)

const assertSafe = ({ headers, text }: Answer): void => {
  assert.strictEqual(
    headers["content-security-policy"],
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'"
  )
  assert.deepInclude(headers, {
    "x-frame-options": "DENY",
    "x-content-type-options": "nosniff",
    "referrer-policy": "same-origin",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "cache-control": "no-store"
  })
  assert.match(headers["service-request-id"] ?? "", /^[0-9a-f-]{36}$/)
  assert.notMatch(
    text,
    /<script(?! type="module" src="\/workspace\/scripts\/pages\.js"><\/script>)|<style|\sstyle=|\son[a-z]+=/
  )
}

const assertPage = (answer: Answer): void => {
  assertSafe(answer)
  assert.strictEqual(answer.headers["content-type"], "text/html; charset=utf-8")
  assert.match(answer.text, /^<!doctype html>\n<html lang="en" dir="ltr"><head><meta charset="utf-8"\/>/)
  assert.lengthOf(answer.text.match(/<h1>/g) ?? [], 1)
  assert.lengthOf(answer.text.match(/<main id="main"/g) ?? [], 1)
}

const form = { "content-type": "application/x-www-form-urlencoded" }

layer(pagesApp(examples), { excludeTestServices: true })("routes of the workspace", (it) => {
  it.effect("Pages and files have the same security headers.", () =>
    Effect.gen(function* () {
      const start = yield* send("GET", "/workspace/")
      assert.strictEqual(start.status, 200)
      assertPage(start)
      const style = yield* send("GET", "/workspace/style.css")
      assert.deepStrictEqual([style.status, style.headers["content-type"]], [200, "text/css; charset=utf-8"])
      assertSafe(style)
      const icon = yield* send("GET", "/workspace/icon.svg")
      assert.deepStrictEqual([icon.status, icon.headers["content-type"]], [200, "image/svg+xml"])
      assertSafe(icon)
    })
  )

  it.effect("A script is served with an entity tag, and without its body to a browser that has it.", () =>
    Effect.gen(function* () {
      for (const path of Object.values(scriptPaths)) {
        const first = yield* send("GET", path)
        assert.deepStrictEqual([first.status, first.headers["content-type"]], [200, "text/javascript; charset=utf-8"])
        assert.strictEqual(first.headers["x-content-type-options"], "nosniff")
        assert.strictEqual(first.headers["cache-control"], "no-cache")
        assert.isNotEmpty(first.text)
        const etag = first.headers["etag"] ?? ""
        assert.match(etag, /^"[0-9a-f]{64}"$/)
        const again = yield* send("GET", path, { headers: { "if-none-match": etag } })
        assert.deepStrictEqual([again.status, again.text, again.headers["etag"]], [304, "", etag])
        assert.strictEqual((yield* send("GET", path, { headers: { "if-none-match": '"other"' } })).status, 200)
      }
    })
  )

  it.effect("Every page names the one script of the pages, and has no other script.", () =>
    Effect.gen(function* () {
      const { text } = yield* send("GET", "/workspace/")
      assert.deepStrictEqual(text.match(/<script[^>]*>[^<]*/g), [`<script type="module" src="${scriptPaths.pages}">`])
    })
  )

  it.effect(
    "The verifier’s page may connect to nothing and send no form, and explains the command line without script.",
    () =>
      Effect.gen(function* () {
        const { status, text, headers } = yield* send("GET", verifierPath)
        assert.strictEqual(status, 200)
        const policy = headers["content-security-policy"] ?? ""
        for (const rule of ["default-src 'none'", "script-src 'self'", "connect-src 'none'", "form-action 'none'"]) {
          assert.include(policy.split("; "), rule)
        }
        assert.include(text, "node verify-result.mjs package.jws keys.json")
        assert.match(text, /<form [^>]*hidden/)
        assert.include(text, `src="${scriptPaths.verifier}"`)
      })
  )

  it.effect(
    "A page of a list whose items are all hidden leads to the older ones, and does not say that there are none.",
    () =>
      Effect.gen(function* () {
        const { text } = yield* send("GET", "/workspace/list-of-hidden-items")
        assert.include(text, "Nothing on this page is shown to you.")
        assert.match(text, /<a href="[^"]*after=[^"]*">Older<\/a>/)
        assert.notInclude(text, "None.")
      })
  )

  it.effect("An unknown address is answered with a page.", () =>
    Effect.gen(function* () {
      for (const path of ["/workspace/nowhere", "/workspace/a/b/c", "/workspace/%3Cscript%3E", "/workspace/account/"]) {
        const answer = yield* send("GET", path)
        assert.strictEqual(answer.status, 404)
        assertPage(answer)
      }
      const moved = yield* send("GET", "/workspace")
      assert.deepStrictEqual([moved.status, moved.headers["location"]], [303, "/workspace/"])
      const asked = yield* send("GET", "/workspace?x=1")
      assert.deepStrictEqual([asked.status, asked.headers["location"]], [303, "/workspace/"])
      const put = yield* send("PUT", "/workspace/page", { headers: { origin: siteUrl } })
      assert.strictEqual(put.status, 404)
      assertPage(put)
    })
  )

  it.effect("HEAD is answered like GET.", () =>
    Effect.gen(function* () {
      for (const path of [
        "/workspace/",
        "/workspace",
        "/workspace/account",
        "/workspace/style.css",
        "/workspace/none"
      ]) {
        const [head, get] = [yield* send("HEAD", path), yield* send("GET", path)]
        assert.deepStrictEqual([head.status, head.headers["location"]], [get.status, get.headers["location"]], path)
      }
    })
  )

  it.effect("A GET request to the address of every form leads to the page that shows the form.", () =>
    Effect.gen(function* () {
      const addresses = yield* pageAddresses
      const shown = new Set(addresses.filter(({ method }) => method === "GET").map(({ path }) => path))
      const forms = addresses.filter(({ method, path }) => method === "POST" && !path.endsWith("*"))
      assert.isAbove(forms.length, 20)
      for (const { path } of forms) assert.isTrue(shown.has(path), path)
      const id = `organization_${uuid()}`
      const led = yield* send("GET", `/workspace/organizations/${id}/contacts/remove`)
      assert.deepStrictEqual([led.status, led.headers["location"]], [303, `/workspace/organizations/${id}/contacts`])
      const hostile = yield* send("GET", "/workspace/organizations/%2F%2Fevil.test/contacts/remove")
      assert.strictEqual(hostile.headers["location"], "/workspace/organizations/%252F%252Fevil.test/contacts")
    })
  )

  it.effect("Every refusal is shown with its status, its sentence and a next step.", () =>
    Effect.gen(function* () {
      for (const code of codes) {
        const { status, detail } = refusals[code]
        const answer = yield* send("GET", `/workspace/refused/${code}`)
        assert.strictEqual(answer.status, status, code)
        assertPage(answer)
        assert.include(answer.text.replaceAll("&quot;", '"'), `<p><bdi class="untrusted">${detail}</bdi></p>`)
        assert.notInclude(answer.text.replaceAll(`/refused/${code}`, "").replaceAll(`%2F${code}`, ""), code)
        assert.match(answer.text, /<main.*<a href="\/workspace\/.*<\/main>/)
        assert.strictEqual(answer.headers["retry-after"] !== undefined, status === 503)
      }
    })
  )

  it.effect("A refusal links to the sign-in and back.", () =>
    Effect.gen(function* () {
      const { text } = yield* send("GET", "/workspace/refused/SIGN_IN_REQUIRED?a=1")
      assert.include(text, 'href="/workspace/sign-in?returnTo=%2Fworkspace%2Frefused%2FSIGN_IN_REQUIRED%3Fa%3D1"')
    })
  )

  it.effect("Pages are served only over HTTPS and to this machine.", () =>
    Effect.gen(function* () {
      const foreign = yield* send("GET", "/workspace/page", { from: "203.0.113.9" })
      assert.strictEqual(foreign.status, 400)
      assertPage(foreign)
      assert.include(foreign.text, "Pages are served over HTTPS only.")
      assert.strictEqual((yield* send("GET", "/workspace/page", { from: "127.0.0.1" })).status, 200)
    })
  )

  it.effect("An internal error reveals no details.", () =>
    Effect.gen(function* () {
      const failed = yield* send("GET", "/workspace/defect")
      assert.strictEqual(failed.status, 500)
      assertPage(failed)
      const unavailable = yield* send("GET", "/workspace/unavailable")
      assert.deepStrictEqual([unavailable.status, unavailable.headers["retry-after"]], [503, "1"])
      assertPage(unavailable)
      assert.notMatch(failed.text + unavailable.text, /inside of table|connection refused|Error|\.ts/)
    })
  )

  it.effect("A form is accepted only from pages of this site.", () =>
    Effect.gen(function* () {
      const own = { ...form, origin: siteUrl, "sec-fetch-site": "same-origin" }
      const taken = yield* send("POST", "/workspace/page", { raw: "a=1", headers: own })
      assert.deepStrictEqual([taken.status, taken.headers["location"], changes], [303, "/workspace/page", 1])
      assertSafe(taken)
      for (const headers of [
        form,
        { ...own, origin: "https://evil.test" },
        { ...own, "sec-fetch-site": "cross-site" }
      ]) {
        const refused = yield* send("POST", "/workspace/page", { raw: "a=1", headers })
        assert.strictEqual(refused.status, 403)
        assertPage(refused)
        assert.include(refused.text, "did not come from a page of this site")
      }
      const json = yield* send("POST", "/workspace/page", { body: {}, headers: { origin: siteUrl } })
      assert.strictEqual(json.status, 400)
      assertPage(json)
      assert.strictEqual(changes, 1)
    })
  )
})

const limited = pagesApp(workspace).pipe(Layer.provideMerge(rateLimitsLayer({ perAddress: 3 })))

layer(limited, { excludeTestServices: true })("rate limits per address", (it) => {
  it.effect("The rate limit of an address applies to pages and to that address only.", () =>
    Effect.gen(function* () {
      const read = (from: string) => send("GET", "/workspace/", { from })
      const answers = yield* Effect.forEach([1, 2, 3, 4], () => read("127.0.0.1"))
      assert.deepStrictEqual(
        answers.map(({ status }) => status),
        [200, 200, 200, 503]
      )
      assertPage(answers[3]!)
      assert.strictEqual((yield* read("127.0.0.2")).status, 200)
    })
  )
})
