// @ts-check
/** The parts of a request or a response: what a view shows of it, in this order. */

/** @typedef {{ readonly [member: string]: any }} Line A line of a trace. */

/**
 * @typedef {object} MessageParts
 * @property {string} title
 * @property {string} heading The request line, the status, or the operation.
 * @property {string | undefined} note
 * @property {string | undefined} loss The sentence on a lost message.
 * @property {ReadonlyArray<MessageContent>} contents
 */

/** @typedef {{ readonly name: string, readonly value: any }} MessageContent The value is undefined if there is none. */

/**
 * Undefined if the line is no request.
 * @param {Line} line
 * @returns {MessageParts | undefined}
 */
export const requestParts = (line) => {
  const { kind, method, path, with: token, operation, on, body, input, headers, receiver, lost } = line
  const title = requestTitles.get(kind)
  if (title === undefined) return undefined
  return {
    title,
    heading: [method, path, operation, on, receiver].filter(Boolean).join(" "),
    note: token === undefined ? undefined : `with the token of ${token}`,
    loss: lost === true ? "The request is lost." : undefined,
    contents: [
      ...(headers === undefined ? [] : [{ name: "headers", value: headers }]),
      kind === "act" ? { name: "input", value: input } : { name: "body", value: body }
    ]
  }
}

/**
 * Undefined if the line is no response.
 * @param {Line} line
 * @returns {MessageParts | undefined}
 */
export const responseParts = ({ kind, status, refused, answer, body, lost, made }) => {
  const title = responseTitles.get(kind)
  if (title === undefined) return undefined
  return {
    title,
    heading: String(status ?? refused ?? answer ?? made ?? (kind === "answer" ? "done" : kind)),
    note: undefined,
    loss: lost === true ? "The response is lost." : undefined,
    contents: kind === "response" || kind === "answer" ? [{ name: "body", value: body }] : []
  }
}

const requestTitles = new Map([
  ["request", "Request"],
  ["act", "Act without a request"],
  ["callback", "Webhook"]
])

const responseTitles = new Map([
  ["response", "Response"],
  ["answer", "Response"],
  ["reply", "Response"],
  ["received", "Received"],
  ["hangup", "Response"]
])
