/** Calls of this page that have no answer yet. */
export const underWay = new Set<Promise<unknown>>()

/** Defined while the session is being ended. Resolves if the session continues after all. */
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

/**
 * Timer that releases the held calls if the other tab does not end the session. Undefined while this page ends it.
 */
let patience: ReturnType<typeof setTimeout> | undefined

/** Holds further calls of this page, because this page ends its session. */
export function holdCalls(): void {
  clearTimeout(patience)
  patience = undefined
  ending ??= Promise.withResolvers()
}

/**
 * Holds further calls of this page for some time, in milliseconds, because another tab ends the session. The tab
 * that ends the session receives its own message, so the function does nothing there.
 */
export function holdCallsFor(milliseconds: number): void {
  if (ending !== undefined && patience === undefined) return
  clearTimeout(patience)
  patience = setTimeout(releaseCalls, milliseconds)
  ending ??= Promise.withResolvers()
}

/** Sends the held calls, because the session continues. */
export function releaseCalls(): void {
  clearTimeout(patience)
  patience = undefined
  ending?.resolve()
  ending = undefined
}
