/** Reads committed traces as the input of a coverage survey. */
import { Result } from "effect"
import { goldenFiles, readText, type Script } from "../scenario/files.ts"
import { isObject, type JsonObject } from "../vocabulary/json.ts"
import { readTrace } from "../observation/trace.ts"

/** Failures are sentences. Only traces of runs that passed count. */
export const committedLines = ({ file, scenario }: Script): Result.Result<ReadonlyArray<JsonObject>, string> => {
  if (Result.isFailure(scenario)) return Result.fail(scenario.failure)
  const { trace } = goldenFiles(file)
  return Result.flatMap(readText(trace), (text) => {
    const bad = text.split("\n").findIndex((line) => line !== "" && !isLine(line))
    if (bad >= 0) return Result.fail(`${trace}:${bad + 1}: not a line of a trace`)
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
