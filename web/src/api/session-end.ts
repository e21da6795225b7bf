/** Calls of this page that are under way. */
export const underWay = new Set<Promise<unknown>>()

/** Set while the session is being ended. Resolves if it goes on after all. */
let ending: PromiseWithResolvers<void> | undefined

/**
 * Makes a call with the session of this page. While the session is being ended, the call waits: the service would
 * refuse it, and the page is about to be replaced.
 */
export async function inSession<T>(call: () => Promise<T>): Promise<T> {
  await sessionGoesOn()
  const asked = call().finally(() => underWay.delete(asked))
  underWay.add(asked)
  return await asked
}

/** Waits while the session is being ended. */
export async function sessionGoesOn(): Promise<void> {
  await ending?.promise
}

/** Holds further calls of this page, because its session is being ended, by this page or by another tab. */
export function holdCalls(): void {
  ending ??= Promise.withResolvers()
}

/** Makes the calls that were held, because the session goes on. */
export function releaseCalls(): void {
  ending?.resolve()
  ending = undefined
}
