/** The policy for webhook targets: the normalized text, or the sentence that refuses it. */
import { assert, describe, it } from "@effect/vitest"
import { Result } from "effect"
import * as fc from "fast-check"
import { limits } from "../../src/vocabulary/limits.ts"
import { readTarget } from "../../src/webhooks/target.ts"

const own = ["https://countersign.example.org", "http://other.example.net:8080"]
const read = (text: string) => Result.merge(readTarget(text, own))

const accepted: Readonly<Record<string, string>> = {
  "https://example.com": "https://example.com/",
  "https://example.com/": "https://example.com/",
  "https://example.com/hooks/a?b=c&d=e": "https://example.com/hooks/a?b=c&d=e",
  "https://example.com?b": "https://example.com/?b",
  "https://example.com:443/a": "https://example.com/a",
  "HTTPS://EXAMPLE.COM/A": "https://example.com/A",
  "https://Hooks.Example.Co.UK/a": "https://hooks.example.co.uk/a",
  "https://example.com/a/../b/./c": "https://example.com/b/c",
  "https://example.com//a": "https://example.com//a",
  "https://example.com/%41%2f%00": "https://example.com/%41%2f%00",
  'https://example.com/"<{': "https://example.com/%22%3C%7B",
  "https://example.com/@user:password": "https://example.com/@user:password",
  "https://example.com/a:8443": "https://example.com/a:8443",
  "https://1.example.com/": "https://1.example.com/",
  "https://127.0.0.1.example.com/": "https://127.0.0.1.example.com/",
  "https://4chan.org/": "https://4chan.org/",
  "https://a--b.example.com/": "https://a--b.example.com/",
  "https://xn--bcher-kva.example.com/": "https://xn--bcher-kva.example.com/",
  "https://example.xn--p1ai/": "https://example.xn--p1ai/",
  // Its labels are no valid IDNA, but a name in the DNS.
  "https://xn--a.example.com/": "https://xn--a.example.com/",
  "https://local.example.com/": "https://local.example.com/",
  "https://localhost.example.com/": "https://localhost.example.com/",
  "https://example.example.com/": "https://example.example.com/",
  "https://sub.countersign.example.org/": "https://sub.countersign.example.org/"
}

describe("an accepted target", () => {
  it.each(Object.entries(accepted))("%s is stored as %s.", (text, stored) => {
    assert.strictEqual(read(text), stored)
    assert.strictEqual(read(stored), stored)
  })
})

const long = (characters: number) => `https://example.com/${"a".repeat(characters - "https://example.com/".length)}`

const refused: Readonly<Record<string, ReadonlyArray<string>>> = {
  "A target begins with https://.": [
    "",
    "example.com",
    "//example.com/",
    "http://example.com/",
    "ftp://example.com/",
    "file:///etc/passwd",
    "blob:https://example.com/1",
    "data:text/plain,a",
    "javascript:alert(1)",
    "wss://example.com/",
    "https:example.com",
    "https:/example.com",
    "view-source:https://example.com/"
  ],
  "A target has no user name and no password.": [
    "https://user@example.com/",
    "https://user:password@example.com/",
    "https://@example.com/",
    "https://:@example.com/",
    "https://example.com@127.0.0.1/",
    "https://example.com:443@127.0.0.1/",
    "https://example.com%40a@example.org/"
  ],
  "A target has no fragment.": [
    "https://example.com/#a",
    "https://example.com#",
    "https://example.com/a?b#",
    "https://example.com#@127.0.0.1/"
  ],
  "A target is on port 443.": [
    "https://example.com:80/",
    "https://example.com:8443/",
    "https://example.com:22/",
    "https://example.com:25/",
    "https://example.com:0/",
    "https://example.com:/",
    "https://example.com:0443/",
    "https://example.com:65979/",
    "https://example.com:443a/",
    "https://example.com:+443/"
  ],
  "The host of a target is a name, not an address.": [
    "https://127.0.0.1/",
    "https://8.8.8.8/",
    "https://127.1/",
    "https://127.0.1/",
    "https://2130706433/",
    "https://0/",
    "https://017700000001/",
    "https://0177.0.0.1/",
    "https://0x7f000001/",
    "https://0x7F.0.0.0x1/",
    "https://0x/",
    "https://256.256.256.256/",
    "https://1.2.3.4.5/",
    "https://example.1/",
    "https://example.0x1f/",
    "https://[::1]/",
    "https://[::ffff:127.0.0.1]/",
    "https://[2606:4700::1111]:443/",
    "https://[fe80::1%25eth0]/",
    "https://[]/",
    "https://[::1].example.com/"
  ],
  "The host of a target is a name in the public DNS.": [
    "https://localhost/",
    "https://LOCALHOST:443/",
    "https://a.localhost/",
    "https://intranet/",
    "https://com/",
    "https://printer.local/",
    "https://service.internal/",
    "https://metadata.google.internal/",
    "https://router.home.arpa/",
    "https://1.0.0.127.in-addr.arpa/",
    "https://a.test/",
    "https://a.invalid/",
    "https://a.example/",
    "https://abcdef.onion/",
    "https://a.alt/",
    "https://a.lan/",
    "https://a.corp/",
    "https://a.home/",
    "https://a.mail/",
    "https://a.localdomain/",
    "https://a.c0m/",
    "https://a.b/"
  ],
  "The host of a target is a DNS name, written without percent signs and without a dot at its end.": [
    "https://",
    "https:///",
    "https:///example.com/",
    "https://example.com./",
    "https://localhost./",
    "https://127.0.0.1./",
    "https://.example.com/",
    "https://example..com/",
    "https://ex%61mple.com/",
    "https://127.0.0.1%2eexample.com/",
    "https://example.com%00.example.org/",
    "https://exa_mple.com/",
    "https://-a.example.com/",
    "https://a-.example.com/",
    "https://*.example.com/",
    "https://a,b.example.com/",
    "https://example.com;a/",
    "https://example.com:443:443/",
    "https://xn--.example.com/",
    `https://${"a".repeat(64)}.example.com/`,
    `https://${"a.".repeat(126)}com/`
  ],
  "A target has visible ASCII characters only, and no backslash: write a name of other letters in its xn-- form.": [
    " https://example.com/",
    "https://example.com/ ",
    "https://exam ple.com/",
    "https://example.com/a b",
    "https://exa\tmple.com/",
    "https://example.com/\r\nx-injected: a",
    "https://example.com\n",
    "\u0000https://example.com/",
    "https://example.com/\u007f",
    "https:\\\\example.com\\",
    "https://example.com\\@127.0.0.1/",
    "https://bücher.example.com/",
    "https://ex\u0430mple.com/",
    "https://exam\u00adple.com/",
    "https://exam\u200bple.com/",
    "https://example\u3002com/",
    "https://\u2460\u2461\u2466.0.0.1/",
    "https://ｅｘａｍｐｌｅ.com/",
    "https://example.com/ü",
    "https://example.com/\ud800"
  ],
  "A target must not be this service itself.": [
    "https://countersign.example.org/",
    "https://COUNTERSIGN.example.org:443/a",
    "https://other.example.net/"
  ],
  [`A target has at most ${limits.targetCharacters} characters.`]: [
    long(limits.targetCharacters + 1),
    // Short as written, but too long when normalized.
    `https://example.com/${'"'.repeat(limits.targetCharacters / 2)}`,
    "a".repeat(100_000)
  ]
}

describe("a refused target", () => {
  it.each(Object.entries(refused))("A target is refused with: %s", (sentence, texts) => {
    for (const text of texts) assert.strictEqual(read(text), sentence, JSON.stringify(text.slice(0, 100)))
  })
})

describe("any target", () => {
  it("A target has at most the maximum length, also after normalization.", () => {
    assert.strictEqual(read(long(limits.targetCharacters)), long(limits.targetCharacters))
    const labels = [63, 63, 63, 57].map((length) => "a".repeat(length))
    const longest = `${labels.join(".")}.com`
    assert.strictEqual(longest.length, 253)
    assert.strictEqual(read(`https://${longest}`), `https://${longest}/`)
    assert.match(read(`https://a${longest}`), /^The host of a target is a DNS name/)
  })

  const piece = fc.constantFrom(
    ..."https: // / \\ @ : 443 # ? . %2e %40 [ ] 0x7f 127.0.0.1 ::1 example com localhost internal xn-- a - _ 8".split(
      " "
    ),
    ..."\t|\n| |ü|\u00ad".split("|")
  )

  it("Every accepted target is a public name on port 443 in canonical form, for every parser.", () => {
    const text = fc.oneof(
      fc.array(piece, { maxLength: 12 }).map((pieces) => pieces.join("")),
      fc.array(piece, { maxLength: 8 }).map((pieces) => `https://example.com${pieces.join("")}`),
      fc.array(piece, { maxLength: 8 }).map((pieces) => `https://${pieces.join("")}example.com/`)
    )
    let accepted = 0
    fc.assert(
      fc.property(text, (text) => {
        const read = readTarget(text, own)
        if (Result.isFailure(read)) return
        accepted += 1
        const { protocol, hostname, port, username, password, hash, href } = new URL(read.success)
        assert.deepStrictEqual([protocol, port, username, password, hash], ["https:", "", "", "", ""])
        assert.match(hostname, /^([a-z0-9-]+\.)+[a-z][a-z0-9-]*$/)
        assert.notMatch(hostname, /\.(localhost|internal)$/)
        assert.isTrue(text.toLowerCase().startsWith(`https://${hostname}`), text)
        assert.strictEqual(href, read.success)
        assert.deepStrictEqual(readTarget(href, own), read)
      }),
      { numRuns: 3_000 }
    )
    assert.isAbove(accepted, 100)
  })
})
