/** HMAC-SHA-256 over UTF-8 text, and a comparison in constant time. */
import { createHmac, hash, timingSafeEqual } from "node:crypto"

/** 64 lower-case hexadecimal digits. */
export const hmacSha256Hex = (key: string, text: string): string => createHmac("sha256", key).update(text).digest("hex")

/** Compares digests of the texts, so that their lengths are not revealed either. */
export const isEqualText = (one: string, other: string): boolean =>
  timingSafeEqual(hash("sha256", one, "buffer"), hash("sha256", other, "buffer"))
