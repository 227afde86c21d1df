/** The certificate and key of TLS_CERT_FILE and TLS_KEY_FILE. */
import { createPrivateKey, X509Certificate } from "node:crypto"
import * as fs from "node:fs"
import { createSecureContext } from "node:tls"
import { Effect, Option, Result } from "effect"
import { fromMilliseconds, type Instant } from "../vocabulary/instant.ts"
import { type Configuration, ConfigurationError } from "./configuration.ts"
import { codeOf } from "./directories.ts"

export interface TlsPair {
  readonly cert: Buffer
  readonly key: Buffer
  readonly certificate: X509Certificate
}

export const endOfCertificate = ({ certificate }: TlsPair): Instant => fromMilliseconds(Date.parse(certificate.validTo))

/** None without the variables. Both files are checked, so that one start reports the problems of either. */
export const readTls = ({
  tlsCertFile,
  tlsKeyFile
}: Pick<Configuration["Service"], "tlsCertFile" | "tlsKeyFile">): Effect.Effect<
  Option.Option<TlsPair>,
  ConfigurationError
> =>
  Effect.suspend(() => {
    if (Option.isNone(tlsCertFile) || Option.isNone(tlsKeyFile)) return Effect.succeedNone
    const certificate = Result.flatMap(readIn("TLS_CERT_FILE", tlsCertFile.value), (pem) =>
      parsed(`TLS_CERT_FILE: ${tlsCertFile.value} holds no certificate as PEM`, () => {
        if (!pem.includes("-----BEGIN CERTIFICATE-----")) throw new TypeError("no PEM")
        return { pem, parsed: new X509Certificate(pem) }
      })
    )
    const key = Result.flatMap(readIn("TLS_KEY_FILE", tlsKeyFile.value), (pem) =>
      parsed(`TLS_KEY_FILE: ${tlsKeyFile.value} holds no private key as PEM, without a passphrase`, () => ({
        pem,
        parsed: createPrivateKey(pem)
      }))
    )
    if (Result.isFailure(certificate) || Result.isFailure(key)) {
      const problems = [...failureOf(certificate), ...failureOf(key)]
      return Effect.fail(new ConfigurationError({ problems }))
    }
    if (!certificate.success.parsed.checkPrivateKey(key.success.parsed)) {
      const message = `TLS_KEY_FILE: the key in ${tlsKeyFile.value} is not that of the certificate in ${tlsCertFile.value}`
      return Effect.fail(new ConfigurationError({ problems: [message] }))
    }
    const pair = { cert: certificate.success.pem, key: key.success.pem }
    return Effect.mapBoth(Effect.fromResult(parsed(refused, () => createSecureContext(pair))), {
      onFailure: (message) => new ConfigurationError({ problems: [message] }),
      onSuccess: () => Option.some({ ...pair, certificate: certificate.success.parsed })
    })
  })

const refused = "TLS_CERT_FILE: OpenSSL refuses the certificate, for example because its key is too short"

const failureOf = <A>(result: Result.Result<A, string>): ReadonlyArray<string> =>
  Result.isFailure(result) ? [result.failure] : []

const readIn = (variable: string, file: string): Result.Result<Buffer, string> =>
  Result.try({
    try: () => fs.readFileSync(file),
    catch: (cause) => `${variable}: ${file} cannot be read (${codeOf(cause)})`
  })

const parsed = <A>(otherwise: string, parse: () => A): Result.Result<A, string> =>
  Result.try({ try: parse, catch: () => otherwise })
