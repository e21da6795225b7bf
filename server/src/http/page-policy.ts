import type { ConfigurationState } from '@ondine/web/api/page-context'

/**
 * Returns the security headers of a page. Scripts and styles come only from this origin or carry the page's nonce. No site may frame the
 * page. Style attributes are allowed: they can neither load nor run anything, and elements at measured positions need them. Logos and fonts
 * may come from the operator's sites, and faults may be reported to the address that it configures. Frames may show only the page of the
 * subscription service.
 *
 * @param frames origins of pages that may be shown in frames
 */
export function securityHeaders(
  nonce: string,
  state: ConfigurationState,
  frames: readonly string[],
): readonly (readonly [string, string])[] {
  const known = POLICIES.get(state) ?? policyOf(state, frames)
  POLICIES.set(state, known)
  return [['content-security-policy', known.join(nonce)], ...OTHER_SECURITY]
}

/** Policies by configuration, split where the nonce goes. */
const POLICIES = new WeakMap<ConfigurationState, readonly string[]>()

const OTHER_SECURITY = Object.entries({
  'referrer-policy': 'strict-origin-when-cross-origin',
  'x-frame-options': 'DENY',
  'cross-origin-opener-policy': 'same-origin',
  'permissions-policy': 'camera=(), microphone=(), geolocation=()',
})

function policyOf({ configuration }: ConfigurationState, frames: readonly string[]): string[] {
  const { brand, style, settings, offers } = configuration
  const framed = offers.subscription === 'cleeng-type' ? frames : []
  const pictures = originsOf([...Object.values(brand.logos), brand.icon])
  // A placeholder of two line breaks, which no address can contain.
  const nonce = '\n\n'
  const policy = {
    'default-src': "'self'",
    'script-src': `'self' 'nonce-${nonce}'`,
    'style-src': `'self' 'nonce-${nonce}'`,
    'style-src-attr': "'unsafe-inline'",
    'img-src': `'self' data: blob:${pictures}`,
    'font-src': `'self'${originsOf([style.textFontFile, style.displayFontFile])}`,
    'connect-src': `'self'${originsOf([settings.errorReporting])}`,
    'frame-src': framed.length === 0 ? "'none'" : framed.join(' '),
    'media-src': "'self' blob:",
    'worker-src': "'self' blob:",
    'object-src': "'none'",
    'base-uri': "'none'",
    'form-action': "'self'",
    'frame-ancestors': "'none'",
  }
  return Object.entries(policy)
    .map(([directive, sources]) => `${directive} ${sources}`)
    .join('; ')
    .split(nonce)
}

/** Returns the origins of addresses, as a source list for the policy. */
function originsOf(addresses: string[]): string {
  const origins = addresses.filter((each) => /^https?:/.test(each)).map((each) => new URL(each).origin)
  return [...new Set(origins)].map((origin) => ` ${origin}`).join('')
}
