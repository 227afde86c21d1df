/** The flags of a signed result of an examination, what they name, and its output. */
import * as fs from "node:fs"
import * as path from "node:path"
import { Effect, Option, Result } from "effect"
import { type Command, Flag } from "effect/cli"
import { PrivateKeyError, readPrivateKey } from "../../src/adapters/private-key.ts"
import { sha256Hex } from "../../src/canonical/digest.ts"
import { now } from "../../src/vocabulary/instant.ts"
import type { LessonResult } from "../examination/examine.ts"
import { type ExamKey, examResultOf, signExamResult, type Statement } from "../examination/exam-result.ts"
import { readText } from "../scenario/files.ts"
import { writeOrEnd } from "./exit.ts"

export const resultFlags = {
  result: Flag.String("result").pipe(
    Flag.withDescription("Write the signed result to this file, for `simulate exam check-result`; needs --sign"),
    Flag.withMetavar("file"),
    Flag.optional
  ),
  sign: Flag.String("sign").pipe(
    Flag.withDescription(
      "Your Ed25519 private key in PKCS #8 PEM, such as `openssl genpkey -algorithm ed25519` prints"
    ),
    Flag.withMetavar("file"),
    Flag.optional
  ),
  agentName: Flag.String("agent-name").pipe(
    Flag.withDescription("The name of the agent in the signed result; default: the command"),
    Flag.withMetavar("name"),
    Flag.optional
  ),
  agentFile: Flag.String("agent-file").pipe(
    Flag.withDescription("A file of the agent, whose digest the signed result has. Repeatable"),
    Flag.withMetavar("file"),
    Flag.atLeast(0)
  )
}

export interface Signing {
  readonly file: string
  readonly key: ExamKey
  readonly agentName: string
  readonly agentFiles: Statement["agent"]["files"]
}

/**
 * Reads the key and the files of the agent before the first lesson; undefined without `--result`. Without a name of its own
 * the agent is named by its `command`.
 */
export const readSigning = async (
  { result, sign, agentName, agentFile }: Command.Command.Config.Infer<typeof resultFlags>,
  command: string | undefined
): Promise<Result.Result<Signing | undefined, string>> => {
  const [file, keyFile] = [Option.getOrUndefined(result), Option.getOrUndefined(sign)]
  if (file === undefined && keyFile === undefined) return Result.succeed(undefined)
  if (file === undefined || keyFile === undefined) return Result.fail("--result and --sign need each other")
  const name = Option.getOrUndefined(agentName) ?? command
  if (name === undefined) return Result.fail("--result with --attach needs --agent-name")
  const pem = readText(keyFile)
  if (Result.isFailure(pem)) return Result.fail(`--sign: ${pem.failure}`)
  try {
    const key = await readPrivateKey({ pkcs8: pem.success })
    const agentFiles = agentFile.map((name) => ({
      name: path.basename(name),
      sha256: sha256Hex(fs.readFileSync(name))
    }))
    return Result.succeed({ file, key, agentName: name, agentFiles })
  } catch (error) {
    const words = error instanceof Error ? error.message : String(error)
    return Result.fail(error instanceof PrivateKeyError ? `--sign: ${keyFile} ${words}` : `--agent-file: ${words}`)
  }
}

export const writeSigned = Effect.fnUntraced(function* (
  { file, key, agentName, agentFiles }: Signing,
  facts: Pick<Statement, "time" | "trials" | "profile" | "seed">,
  results: ReadonlyArray<LessonResult>
) {
  const issuedAt = yield* now
  const agent = { name: agentName, files: agentFiles }
  const signed = signExamResult(examResultOf({ ...facts, issuedAt, agent }, results), key)
  yield* writeOrEnd(file, () => fs.writeFileSync(file, `${signed}\n`))
})
