/** The operation of the agent API that a request calls. */
import { apiOperations } from "./agent-api.ts"

/** Undefined for a request that calls none. `path` may have a query. */
export const operationOfRequest = (method: string, path: string): string | undefined => {
  const [address = ""] = path.split("?", 1)
  return matchers.find((one) => one.method === method && one.form.test(address))?.name
}

const matchers = Object.entries(apiOperations).map(([name, { method, path }]) => ({
  name,
  method,
  form: new RegExp(
    `^${path
      .split(/\{\w+\}/)
      .map(escape)
      .join("[^/]+")}$`
  )
}))

function escape(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&")
}
