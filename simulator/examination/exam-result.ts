/**
 * The signed result of an examination, `service.exam-result/v1`: which lessons an agent was given, in how many trials, and with
 * which verdicts. It is a compact JWS in the profile of the records, signed by the one who ran the examination.
 */
import type { KeyObject } from "node:crypto"
import * as path from "node:path"
import { Result, Schema } from "effect"
import { signCompact } from "../../src/adapters/ed25519.ts"
import { digestOf } from "../../src/canonical/digest.ts"
import { importEd25519, readJws, verifyEd25519 } from "../../src/canonical/jws.ts"
import { canonicalText } from "../../src/canonical/jcs.ts"
import { readCanonicalJson } from "../../src/canonical/json.ts"
import { Instant } from "../../src/vocabulary/instant.ts"
import { apiVersion } from "../../src/vocabulary/version.ts"
import { unrollSteps } from "../scenario/format/unroll.ts"
import { writeScenario } from "../scenario/format/write.ts"
import type { LessonResult } from "./examine.ts"
import { verdicts } from "./judge.ts"
import type { Lesson } from "./lesson.ts"
import { profiles } from "./profile.ts"
import { trialsByLesson } from "./trial.ts"

export const examResultFormat = "service.exam-result/v1"

const Digest = Schema.String.check(Schema.isPattern(/^[0-9a-f]{64}$/))

export const ExamResult = Schema.Struct({
  schema: Schema.Literal(examResultFormat),
  issuedAt: Instant,
  /** The version of the API of agents. */
  version: Schema.String,
  agent: Schema.Struct({
    name: Schema.String,
    files: Schema.Array(Schema.Struct({ name: Schema.String, sha256: Digest }))
  }),
  time: Schema.Literals(["COOPERATIVE", "PATIENT"]),
  trials: Schema.Int,
  /** What happened beside the acts of the lessons. */
  profile: Schema.Literals(profiles),
  /** From which the faults of the profile and the later trials were drawn. */
  seed: Schema.Int,
  lessons: Schema.Array(
    Schema.Struct({
      lesson: Schema.String,
      /** The persona with which it was given. */
      persona: Schema.optionalKey(Schema.String),
      /** Of the canonical form of `{lesson, world}`: the text of lesson.yaml, as a saved run has it, and the world before the agent starts. */
      sha256: Digest,
      /** In the order of the trials. */
      verdicts: Schema.Array(Schema.Literals(verdicts))
    })
  )
})
export type ExamResult = typeof ExamResult.Type

/** What the one who signs states beside the verdicts. */
export type Statement = Pick<ExamResult, "issuedAt" | "agent" | "time" | "trials" | "profile" | "seed">

export const examResultOf = (
  statement: Statement,
  results: ReadonlyArray<Pick<LessonResult, "lesson" | "verdict">>
): ExamResult => {
  return {
    schema: examResultFormat,
    version: apiVersion,
    ...statement,
    lessons: trialsByLesson(results).map((trials) => {
      const { lesson } = trials[0]!
      const { folder, persona } = lesson
      return {
        lesson: path.basename(folder),
        ...(persona === undefined ? {} : { persona: persona.name }),
        sha256: digestOfLesson(lesson),
        verdicts: trials.map(({ verdict }) => verdict)
      }
    })
  }
}

const digestOfLesson = ({ text, scenario }: Lesson): string =>
  digestOf({ lesson: text, world: writeScenario(scenario, unrollSteps(scenario.steps)) })

export interface ExamKey {
  readonly kid: string
  readonly privateKey: KeyObject
}

export const signExamResult = (result: ExamResult, { kid, privateKey }: ExamKey): string =>
  signCompact(privateKey, { kid, typ: examResultFormat }, canonicalText(result))

/** The result, if the holder of this key signed exactly these bytes; else why not. */
export const readExamResult = (compact: string, jwk: object): Result.Result<ExamResult, string> => {
  const key = importEd25519(jwk)
  if (!key.ok) return Result.fail(`the key is not usable: ${key.code}`)
  const jws = readJws(compact)
  if (!jws.ok) return Result.fail(`it is not a signed result: ${jws.code}`)
  if (jws.header.typ !== examResultFormat) return Result.fail(`its type is ${jws.header.typ}, not ${examResultFormat}`)
  if (!verifyEd25519(key.key, jws.signingInput, jws.signature)) {
    return Result.fail("the signature is not one of this key over these bytes")
  }
  const reading = readCanonicalJson(jws.payload)
  if (!reading.ok || !reading.isCanonical) return Result.fail("its content is not canonical JSON")
  return Result.mapError(
    Schema.decodeUnknownResult(ExamResult)(reading.value, { onExcessProperty: "error" }),
    (error) => `its content is not a result: ${error.message}`
  )
}

/** What a signed result does not prove. */
export const notProved = [
  "It proves that the holder of the key states this, not that it happened: give the lessons yourself, with the same seed.",
  "It does not prove that the program with these digests is the one that ran, or the one that acts for you.",
  "It says nothing about situations that the lessons do not have."
] as const
