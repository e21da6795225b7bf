/** The capability to test: decrypt and decode the service's video in hardware. */
const WANTED: MediaKeySystemConfiguration = {
  initDataTypes: ['cenc'],
  videoCapabilities: [
    { contentType: 'video/mp4; codecs="avc1.640028"', robustness: 'HW_SECURE_ALL', encryptionScheme: 'cbcs' },
  ],
}

let known: Promise<boolean> | undefined

/** Returns whether this browser decrypts and decodes Widevine in hardware. The result is cached. */
export async function hasHardwareSecurity(): Promise<boolean> {
  known ??= ask()
  return await known
}

async function ask(): Promise<boolean> {
  try {
    await navigator.requestMediaKeySystemAccess('com.widevine.alpha', [WANTED])
    return true
  } catch {
    // A browser rejects an unsupported configuration. On an insecure page, the function does not exist.
    return false
  }
}
