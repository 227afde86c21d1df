/** Every bound of the verifier. */
export const verifierLimits = {
  /** The export bound of 2 MiB, and room for line ends and indentation. */
  artifactBytesMax: 2_097_152 + 65_536,
  trustBytesMax: 262_144,
  authorityBytesMax: 262_144,
  statusBytesMax: 65_536,
  /** A project's history ends here; the manifest and the report stay in proportion. */
  eventsMax: 100,
  statusWindowMs: 300_000
} as const
