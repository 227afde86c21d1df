import { assert, describe, it } from "vitest"
import { mailAddressFrom } from "../../src/vocabulary/mail-address.ts"

const good = [
  "a@b",
  "anna@example.org",
  "first.last+tag@mail.example.org",
  "o'neil@xn--bcher-kva.example",
  "_@1.example"
]

const bad: ReadonlyArray<unknown> = [
  "",
  "anna",
  "@example.org",
  "anna@",
  "anna@example.org, eve@example.org",
  "anna@example.org;eve@example.org",
  "Anna <anna@example.org>",
  "<anna@example.org>",
  "anna@example.org\n",
  "anna@example.org\r\nBcc: eve@example.org",
  "anna@exa\tmple.org",
  " anna@example.org",
  '"an na"@example.org',
  "anna(comment)@example.org",
  "anna..b@example.org",
  ".anna@example.org",
  "anna@-example.org",
  "anna@example..org",
  "anna@[127.0.0.1]",
  "anna@eve@example.org",
  "änna@example.org",
  "anna@bücher.example",
  "anna\0@example.org",
  `${"a".repeat(65)}@example.org`,
  `anna@${"a".repeat(250)}`,
  7,
  null,
  undefined,
  ["anna@example.org"]
]

describe("e-mail addresses", () => {
  it.each(good)("%s is an e-mail address", (text) => assert.strictEqual(mailAddressFrom(text), text))

  it.each(bad.map((value) => [value]))("%j is not an e-mail address", (value) => assert.isNull(mailAddressFrom(value)))
})
