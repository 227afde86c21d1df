/** The signed result of an examination: it reads back, and with any change it is refused. */
import { generateKeyPairSync } from "node:crypto"
import { Result } from "effect"
import { assert, describe, it } from "vitest"
import { publicJwk, signCompact } from "../../src/adapters/ed25519.ts"
import { canonicalText } from "../../src/canonical/jcs.ts"
import { fromMilliseconds } from "../../src/vocabulary/instant.ts"
import {
  examResultFormat,
  examResultOf,
  readExamResult,
  signExamResult
} from "../../simulator/examination/exam-result.ts"
import type { ExamVerdict } from "../../simulator/examination/judge.ts"
import { readLessons } from "../../simulator/examination/lesson.ts"
import { readPersonas } from "../../simulator/examination/persona.ts"
import { lessonOfTrial } from "../../simulator/examination/trial.ts"
import { withPersona } from "../../simulator/examination/with-persona.ts"

const [lesson, other] = Result.getOrThrow(readLessons(["scenarios/lessons"]))
const second = Result.getOrThrow(lessonOfTrial(lesson!, { number: 2, seed: 1 }))
const judged = (verdict: ExamVerdict, of = lesson!) => ({ lesson: of, verdict })

const { privateKey } = generateKeyPairSync("ed25519")
const key = { kid: "examiner", privateKey }
const jwk = publicJwk(privateKey)

const result = examResultOf(
  {
    issuedAt: fromMilliseconds(Date.UTC(2026, 2, 2)),
    agent: { name: "courier", files: [{ name: "agent.py", sha256: "0".repeat(64) }] },
    time: "COOPERATIVE",
    trials: 2,
    profile: "lossy",
    seed: 1
  },
  [judged("PASS"), judged("FAIL", second), judged("PASS", other)]
)
const signed = signExamResult(result, key)

const refusalOf = (compact: string, by: object = jwk): string =>
  Result.match(readExamResult(compact, by), { onFailure: (reason) => reason, onSuccess: () => "" })

describe("a signed result", () => {
  it("A signed result reads back, with the verdicts of each lesson in the order of its trials.", () => {
    const read = Result.getOrThrow(readExamResult(signed, jwk))
    assert.deepStrictEqual(read, result)
    assert.deepInclude(read, { profile: "lossy", seed: 1 })
    assert.deepStrictEqual(
      read.lessons.map(({ lesson, verdicts }) => [lesson, verdicts]),
      [
        [lesson!.name, ["PASS", "FAIL"]],
        [other!.name, ["PASS"]]
      ]
    )
  })

  it("Two lessons have different digests, and a lesson always the same.", () => {
    const [one, two] = result.lessons
    assert.notStrictEqual(one!.sha256, two!.sha256)
    const [again] = Result.getOrThrow(readLessons([lesson!.folder]))
    assert.strictEqual(examResultOf(result, [judged("PASS", again)]).lessons[0]!.sha256, one!.sha256)
  })

  it("A lesson with a persona is stated beside the lesson, with the name of the persona and another digest.", () => {
    const personas = Result.getOrThrow(readPersonas(["slow"], "scenarios/personas"))
    const slow = Result.getOrThrow(withPersona(lesson!, personas[0]!))
    const { lessons } = examResultOf(result, [judged("PASS"), judged("FAIL", slow)])
    assert.deepStrictEqual(
      lessons.map(({ lesson, persona, verdicts }) => [lesson, persona, verdicts]),
      [
        [lesson!.name, undefined, ["PASS"]],
        [lesson!.name, "slow", ["FAIL"]]
      ]
    )
    assert.notStrictEqual(lessons[0]!.sha256, lessons[1]!.sha256)
  })

  it("With any changed byte it is refused.", () => {
    for (let place = 0; place < signed.length; place++) {
      for (const changed of ["A", "B", "~"].filter((character) => character !== signed[place])) {
        const altered = signed.slice(0, place) + changed + signed.slice(place + 1)
        assert.isNotEmpty(refusalOf(altered), `byte ${place} changed to ${changed}`)
      }
    }
  })

  it.each<[string, () => string, string]>([
    ["cut short", () => refusalOf(signed.slice(0, -1)), "it is not a signed result"],
    ["with a line feed", () => refusalOf(`${signed}\n`), "it is not a signed result"],
    [
      "with another key",
      () => refusalOf(signed, publicJwk(generateKeyPairSync("ed25519").privateKey)),
      "the signature"
    ],
    ["with a key that is none", () => refusalOf(signed, { kty: "OKP" }), "the key is not usable: KEY_FORM"],
    [
      "of another type",
      () => refusalOf(signCompact(privateKey, { kid: "k", typ: "service.result/v1" }, canonicalText(result))),
      `its type is service.result/v1, not ${examResultFormat}`
    ],
    [
      "with a further member",
      () =>
        refusalOf(signCompact(privateKey, { kid: "k", typ: examResultFormat }, canonicalText({ ...result, more: 1 }))),
      "its content is not a result"
    ],
    [
      "that is not canonical",
      () => refusalOf(signCompact(privateKey, { kid: "k", typ: examResultFormat }, JSON.stringify(result, null, 1))),
      "its content is not canonical JSON"
    ]
  ])("A result %s is refused, and the reason says why.", (_, refuse, reason) => {
    assert.include(refuse(), reason)
  })
})
