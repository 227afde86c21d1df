/** Tokens of agents: at most one of a grant is live, and none under an authority that is not its own. */
interface GrantRow {
  readonly grantId: string
  readonly generation: number
  readonly membershipId: string
  readonly organizationId: string
  readonly personId: string
}

interface CredentialRow {
  readonly membershipId: string
  readonly generation: number
}

/** `credentials` are all of the grant. */
export const credentialProblem = (
  { grantId, generation }: Pick<GrantRow, "grantId" | "generation">,
  credentials: ReadonlyArray<Pick<CredentialRow, "generation">>
): string | undefined => {
  const live = credentials.filter((credential) => credential.generation === generation)
  if (live.length > 1) return `${grantId} has ${live.length} credentials of generation ${generation}`
  const ahead = credentials.find((credential) => credential.generation > generation)
  return ahead === undefined ? undefined : `${grantId} has a credential of a future generation`
}

/** A token is live while grant and membership are: all three must name the same membership, person and organization. */
export const parentProblem = (
  grant: GrantRow,
  membership: Pick<GrantRow, "organizationId" | "personId"> | undefined,
  credentials: ReadonlyArray<CredentialRow>
): string | undefined => {
  const { grantId, membershipId, organizationId, personId } = grant
  if (membership === undefined) return `${grantId} is under no membership`
  if (membership.organizationId !== organizationId || membership.personId !== personId)
    return `${grantId} is under the membership of another person or organization`
  return credentials.every((one) => one.membershipId === membershipId)
    ? undefined
    : `${grantId} has a credential under another membership, which would not end with its own`
}
