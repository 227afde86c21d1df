/** The emphasis of events: refusals, faults and failed expectations. */
import { isObject, type JsonObject } from "../vocabulary/json.ts"

export type Tone = "refused" | "fault" | "failed" | "quiet"

export const toneOf = (line: JsonObject): Tone | undefined => {
  switch (line["kind"]) {
    case "fault":
    case "unconnected":
    case "stalled":
    case "hangup":
      return "fault"
    case "request":
      return line["lost"] === true ? "fault" : undefined
    case "response":
      return line["lost"] === true ? "fault" : isRefusal(line["status"]) ? "refused" : undefined
    case "answer":
      return typeof line["refused"] === "string" ? "refused" : undefined
    case "reply":
      return isSuccess(line["answer"]) ? undefined : "fault"
    case "lookup":
      return typeof line["refused"] === "string" || !Array.isArray(line["answers"]) ? "fault" : "quiet"
    case "payments":
      return line["fault"] === undefined ? "quiet" : "fault"
    case "letter":
      return line["server"] === "WORKING" ? undefined : "fault"
    case "worker":
    case "process":
      return line["did"] === "CRASHED" ? "fault" : undefined
    case "expectation":
      return Array.isArray(line["differences"]) && line["differences"].length > 0 ? "failed" : "quiet"
    case "verdict":
      return line["verdict"] === "PASSED" ? undefined : "failed"
    case "connection":
    case "given":
      return "quiet"
    default:
      return undefined
  }
}

const isRefusal = (status: unknown): boolean => typeof status === "number" && status >= 400

const isSuccess = (answer: unknown): boolean => typeof answer === "number" && answer >= 200 && answer < 300

/** The code of a refusal, if the answer is one. */
export const refusalCode = ({ body }: JsonObject): string | undefined => {
  const code = isObject(body) ? body["error"] : undefined
  return typeof code === "string" ? code : undefined
}
