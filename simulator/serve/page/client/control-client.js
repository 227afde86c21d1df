// @ts-check
/** Client of the control API; a refusal is returned, not thrown. */

/**
 * @typedef {{ readonly isRefused: boolean, readonly status: number, readonly text: string, readonly value: any }} Answered
 */

/**
 * @param {"GET" | "POST" | "DELETE"} method
 * @param {string} path
 * @param {object} [body]
 * @returns {Promise<Answered>}
 */
export const ask = async (method, path, body) => {
  const json = body === undefined ? {} : { headers: { "content-type": "application/json" }, body: JSON.stringify(body) }
  try {
    const response = await fetch(path, { method, ...json })
    const text = await response.text()
    return { isRefused: !response.ok, status: response.status, text, value: parseJson(text) }
  } catch {
    return {
      isRefused: true,
      status: 0,
      text: "",
      value: { error: "NO_ANSWER", detail: "The simulator is not reachable." }
    }
  }
}

/** @param {string} text */
const parseJson = (text) => {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}
