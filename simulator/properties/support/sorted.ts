/** The state of a property is part of the state hash: sorting makes it independent of insertion order. */
export const sorted = <V>(record: { readonly [key: string]: V }): { readonly [key: string]: V } =>
  Object.fromEntries(Object.entries(record).sort(([one], [other]) => (one < other ? -1 : 1)))
