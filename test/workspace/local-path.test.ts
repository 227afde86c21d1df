/** Paths that a page may redirect to, and hostile ones. */
import { assert, describe, it } from "@effect/vitest"
import * as fc from "fast-check"
import { isLocalPath, localPathOr, signInPath } from "../../src/workspace/kit/local-path.ts"
import { seeOther } from "../../src/workspace/kit/response.ts"

const local = [
  "/workspace",
  "/workspace/",
  "/workspace?x=1",
  "/workspace/agents",
  "/workspace/agents/agt_1?shown=all&after=2#list",
  "/workspace/projects/d_1?text=%2F%2Fevil.test",
  "/workspace/a%20b"
]

const hostile = [
  "",
  "/",
  "workspace/agents",
  "//evil.test",
  "//evil.test/workspace/",
  "///evil.test/workspace/",
  "/\\evil.test",
  "/\\/evil.test",
  "\\\\evil.test",
  "/workspace\\..\\..\\evil.test",
  "/workspace//evil.test",
  "/workspace/../",
  "/workspace/../../evil.test",
  "/workspace/%2e%2e/healthz",
  "/workspace/.%2E/healthz",
  "/workspace/./agents",
  "/workspace/?a=\\b",
  "/workspaces",
  "/workspace.evil.test",
  "/workspace@evil.test",
  "/healthz",
  "/api/agents/v1/me",
  "https://evil.test/workspace/",
  "https:/workspace/",
  "https:workspace",
  "javascript:alert(1)",
  "data:text/html,x",
  " /workspace/",
  "/workspace/ ",
  "/workspace/\t",
  "/\t/evil.test",
  "/\n/evil.test",
  "/workspace/\r\nset-cookie: a=b",
  "/workspace/\u0000",
  "/workspace/\u007f",
  "/workspace/é",
  "/workspace/\u202e",
  "/workspace/\u2028",
  "／／evil.test",
  "/／evil.test",
  "/workspace/\ud800",
  `/workspace/${"a".repeat(2000)}`
]

describe("paths to return to", () => {
  it.each(local)("%j is accepted as a path to return to.", (path) => assert.isTrue(isLocalPath(path)))

  it.each(hostile)("%j is refused as a path to return to.", (path) => {
    assert.isFalse(isLocalPath(path))
    assert.strictEqual(localPathOr(path, "/workspace/"), "/workspace/")
    assert.strictEqual(seeOther(path).headers["location"], "/workspace/")
    assert.strictEqual(signInPath(path), "/workspace/sign-in")
  })

  it("A browser resolves every accepted path within this site.", () => {
    const parts = fc.constantFrom(
      "/",
      "//",
      "\\",
      "..",
      ".",
      "%2e",
      "%5c",
      "workspace",
      "evil.test",
      ":",
      "@",
      "?",
      "#",
      "\t",
      "https:",
      "a"
    )
    fc.assert(
      fc.property(fc.array(parts, { maxLength: 8 }), (made) => {
        const path = `/workspace${made.join("")}`
        if (!isLocalPath(path)) return
        const read = new URL(path, "https://countersign.test/workspace/sign-in")
        assert.strictEqual(read.origin, "https://countersign.test")
        assert.match(read.pathname, /^\/workspace(\/|$)/)
      }),
      { numRuns: 5000 }
    )
  })

  it("The sign-in page returns to the requested path.", () => {
    assert.strictEqual(signInPath("/workspace/agents?a=1"), "/workspace/sign-in?returnTo=%2Fworkspace%2Fagents%3Fa%3D1")
    const answer = seeOther("/workspace/agents?a=1")
    assert.deepStrictEqual([answer.status, answer.headers["location"]], [303, "/workspace/agents?a=1"])
  })
})
