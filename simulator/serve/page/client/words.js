// @ts-check
/** A one-line summary of a trace line; the timeline has the whole line. */

/**
 * @param {any} line
 * @returns {string}
 */
export const wordsOf = (line) => {
  switch (line.kind) {
    case "step":
      return joined("step", line.step, line.operation)
    case "request":
      return joined(line.method, line.path, line.lost && "(the request is lost)")
    case "response":
      return joined(line.status, line.body?.error ?? line.body?.project?.state, line.lost && "(the answer is lost)")
    case "answer":
      return joined("answer", line.refused ?? "done")
    case "act":
      return joined(line.operation, line.on)
    case "commit":
      return joined("commit", ...line.writes.map((/** @type {any} */ write) => `${write.change} ${write.table}`))
    case "callback":
      return joined("webhook", line.body?.type, "to", line.receiver)
    case "time":
      return joined("time is", line.to)
    case "expectation":
      return line.differences.length === 0 ? "as expected" : "not as expected"
    case "given":
      return joined("given", line.name, line.is)
    default:
      return joined(line.kind, ...Object.entries(line).flatMap(([name, value]) => (plain(name, value) ? [value] : [])))
  }
}

/**
 * @param {string} name
 * @param {any} value
 */
const plain = (name, value) =>
  !["kind", "at", "actor"].includes(name) && ["string", "number", "boolean"].includes(typeof value)

/** @param {ReadonlyArray<any>} words */
const joined = (...words) =>
  words
    .filter((word) => word !== undefined && word !== null && word !== false)
    .map(String)
    .join(" ")

/** @param {any} line */
export const isRefusal = (line) =>
  (line.kind === "response" && line.status >= 400) || (line.kind === "answer" && line.refused !== undefined)
