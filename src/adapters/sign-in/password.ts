/** Passwords as scrypt hashes: parameters, salt and hash, so that stronger parameters can follow. */
import { randomBytes, scrypt, timingSafeEqual } from "node:crypto"
import { Effect, Schema } from "effect"

const whole = (least: number, most: number) =>
  Schema.Finite.check(Schema.isInt(), Schema.isBetween({ minimum: least, maximum: most }))

/** `cost`, `blockSize` and `parallel` are N, r and p of RFC 7914; salt and hash are base64url. */
export const StoredPassword = Schema.Struct({
  scrypt: Schema.Struct({ cost: whole(2, 2 ** 20), blockSize: whole(1, 32), parallel: whole(1, 16) }),
  salt: Schema.String,
  hash: Schema.String
})
export type StoredPassword = typeof StoredPassword.Type

export const storedPassword = (password: string): Effect.Effect<StoredPassword> => {
  const salt = randomBytes(16)
  return Effect.map(scryptHash(password, salt, current), (bytes) => ({
    scrypt: current,
    salt: salt.toString("base64url"),
    hash: bytes.toString("base64url")
  }))
}

/** False, in the same time, for an unknown name. */
export const isPassword = (stored: StoredPassword | undefined, password: string): Effect.Effect<boolean> => {
  const { scrypt, salt, hash } = stored ?? dummyPassword
  const expected = Buffer.from(hash, "base64url")
  return Effect.map(
    scryptHash(password, Buffer.from(salt, "base64url"), scrypt),
    (bytes) => bytes.length === expected.length && timingSafeEqual(bytes, expected) && stored !== undefined
  )
}

const current = { cost: 2 ** 15, blockSize: 8, parallel: 3 } as const
const hashBytes = 32

/** Matches no password: the hash is random. */
const dummyPassword: StoredPassword = {
  scrypt: current,
  salt: randomBytes(16).toString("base64url"),
  hash: randomBytes(hashBytes).toString("base64url")
}

/** Normalises the password (RFC 8265), then runs scrypt off the event loop. */
const scryptHash = (password: string, salt: Buffer, { cost, blockSize, parallel }: StoredPassword["scrypt"]) =>
  Effect.callback<Buffer>((resume) => {
    const options = { N: cost, r: blockSize, p: parallel, maxmem: 256 * cost * blockSize }
    scrypt(password.normalize("NFC"), salt, hashBytes, options, (failed, bytes) =>
      resume(failed === null ? Effect.succeed(bytes) : Effect.die(failed))
    )
  })
