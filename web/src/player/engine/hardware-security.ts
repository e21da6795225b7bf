/** What a browser is asked for: the video of the service, decrypted and decoded in hardware. */
const WANTED: MediaKeySystemConfiguration = {
  initDataTypes: ['cenc'],
  videoCapabilities: [
    { contentType: 'video/mp4; codecs="avc1.640028"', robustness: 'HW_SECURE_ALL', encryptionScheme: 'cbcs' },
  ],
}

let known: Promise<boolean> | undefined

/** Returns whether this browser decrypts and decodes Widevine in hardware. Asks the browser once. */
export async function hasHardwareSecurity(): Promise<boolean> {
  known ??= ask()
  return await known
}

async function ask(): Promise<boolean> {
  try {
    await navigator.requestMediaKeySystemAccess('com.widevine.alpha', [WANTED])
    return true
  } catch {
    // The browser rejects what it does not support, and lacks the function where pages are not secure.
    return false
  }
}
