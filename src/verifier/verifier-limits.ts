/** Every bound of the verifier. */
export const verifierLimits = {
  /** A project of 1 MiB, in base64url twice over, with its accepted submission and review a second time, fits in half. */
  artifactBytesMax: 8_388_608,
  trustBytesMax: 262_144,
  authorityBytesMax: 262_144,
  statusBytesMax: 65_536,
  /** A project's history ends here; the manifest and the report stay in proportion. */
  eventsMax: 100,
  statusWindowMs: 300_000
} as const
