/** The service's video. */
const VIDEO = { contentType: 'video/mp4; codecs="avc1.640028"', encryptionScheme: 'cbcs' } as const

const known = new Map<string, Promise<boolean>>()

/**
 * Returns whether this browser decrypts and decodes Widevine in hardware. The result is cached.
 *
 * @param sessionType `persistent-license` for licences that the browser stores
 */
export async function hasHardwareSecurity(
  sessionType: 'temporary' | 'persistent-license' = 'temporary',
): Promise<boolean> {
  return await supports('com.widevine.alpha', {
    initDataTypes: ['cenc'],
    videoCapabilities: [{ ...VIDEO, robustness: 'HW_SECURE_ALL' }],
    sessionTypes: [sessionType],
    persistentState: sessionType === 'temporary' ? 'optional' : 'required',
  })
}

/** Returns whether this browser decrypts FairPlay, as those of Apple's systems do. The result is cached. */
export async function hasFairPlay(): Promise<boolean> {
  return await supports('com.apple.fps', { initDataTypes: ['sinf', 'skd'], videoCapabilities: [VIDEO] })
}

async function supports(keySystem: string, configuration: MediaKeySystemConfiguration): Promise<boolean> {
  const key = `${keySystem} ${configuration.sessionTypes?.join() ?? ''}`
  const supported = known.get(key) ?? ask(keySystem, configuration)
  known.set(key, supported)
  return await supported
}

async function ask(keySystem: string, configuration: MediaKeySystemConfiguration): Promise<boolean> {
  try {
    await navigator.requestMediaKeySystemAccess(keySystem, [configuration])
    return true
  } catch {
    // A browser rejects an unsupported configuration. On an insecure page, the function does not exist.
    return false
  }
}
