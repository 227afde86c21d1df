/** A member that is absent where its value is undefined. */
export const optionalMember = <Name extends string, Value>(
  name: Name,
  value: Value | undefined
): { readonly [N in Name]?: Value } =>
  value === undefined ? {} : ({ [name]: value } as { readonly [N in Name]?: Value })
