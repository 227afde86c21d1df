/** Stack traces of searched runs are not reported, and capturing one for each error and span costs about 10 %. */
export const withoutStacks = <A>(run: () => A): A => {
  const limit = Error.stackTraceLimit
  Error.stackTraceLimit = 0
  try {
    return run()
  } finally {
    Error.stackTraceLimit = limit
  }
}
