/** `simulate exam check-result <file> --key <public key>`: verifies the signed result of an examination, offline. */
import { exportJWK, importSPKI } from "jose"
import { Effect, Result } from "effect"
import { Argument, Command, Flag } from "effect/cli"
import { type ExamResult, notProved, readExamResult } from "../examination/exam-result.ts"
import { readText } from "../scenario/files.ts"
import { endWith, FAILED, print, UNUSABLE } from "./exit.ts"

const flags = {
  file: Argument.String("file").pipe(Argument.withDescription("A result that `simulate exam --result` wrote")),
  key: Flag.String("key").pipe(
    Flag.withDescription(
      "The public key of the one who ran the examination, in PEM, such as `openssl pkey -pubout` prints; take it from " +
        "them, not from where the result is"
    ),
    Flag.withMetavar("file")
  )
}

export const examCheckResult = Command.make(
  "check-result",
  flags,
  Effect.fn(function* ({ file, key }) {
    const [signed, pem] = [readText(file), readText(key)]
    if (Result.isFailure(signed)) return yield* endWith(UNUSABLE, signed.failure)
    if (Result.isFailure(pem)) return yield* endWith(UNUSABLE, pem.failure)
    const jwk = yield* publicKeyIn(key, pem.success)
    if (Result.isFailure(jwk)) return yield* endWith(UNUSABLE, jwk.failure)
    const result = readExamResult(signed.success.replace(/\n$/, ""), jwk.success)
    if (Result.isFailure(result)) return yield* endWith(FAILED, `${file} is refused: ${result.failure}`)
    yield* print(linesOf(result.success).join("\n"))
  })
).pipe(
  Command.withDescription(
    "Verify the signed result of an examination, offline, and say what it does not prove. Exit codes: 0 if the holder of the " +
      "key signed exactly this result, 1 if not, 2 if a file cannot be used."
  ),
  Command.withShortDescription("Verify a signed result"),
  Command.withExamples([
    { command: "simulate exam check-result result.jws --key examiner.pub", description: "With the examiner's key" }
  ])
)

const publicKeyIn = (file: string, pem: string): Effect.Effect<Result.Result<object, string>> =>
  Effect.result(
    Effect.tryPromise({
      try: async () => exportJWK(await importSPKI(pem, "EdDSA", { extractable: true })),
      catch: () => `${file} is not an Ed25519 public key in PEM`
    })
  )

const linesOf = ({
  issuedAt,
  agent,
  version,
  time,
  trials,
  profile,
  seed,
  lessons
}: ExamResult): ReadonlyArray<string> => {
  const passed = lessons.filter(({ verdicts }) => verdicts.every((verdict) => verdict === "PASS"))
  const others = lessons.filter((lesson) => !passed.includes(lesson))
  return [
    `signed on ${issuedAt} with this key`,
    `agent: ${agent.name}`,
    ...agent.files.map(({ name, sha256 }) => `  ${name} sha256 ${sha256}`),
    `${passed.length} of ${lessons.length} lessons passed, ${trials} ${trials === 1 ? "trial" : "trials"} each, profile ${profile}, seed ${seed}, ${time.toLowerCase()} time, API ${version}`,
    ...others.map(
      ({ lesson, persona, verdicts }) =>
        `  ${lesson}${persona === undefined ? "" : ` with ${persona}`}: ${verdicts.join(", ")}`
    ),
    "",
    ...notProved
  ]
}
