/** Reads SMTP_URL. The value may contain a password: no message repeats it. */

/** The form that `smtpServerFrom` reads. */
export const smtpForm = "smtps://user:password@host:port or smtp://… and nothing after it"

export interface SmtpServer {
  readonly host: string
  readonly port: number
  /** `smtps`: TLS from the first byte. */
  readonly secure: boolean
  readonly auth: { readonly user: string; readonly pass: string } | undefined
}

/** The server of `smtps://user:password@host:port`, or of `smtp://`; undefined for any other text. */
export const smtpServerFrom = (text: string): SmtpServer | undefined => {
  const url = URL.parse(text)
  if (url === null || (url.protocol !== "smtp:" && url.protocol !== "smtps:") || url.hostname === "") return undefined
  if (!["", "/"].includes(url.pathname) || url.search !== "" || url.hash !== "") return undefined
  const [user, pass] = [url.username, url.password].map(decoded)
  if (user === undefined || pass === undefined || (user === "") !== (pass === "")) return undefined
  const secure = url.protocol === "smtps:"
  return {
    host: url.hostname.replace(/^\[(.*)\]$/, "$1"),
    port: url.port === "" ? (secure ? 465 : 587) : Number(url.port),
    secure,
    auth: user === "" ? undefined : { user, pass }
  }
}

const decoded = (part: string): string | undefined => {
  try {
    return decodeURIComponent(part)
  } catch {
    return undefined
  }
}
