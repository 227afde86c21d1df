/**
 * The plain peer: a server of `submit` and `review` on `node:http` and `pg`, on the database and with the keys of an
 * installation of the service. It keeps what the service promises for these two commands and nothing else: no webhooks,
 * no issuance, no e-mail, no limits of load, and no search for the outcome of a lost COMMIT, which it answers with 503.
 */
import { createPrivateKey, hash } from "node:crypto"
import { once } from "node:events"
import * as fs from "node:fs"
import * as http from "node:http"
import { Ajv2020 } from "ajv/dist/2020.js"
import canonicalize from "canonicalize"
import { Schema } from "effect"
import type pg from "pg"
import { readJson } from "../../../src/canonical/json.ts"
import { projectCommands } from "../../../src/projects/command-wire.ts"
import type { Instant } from "../../../src/vocabulary/instant.ts"
import { limits } from "../../../src/vocabulary/limits.ts"
import { errorBody, Refusal, refusal, statusOf } from "../../../src/vocabulary/refusals.ts"
import { isToken, tokenHash } from "../../../src/vocabulary/token.ts"
import {
  authorityColumns,
  authorityFrom,
  isLiveFor,
  runCommand,
  type Caller,
  type PeerCommand,
  type SigningKey
} from "./commands.ts"
import { openPool, sendTogether } from "./database.ts"

/** The variables of an installation that the peer needs. */
export interface PeerEnvironment {
  readonly DATABASE_URL: string
  readonly ISSUER_KEYS_FILE: string
  readonly SITE_URL: string
}

interface Peer {
  readonly pool: pg.Pool
  readonly key: SigningKey
  readonly siteUrl: string
  /** Writes one line for each request. */
  readonly log: (line: string) => void
}

/** Listens on this port of the loopback interface; returns the function that ends it. */
export const startPeer = async (
  { DATABASE_URL, ISSUER_KEYS_FILE, SITE_URL }: PeerEnvironment,
  port: number,
  log: Peer["log"]
) => {
  const peer: Peer = { pool: openPool(DATABASE_URL, 10), key: readKey(ISSUER_KEYS_FILE), siteUrl: SITE_URL, log }
  const server = http.createServer((request, response) => void respond(peer, request, response))
  await once(server.listen(port, "127.0.0.1"), "listening")
  return async () => {
    server.closeAllConnections()
    await Promise.all([peer.pool.end(), once(server.close(), "close")])
  }
}

const readKey = (file: string): SigningKey => {
  const [{ kid, jwk }] = JSON.parse(fs.readFileSync(file, "utf8")).keys
  const { crv, kty, x } = jwk
  return {
    kid: kid ?? hash("sha256", canonicalize({ crv, kty, x })!, "base64url"),
    privateKey: createPrivateKey({ key: jwk, format: "jwk" })
  }
}

const validatorOf = (schema: Schema.Top) => {
  const { schema: root, definitions } = Schema.toJsonSchemaDocument(schema, { onExcessProperty: "error" })
  return new Ajv2020({ strict: false }).compile({ ...root, $defs: definitions })
}
const { submit, review } = projectCommands
const validators = { submit: validatorOf(submit.agent.payload), review: validatorOf(review.agent.payload) }

const route = /^\/api\/agents\/v1\/projects\/(delivery_[a-f0-9-]{36})\/(submit|review)$/

const answer = async ({ pool, key, siteUrl }: Peer, request: http.IncomingMessage): Promise<string> => {
  const [, projectId, operation] = route.exec(request.url ?? "") ?? []
  if (request.method !== "POST" || projectId === undefined) throw refusal("NOT_FOUND")
  const caller = await authenticate(pool, request.headers.authorization ?? "")
  const body = await readBody(request, operation as keyof typeof validators)
  const { expectedEventHash, automationRevision, input } = body
  const command: PeerCommand = {
    caller,
    projectId,
    requestId: input.requestId,
    fingerprint: hash("sha256", canonicalize([operation, [projectId], body])!, "hex"),
    expectedEventHash,
    automationRevision,
    command: { kind: operation === "submit" ? "SUBMIT" : "REVIEW", input }
  }
  const connection = await pool.connect()
  try {
    return await runCommand(connection, command, key, siteUrl)
  } catch (error) {
    await connection.query("rollback")
    throw error
  } finally {
    connection.release()
  }
}

/** The live credential of a token; its use is recorded at most once a minute. */
const authenticate = async (pool: pg.Pool, authorization: string): Promise<Caller> => {
  const token = authorization.replace(/^Bearer /i, "")
  if (!isToken("agent", token)) throw refusal("AUTH_INVALID")
  const values = [tokenHash(token)]
  const text = `select ${authorityColumns}, c.generation as "credentialGeneration", c.last_used_at as "lastUsedAt"
    from credentials c join grants g using (grant_id) join memberships m on m.membership_id = g.membership_id
    where c.token_hash = $1`
  const [found] = await sendTogether(pool, [{ name: "authenticate", text, values }])
  const [row] = found!.rows
  const now = new Date()
  const caller = row && { ...row, generation: row.credentialGeneration }
  if (!row || !isLiveFor(authorityFrom(row), caller, now.toISOString() as Instant)) throw refusal("AUTH_INVALID")
  if (row.lastUsedAt === null || now.getTime() - Date.parse(row.lastUsedAt) > limits.lastUseResolution) {
    const use =
      "update credentials set first_used_at = coalesce(first_used_at, $2), last_used_at = $2 where token_hash = $1"
    await sendTogether(pool, [{ name: "record-use", text: use, values: [...values, now] }])
  }
  return { grantId: row.grantId, membershipId: row.membershipId, generation: row.credentialGeneration }
}

/** Strict JSON that satisfies the published schema and names the head twice alike. */
const readBody = async (request: http.IncomingMessage, operation: keyof typeof validators): Promise<any> => {
  const chunks: Array<Buffer> = []
  let bytes = 0
  for await (const chunk of request as AsyncIterable<Buffer>) {
    bytes += chunk.length
    if (bytes > limits.bodyBytes) throw refusal("REQUEST_TOO_LARGE")
    chunks.push(chunk)
  }
  const read = readJson(Buffer.concat(chunks), {
    depthMax: limits.jsonDepth,
    refusesNul: true,
    valuesMax: limits.jsonValues
  })
  const body: any = read.ok ? read.value : undefined
  const isSameHead = operation === "submit" || body?.expectedEventHash === body?.input?.expectedEventHash
  if (!read.ok || !validators[operation](body) || !isSameHead) throw refusal("INVALID_REQUEST")
  return body
}

const respond = async (peer: Peer, request: http.IncomingMessage, response: http.ServerResponse): Promise<void> => {
  const started = Date.now()
  const requestId = crypto.randomUUID()
  const outcome = await answer(peer, request).then(
    (text) => ({ status: 200, text }),
    (error: unknown) => {
      const refused = error instanceof Refusal ? error : refusal("TEMPORARILY_UNAVAILABLE")
      if (!(error instanceof Refusal)) console.error(error)
      return { status: statusOf(refused), text: JSON.stringify(errorBody(refused)) }
    }
  )
  response.writeHead(outcome.status, {
    "content-type": "application/json",
    "content-length": Buffer.byteLength(outcome.text),
    "service-request-id": requestId,
    "cache-control": "no-store"
  })
  response.end(outcome.text)
  const { method, url } = request
  peer.log(JSON.stringify({ requestId, method, url, status: outcome.status, milliseconds: Date.now() - started }))
}
