/** Returns the bytes that the browser has left for downloads; undefined if it does not say. */
export async function bytesLeft(): Promise<number | undefined> {
  try {
    const { quota, usage = 0 } = await navigator.storage.estimate()
    return quota === undefined ? undefined : Math.max(0, quota - usage)
  } catch {
    // Some browsers refuse to say it.
    return undefined
  }
}
