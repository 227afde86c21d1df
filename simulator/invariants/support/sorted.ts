/** What an invariant remembers tells worlds apart: a record that came about in another order is the same. */
export const sorted = <V>(record: { readonly [key: string]: V }): { readonly [key: string]: V } =>
  Object.fromEntries(Object.entries(record).sort(([one], [other]) => (one < other ? -1 : 1)))
