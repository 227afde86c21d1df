/** The committed traces beside scripts, as what scenarios touched. */
import { Result } from "effect"
import { goldenFiles, readText, type Script } from "../files.ts"
import { isObject, type JsonObject } from "../script/json.ts"
import { readTrace } from "../trace.ts"

/** Failures are sentences. What a run touched before it went wrong says nothing, nor does a script that none could run. */
export const committedLines = ({ file, scenario }: Script): Result.Result<ReadonlyArray<JsonObject>, string> => {
  if (Result.isFailure(scenario)) return Result.fail(scenario.failure)
  const { trace } = goldenFiles(file)
  return Result.flatMap(readText(trace), (text) => {
    const bad = text.split("\n").findIndex((line) => line !== "" && !isLine(line))
    if (bad >= 0) return Result.fail(`${trace}:${bad + 1}: this is no line of a trace`)
    const lines = readTrace(text)
    const last = lines.at(-1)
    return last?.["kind"] === "verdict" && last["verdict"] === "PASSED"
      ? Result.succeed(lines)
      : Result.fail(`${trace} is not the trace of a run that passed`)
  })
}

const isLine = (line: string): boolean => {
  try {
    return isObject(JSON.parse(line))
  } catch {
    return false
  }
}
