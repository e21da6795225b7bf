/** Calls of this page that have no answer yet. */
export const underWay = new Set<Promise<unknown>>()

/** Defined while the viewer is being signed out. Resolves if the sign-out fails and the viewer stays signed in. */
let ending: PromiseWithResolvers<void> | undefined

/**
 * Makes a call of the viewer. While the viewer is being signed out, the call waits, because the service would refuse
 * it, and the page is about to be replaced.
 */
export async function inSession<T>(call: () => Promise<T>): Promise<T> {
  await sessionGoesOn()
  const asked = call().finally(() => underWay.delete(asked))
  underWay.add(asked)
  return await asked
}

/** Waits while the viewer is being signed out. */
export async function sessionGoesOn(): Promise<void> {
  await ending?.promise
}

/**
 * Timer that releases the held calls if another tab has begun to sign out but does not finish. Undefined while this
 * page itself signs out.
 */
let patience: ReturnType<typeof setTimeout> | undefined

/** Holds further calls of this page, because this page signs the viewer out. */
export function holdCalls(): void {
  clearTimeout(patience)
  patience = undefined
  ending ??= Promise.withResolvers()
}

/**
 * Holds further calls of this page for some time, in milliseconds, because another tab signs the viewer out. A tab
 * that signs out also receives the message with which it notifies the others. In that tab, this function does
 * nothing.
 */
export function holdCallsFor(milliseconds: number): void {
  if (ending !== undefined && patience === undefined) return
  clearTimeout(patience)
  patience = setTimeout(releaseCalls, milliseconds)
  ending ??= Promise.withResolvers()
}

/** Returns whether calls of this page are held. */
export function areCallsHeld(): boolean {
  return ending !== undefined
}

/** Sends the held calls, because the viewer stays signed in. */
export function releaseCalls(): void {
  clearTimeout(patience)
  patience = undefined
  ending?.resolve()
  ending = undefined
}
