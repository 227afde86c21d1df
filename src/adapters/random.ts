/** Secure random bytes of the system, drawn for many values at once: a draw for each id costs more than the id. */
import { randomFillSync } from "node:crypto"
import { Layer } from "effect"
import { SecureRandom } from "effect/crypto"

const poolBytes = 4_096
/** Larger draws are made by themselves. */
const pooledBytesMax = 64

/** A pool of this instance of the layer. Bytes that it gave out are cleared in it. */
export const layer = Layer.sync(SecureRandom.SecureRandom, () => {
  const pool = new Uint8Array(poolBytes)
  let used = poolBytes
  return SecureRandom.make((size) => {
    if (size > pooledBytesMax) return randomFillSync(new Uint8Array(size))
    if (used + size > poolBytes) {
      randomFillSync(pool)
      used = 0
    }
    const bytes = pool.slice(used, used + size)
    pool.fill(0, used, used + size)
    used += size
    return bytes
  })
})
