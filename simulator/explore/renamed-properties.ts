/** Former names of built-in properties, by which saved scripts of the previous version list them under `reaches`. */
export const renamedProperties: { readonly [former: string]: string } = {}

export const currentPropertyName = (name: string): string => renamedProperties[name] ?? name
