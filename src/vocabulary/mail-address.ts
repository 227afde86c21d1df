/** E-mail addresses in a form that is safe verbatim in a header and an SMTP command. */

/** RFC 5321, section 4.5.3.1.3: a path has 256 octets, two of them its brackets. */
const characters = 254

// Dot-atoms of RFC 5322 in ASCII: no quotes, comments, groups, blanks or line ends, so that it is a single address.
const atom = "[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+"
const label = "[A-Za-z0-9](?:[A-Za-z0-9-]*[A-Za-z0-9])?"
const address = new RegExp(`^(?=.{1,64}@)${atom}(?:\\.${atom})*@${label}(?:\\.${label})*$`)

/** The text if it is such an address, otherwise null. */
export const mailAddressFrom = (value: unknown): string | null =>
  typeof value === "string" && value.length <= characters && address.test(value) ? value : null
