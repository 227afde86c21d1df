/** Case folding for searches. */

/**
 * NFKC with case folding, without invisible characters; idempotent. Lower case first maps the capital sharp s, which is
 * no other letter's upper case; upper case then expands ligatures, and the final sigma becomes a sigma.
 */
export const fold = (text: string): string =>
  text
    .normalize("NFKC")
    .replace(/\p{Default_Ignorable_Code_Point}/gu, "")
    .toLowerCase()
    .toUpperCase()
    .toLowerCase()
    .replaceAll("ς", "σ")
    .normalize("NFKC")
