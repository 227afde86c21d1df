// @ts-check
/** A one-line summary of a trace line; the timeline has the whole line. */

/**
 * @param {any} line
 * @returns {string}
 */
export const wordsOf = (line) => {
  switch (line.kind) {
    case "step":
      return joinWords("step", line.step, line.operation)
    case "request":
      return joinWords(line.method, line.path, line.lost && "(the request is lost)")
    case "response":
      return joinWords(line.status, line.body?.error ?? line.body?.project?.state, line.lost && "(the answer is lost)")
    case "answer":
      return joinWords("answer", line.refused ?? "done")
    case "act":
      return joinWords(line.operation, line.on)
    case "commit":
      return joinWords("commit", ...line.writes.map((/** @type {any} */ write) => `${write.change} ${write.table}`))
    case "callback":
      return joinWords("webhook", line.body?.type, "to", line.receiver)
    case "time":
      return joinWords("time is", line.to)
    case "expectation":
      return line.differences.length === 0 ? "as expected" : "not as expected"
    case "given":
      return joinWords("given", line.name, line.is)
    default:
      return joinWords(
        line.kind,
        ...Object.entries(line).flatMap(([name, value]) => (plain(name, value) ? [value] : []))
      )
  }
}

/**
 * @param {string} name
 * @param {any} value
 */
const plain = (name, value) =>
  !["kind", "at", "actor"].includes(name) && ["string", "number", "boolean"].includes(typeof value)

/** @param {ReadonlyArray<any>} words */
const joinWords = (...words) =>
  words
    .filter((word) => word !== undefined && word !== null && word !== false)
    .map(String)
    .join(" ")

/** @param {any} line */
export const isRefusal = (line) =>
  (line.kind === "response" && line.status >= 400) || (line.kind === "answer" && line.refused !== undefined)
