/** HMAC-SHA-256 over the UTF-8 bytes of texts, and a comparison that takes the same time wherever two texts differ. */
import { createHmac, hash, timingSafeEqual } from "node:crypto"

/** 64 lower-case hexadecimal digits. */
export const hmacSha256Hex = (key: string, text: string): string => createHmac("sha256", key).update(text).digest("hex")

/** Digests of the texts are compared, so that their lengths tell nothing either. */
export const isEqualText = (one: string, other: string): boolean =>
  timingSafeEqual(hash("sha256", one, "buffer"), hash("sha256", other, "buffer"))
