/**
 * Opens a channel between the tabs of this browser. Undefined if the browser blocks the data of sites: Firefox then
 * refuses channels. Nobody can be signed in there, so the tabs have nothing to tell one another.
 */
export function openTabChannel(name: string): BroadcastChannel | undefined {
  try {
    return new BroadcastChannel(name)
  } catch {
    return undefined
  }
}
