/** The states of what surrounds the service in a world, and the verdicts of its webhook receivers. */

/** A `SILENT` server never responds. */
export const mailServers = ["WORKING", "REFUSING", "SILENT"] as const
export type MailServerState = (typeof mailServers)[number]

/** A provider that is `DOWN` is unreachable; a `DENYING` one refuses every sign-in. */
export const providerStates = ["WORKING", "DOWN", "DENYING"] as const
export type ProviderState = (typeof providerStates)[number]

/** `OLDER` is a new event with a lower sequence number than one received before; it is stored only. */
export type ReceiverVerdict = "TAKEN" | "REPEATED" | "OLDER" | "STALE" | "FORGED"
