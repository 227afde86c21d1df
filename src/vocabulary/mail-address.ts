/** E-mail addresses of one recipient, in a form that can be put into a header and into an SMTP command as it is. */

/** RFC 5321, section 4.5.3.1.3: a path has 256 octets, two of them its brackets. */
const characters = 254

// Dot-atoms of RFC 5322 in ASCII: no quotes, comments, groups, blanks or line ends, so that it is one address only.
const atom = "[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+"
const label = "[A-Za-z0-9](?:[A-Za-z0-9-]*[A-Za-z0-9])?"
const address = new RegExp(`^(?=.{1,64}@)${atom}(?:\\.${atom})*@${label}(?:\\.${label})*$`)

/** The text where it is such an address; null for everything else. */
export const mailAddressFrom = (value: unknown): string | null =>
  typeof value === "string" && value.length <= characters && address.test(value) ? value : null
