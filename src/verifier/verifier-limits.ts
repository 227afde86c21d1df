/** The limits of the verifier. */
export const verifierLimits = {
  /** Twice the size of a project of 1 MiB, encoded in base64url twice, with its submission and review repeated. */
  artifactBytesMax: 8_388_608,
  trustBytesMax: 262_144,
  authorityBytesMax: 262_144,
  /** A status of one result. */
  statusBytesMax: 65_536,
  /** The canonical form of a passport, and a file with the statuses of its publications. */
  portableBytesMax: 2_097_152,
  passportEntriesMax: 20,
  /** The entries of a Commerce Record. */
  journalEntriesMax: 1_000,
  reversalsMax: 200,
  /** The entities of one component in a Commerce status. */
  componentEntitiesMax: 200,
  /** The price of a result, in the currency's minor unit. */
  amountMinorMax: 99_999_999,
  /** The most events of a project; this bounds the manifest and the report as well. */
  eventsMax: 100,
  /** The most events, and so links and salts, of one grant's chain. */
  authorityEventsMax: 200,
  /** Members and elements of a file or a payload. */
  valuesMax: 100_000,
  /** The longest run of spaces, invisible characters or combining marks that the text report prints; more are counted. */
  runMarksMax: 8,
  statusWindowMs: 300_000,
  /** How long a component of a payment counts as fresh after its last read. */
  commerceWindowMs: 3_600_000,
  /** The largest difference between the clocks of one issuer's machines. */
  clocksMs: 5_000
} as const
