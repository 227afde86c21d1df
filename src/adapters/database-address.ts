/**
 * Reads DATABASE_URL and READ_DATABASE_URL: a URL in libpq's form, with one host or several (`postgres://user:password@a:5432,b:5432/db`).
 * Each host becomes a URL of its own for the driver; error messages never repeat the value.
 */
import { Redacted, Result } from "effect"

/** One host: a TCP address or a unix socket. */
export interface DatabaseHost {
  /** For messages: `host:port`, or the path of the socket. */
  readonly name: string
  readonly at: { readonly host: string; readonly port: number } | { readonly path: string }
  /** User, password, database and options, with this host alone. */
  readonly url: Redacted.Redacted
}

/** Whether the hosts are the candidates for a server that takes writes, or replicas to read from. */
export type DatabaseRole = "PRIMARY" | "REPLICA"

/** The hosts in the given order, or a sentence that states the problem. */
export const parseDatabaseUrl = (
  given: Redacted.Redacted,
  role: DatabaseRole = "PRIMARY"
): Result.Result<ReadonlyArray<DatabaseHost>, string> => {
  const parts = /^postgres(?:ql)?:\/\/([^/?#]*)([^?#]*)(?:\?([^#]*))?(?:#.*)?$/i.exec(Redacted.value(given))
  if (parts === null) return Result.fail(expectedForm)
  const [, authority = "", pathname = "", search] = parts
  // A password may hold an "@" or a comma that is not encoded: hosts begin after the last "@".
  const userInfo = authority.slice(0, authority.lastIndexOf("@") + 1)
  if (!isEncoded(userInfo) || !isEncoded(pathname)) return Result.fail(expectedEncoding)
  const parameters = new URLSearchParams(search)
  const wrong = wrongParameter(parameters, known[role])
  if (wrong !== undefined) return Result.fail(wrong)
  const listed = listedHosts(authority.slice(userInfo.length), parameters)
  if (Result.isFailure(listed)) return Result.fail(listed.failure)
  for (const name of ownParameters) parameters.delete(name)
  const hosts: Array<DatabaseHost> = []
  for (const { host, port } of listed.success) {
    const isSocket = host.startsWith("/")
    const inUrl = isSocket ? "localhost" : host.includes(":") ? `[${host}]` : host
    const url = `postgres://${userInfo}${inUrl}:${port}${pathname}?${parameters.toString()}`
    if (!URL.canParse(url)) return Result.fail(expectedForm)
    const at = isSocket ? { path: `${host}/.s.PGSQL.${port}` } : { host, port }
    hosts.push({ name: "path" in at ? at.path : `${inUrl}:${port}`, at, url: Redacted.make(url) })
  }
  return Result.succeed(hosts)
}

interface ListedHost {
  readonly host: string
  readonly port: number
}

/** As in libpq: `host` replaces the hosts of the authority; one `port` is for all hosts, several are one each. */
const listedHosts = (
  authority: string,
  parameters: URLSearchParams
): Result.Result<ReadonlyArray<ListedHost>, string> => {
  const inAuthority = authority.split(",").map((text) => hostWithPort.exec(text)?.groups)
  const names = parameters.get("host")?.split(",")
  const ports = parameters.get("port")?.split(",") ?? []
  const count = names?.length ?? inAuthority.length
  if (ports.length > 1 && ports.length !== count) {
    return Result.fail(`expected one port for all hosts or one for each: ${count} hosts, ${ports.length} ports`)
  }
  const hosts: Array<ListedHost> = []
  for (let index = 0; index < count; index++) {
    const written = inAuthority[index]
    if (names === undefined && written === undefined) return Result.fail(expectedForm)
    const encoded = written?.["name"] ?? ""
    if (names === undefined && !isEncoded(encoded)) return Result.fail(expectedEncoding)
    // Query parameters are decoded already.
    const name = names?.[index] ?? decodeURIComponent(encoded)
    const host = name.replace(/^\[(.*)\]$/, "$1") || "localhost"
    const port = Number((ports.length === 1 ? ports[0] : ports[index]) || written?.["port"] || 5432)
    if (!Number.isInteger(port) || port < 1 || port > portMax) {
      return Result.fail(`expected a port of 1 to ${portMax} after each host`)
    }
    hosts.push({ host, port })
  }
  return Result.succeed(hosts)
}

const hostWithPort = /^(?<name>\[[^\]]+\]|[^:]*)(?::(?<port>\d*))?$/
const portMax = 65_535

const expectedForm = "expected postgres://user:password@host:port/database, with several hosts separated by commas"
const expectedEncoding = "expected special characters of user, password, host and database to be percent-encoded"

/** Parameters that are read here and removed for the driver. */
const ownParameters = ["host", "port", "target_session_attrs"]

type KnownParameters = { readonly [parameter: string]: ReadonlyArray<string> }

const sslmode = ["disable", "allow", "prefer", "require", "verify-ca", "verify-full"]

// Every connection must take writes, or be one of a standby; another kind would be ignored.
const known: { readonly [R in DatabaseRole]: KnownParameters } = {
  PRIMARY: { sslmode, target_session_attrs: ["read-write", "primary", "any"] },
  REPLICA: { sslmode, target_session_attrs: ["read-only", "standby", "prefer-standby", "any"] }
}

const wrongParameter = (parameters: URLSearchParams, permitted: KnownParameters): string | undefined => {
  for (const [name, values] of Object.entries(permitted)) {
    const given = parameters.get(name)
    if (given !== null && !values.includes(given)) return `expected ${name} to be one of ${values.join(", ")}`
  }
  return undefined
}

const isEncoded = (text: string): boolean => {
  try {
    decodeURIComponent(text)
    return true
  } catch {
    return false
  }
}
