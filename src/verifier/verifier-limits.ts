/** Every bound of the verifier. */
export const verifierLimits = {
  /** A project of 1 MiB, in base64url twice over, with its accepted submission and review a second time, fits in half. */
  artifactBytesMax: 8_388_608,
  trustBytesMax: 262_144,
  authorityBytesMax: 262_144,
  statusBytesMax: 65_536,
  /** A project's history ends here; the manifest and the report stay in proportion. */
  eventsMax: 100,
  /** The events of one grant's chain, and so its links and salts. */
  authorityEventsMax: 200,
  /** Members and elements of a file or a payload. */
  valuesMax: 100_000,
  /** Spaces, invisible characters or combining marks in a row that the report for a person prints; more are counted. */
  runMarksMax: 8,
  statusWindowMs: 300_000,
  /** How far the clocks of one issuer's machines may be apart. */
  clocksMs: 5_000
} as const
