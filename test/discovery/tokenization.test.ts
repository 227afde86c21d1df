/** Case folding and tokenization of the search. */
import { assert, describe, it } from "@effect/vitest"
import { matchesAllWords, indexKeyOf, tokenize } from "../../src/discovery/tokenization.ts"
import { fold } from "../../src/vocabulary/fold.ts"

describe("tokenization", () => {
  it.each([
    ["are runs of letters and digits", "Web-site 2 (draft)", ["web", "site", "2", "draft"]],
    ["are each there once", "Test test TEST", ["test"]],
    ["have no case", "ÄRGER ärger Ärger", ["ärger"]],
    ["write out the sharp s, also the capital one", "Straße STRASSE STRAẞE straſse", ["strasse"]],
    ["have one sigma", "ΟΔΟΣ οδος οδοσ", ["οδοσ"]],
    ["keep the dot that a capital I brought along", "İstanbul i̇stanbul", ["i̇stanbul"]],
    ["have full width folded", "ＡＢＣ１２３", ["abc123"]],
    ["have half width folded", "ｶﾞｲﾄﾞ ガイド", ["ガイド"]],
    ["take ligatures apart", "oﬃce oﬀice", ["office"]],
    ["take circled and raised digits for digits", "② m²", ["2", "m2"]],
    ["take Roman numbers for letters", "Ⅷ viii", ["viii"]],
    ["split where a fraction is written out", "½", ["1", "2"]],
    ["take composed and decomposed for one", "Café Cafe\u0301", ["café"]],
    ["take the Kelvin and Angstrom signs for letters", "\u212a k \u212b å", ["k", "å"]],
    ["keep Arabic marks", "عَرَبِيّ", ["عَرَبِيّ"]],
    ["unfold Arabic presentation forms", "ﷺ", ["صلى", "الله", "عليه", "وسلم"]],
    ["read Arabic digits as letters of a word", "٣٤", ["٣٤"]],
    ["keep Hebrew points", "שָׁלוֹם", ["שָׁלוֹם"]],
    ["keep Thai vowels and tones", "ที่นี่ น้ำ", ["ที่นี่", "น\u0e49\u0e4d\u0e32"]],
    ["keep Devanagari marks", "हिन्दी", ["हिन्दी"]],
    ["hold characters beyond the first plane", "𝔘nicode 𐐀𐐨 𠮷野", ["unicode", "𐐨𐐨", "𠮷野"]],
    ["leave out what cannot be seen", "soft\u00adhyphen می\u200cخواهم ❤\ufe0f", ["softhyphen", "میخواهم"]],
    ["are none in signs alone", "?! 😀 — \u3164 \u0000", []],
    ["are none in nothing", "", []]
  ] as const)("The words of a text %s.", (_, text, words) => {
    // Editors normalize differently.
    assert.deepStrictEqual(
      [...tokenize(text)],
      words.map((word) => word.normalize("NFKC"))
    )
  })

  it("Folding is idempotent and equal for all normalizations and cases of a character.", () => {
    for (let point = 0; point < 0x110000; point++) {
      if (point === 0xd800) point = 0xe000
      const character = String.fromCodePoint(point)
      if (/[\p{Cn}\p{Co}]/u.test(character)) continue
      const folded = fold(character)
      const spellings = [
        folded,
        character.toUpperCase(),
        character.toLowerCase(),
        character.normalize("NFD"),
        character.normalize("NFKD")
      ]
      for (const spelling of spellings) {
        if (fold(spelling) !== folded) assert.fail(`U+${point.toString(16)} as ${spelling}`)
      }
    }
  })

  it.each([
    ["a", "alpha beta", true],
    ["alp bet", "Beta Alpha", true],
    ["pha", "alpha", false],
    ["alpha alphabet", "alphabet", true],
    ["alphabets", "alphabet", false],
    ["é", "e\u0301tude", true],
    ["e", "étude", false],
    ["STRASS", "Straße", true],
    ["ß", "ss", true]
  ])("The query %s matches the text %s: %s", (q, text, expected) => {
    assert.strictEqual(matchesAllWords(tokenize(q), text), expected)
  })

  it("An indexed word is truncated at a whole character and fits a key.", () => {
    assert.strictEqual(indexKeyOf("𠮷".repeat(400)), "𠮷".repeat(128))
    assert.isAtMost(new TextEncoder().encode(indexKeyOf("𠮷".repeat(400))).length, 512)
    assert.strictEqual(indexKeyOf("short"), "short")
  })
})
