import type { ConfigurationState } from '@ondine/web/api/page-context'
import { ROUTES } from '@ondine/web/routes'
import { digest, inlineHashes } from './inline-hashes.ts'

/**
 * Returns the security headers of a page.
 * - Scripts and styles must come from this origin, or be inline with a digest in the policy.
 * - Style attributes are allowed, because elements at measured positions need them, and a style attribute cannot
 *   load or run anything.
 * - No site may frame the page, and the page may frame `frames` only.
 * - Logos, pictures of menus and fonts may come from the operator's sites. Faults may be reported to the address that
 *   the operator configures.
 * - Google's scripts are allowed if the operator has set up Google Cast.
 * - Pages may call the local player, at its exact address only.
 * - Other sites cannot reach a page that they open. The cart knows whether the window with the provider's payment page
 *   is still open, and the page to which this window returns can close it.
 *
 * @param others origins of pages that may be shown in frames, and addresses of pictures in the menus
 * @param path path of the page
 */
export function securityHeaders(
  page: Buffer,
  state: ConfigurationState,
  { frames, menuPictures }: { frames: readonly string[]; menuPictures: readonly string[] },
  path: string,
): readonly (readonly [string, string])[] {
  const known = POLICIES.get(state) ?? policyOf(state, frames)
  POLICIES.set(state, known)
  const { scripts, styles } = inlineHashes(page)
  const policy = [
    known,
    `img-src 'self' data: blob:${originsOf([...logosOf(state), ...menuPictures])}`,
    ['script-src', "'self'", ...googleCast(state), ...scripts].join(' '),
    ['style-src', "'self'", ...styles, ...STYLES_OF_REACT_ARIA].join(' '),
  ]
  // A window keeps its opener only from one page without this header to another (HTML, 7.1.3).
  const opener = path.endsWith(ROUTES['offers-confirmation']) ? 'unsafe-none' : 'same-origin-allow-popups'
  return [
    ['content-security-policy', policy.join('; ')],
    ['cross-origin-opener-policy', opener],
    ...OTHER_SECURITY,
  ]
}

function logosOf({ configuration: { brand } }: ConfigurationState): readonly string[] {
  return [...Object.values(brand.logos), brand.icon]
}

/** Origin of the scripts of Google Cast, if it is set up (docs/decisions/0090). */
function googleCast({ configuration: { player, settings } }: ConfigurationState): readonly string[] {
  return player.isCastEnabled && settings.receiver !== '' ? ['https://www.gstatic.com'] : []
}

/** Address at which the page of a Google Cast receiver reaches its device. */
function receiverOf(state: ConfigurationState): string {
  return googleCast(state).length === 0 ? '' : ' ws://localhost:8008'
}

/** Address of the local player, the program that downloads on a viewer's computer (A4.9-04). */
function helperOf({ configuration: { downloads } }: ConfigurationState): string {
  return downloads.downloadWebEnabled && downloads.helperUrl !== '' ? ` ${downloads.helperUrl}` : ''
}

/**
 * Styles that React Aria inserts at run time: for elements that can be pressed, and on iOS while a modal is open.
 * React Aria would use a nonce. The policy allows the styles by their digests instead, because their texts never
 * change. The browser tests fail when a new version of React Aria changes a text.
 */
const STYLES_OF_REACT_ARIA = [
  `@layer {
  [data-react-aria-pressable] {
    touch-action: pan-x pan-y pinch-zoom;
  }
}`,
  `@layer {
  * {
    overscroll-behavior: contain;
  }
}`,
].map(digest)

/** Cache of the part of the policy that is the same for all pages, by configuration. */
const POLICIES = new WeakMap<ConfigurationState, string>()

const OTHER_SECURITY = Object.entries({
  'referrer-policy': 'strict-origin-when-cross-origin',
  'x-frame-options': 'DENY',
  'permissions-policy': 'camera=(), microphone=(), geolocation=()',
})

function policyOf(state: ConfigurationState, frames: readonly string[]): string {
  const { configuration } = state
  const { style, settings, offers } = configuration
  const framed = offers.subscription === 'cleeng-type' ? frames : []
  const policy = {
    'default-src': "'self'",
    'style-src-attr': "'unsafe-inline'",
    'font-src': `'self'${originsOf([style.textFontFile, style.displayFontFile])}`,
    'connect-src': `'self'${originsOf([settings.errorReporting])}${receiverOf(state)}${helperOf(state)}`,
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
}

/** Returns the origins of addresses, as a source list for the policy. */
function originsOf(addresses: string[]): string {
  const origins = addresses.filter((each) => /^https?:/.test(each)).map((each) => new URL(each).origin)
  return [...new Set(origins)].map((origin) => ` ${origin}`).join('')
}
