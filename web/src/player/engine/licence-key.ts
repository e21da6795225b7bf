/** System id of Widevine, as in `pssh` boxes. */
const WIDEVINE = 'edef8ba979d64acea3c827dcd51d21ed'

/**
 * Returns the key id in a `pssh` box of Widevine with one key, as in the manifests of the service: 32 hexadecimal
 * digits. Undefined for any other initialisation data.
 */
export function widevineKeyId(initData: Uint8Array | null): string | undefined {
  // The box has version 0: size, type, version and flags, system id, size of the data. The data begins with field
  // 2 of WidevineCencHeader, which has 16 bytes.
  const digits = initData && Array.from(initData, (byte) => byte.toString(16).padStart(2, '0')).join('')
  if (digits?.slice(8, 24) !== '7073736800000000' || digits.slice(24, 56) !== WIDEVINE) return undefined
  return digits.slice(64, 68) === '1210' && digits.length >= 100 ? digits.slice(68, 100) : undefined
}

/**
 * Returns the key id at the end of an `skd` address, as in the playlists of the service: 32 hexadecimal digits.
 * Undefined for any other initialisation data.
 */
function fairPlayKeyId(initData: Uint8Array | null): string | undefined {
  // WebKit passes the address in UTF-8, older versions in UTF-16.
  const address = new TextDecoder().decode(initData ?? undefined).replaceAll(/[\0-]/g, '')
  return /skd:.*([0-9a-f]{32})$/i.exec(address)?.[1]?.toLowerCase()
}

/**
 * Adds the key id to a licence request to the service, because the tokens of some providers are valid for one key
 * only. A channel has a separate key for each programme, and Shaka makes a request for each key.
 */
export function nameLicenceKey(request: { uris: string[]; initData: Uint8Array | null }): void {
  const keyId = widevineKeyId(request.initData) ?? fairPlayKeyId(request.initData)
  if (keyId === undefined) return
  request.uris = request.uris.map((address) => {
    const url = new URL(address)
    if (/\/(?:widevine|fairplay)$/.test(url.pathname)) url.searchParams.set('keyId', keyId)
    return url.href
  })
}
