/** Returns the bytes that the browser has left for downloads; undefined if the browser does not report them. */
export async function bytesLeft(): Promise<number | undefined> {
  try {
    const { quota, usage = 0 } = await navigator.storage.estimate()
    return quota === undefined ? undefined : Math.max(0, quota - usage)
  } catch {
    // Some browsers reject the request.
    return undefined
  }
}
