/** The root address of the site. */
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { memoryTestService } from "../support/memory-service.ts"
import { send, siteUrl } from "../support/service.ts"

const accepting = (accept: string) => send("GET", "/", { headers: { accept } })

layer(memoryTestService, { excludeTestServices: true })("root of the site", (it) => {
  it.effect.each([
    "text/html",
    "text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,image/webp,*/*;q=0.8",
    "application/json;q=0.5, TEXT/HTML;q=0.9"
  ])("The root redirects a browser that accepts %s to the workspace", (accept) =>
    Effect.gen(function* () {
      const { status, headers, text } = yield* accepting(accept)
      assert.deepStrictEqual([status, headers["location"], text], [303, "/workspace/", ""])
      assert.strictEqual(headers["vary"], "accept")
    })
  )

  it.effect.each(["", "*/*", "application/json", "application/json, text/html;q=0.9", "text/html;q=0"])(
    "The root returns the links of the API to a program that accepts '%s'",
    (accept) =>
      Effect.gen(function* () {
        const { status, body, headers } = yield* accepting(accept)
        assert.strictEqual(status, 200)
        assert.deepInclude(body, { service: "countersign", apiVersion: headers["service-api-version"] })
        assert.strictEqual(headers["vary"], "accept")
        const { openapi, capabilities, skill, issuerKeys, workspace } = body
        const links: ReadonlyArray<string> = [
          ...Object.values<string>(openapi),
          capabilities,
          skill,
          issuerKeys,
          workspace
        ]
        assert.lengthOf(links, 7)
        for (const link of links) {
          assert.isTrue(link.startsWith(`${siteUrl}/`), link)
          assert.notStrictEqual((yield* send("GET", link.slice(siteUrl.length))).status, 404, link)
        }
      })
  )

  it.effect("The root answers HEAD with the status of GET, and no other method", () =>
    Effect.gen(function* () {
      assert.strictEqual((yield* send("HEAD", "/")).status, 200)
      assert.strictEqual((yield* send("POST", "/", { body: {} })).status, 404)
    })
  )
})
