import type { Configuration } from '@ondine/contract/configuration'
import { APP_ICON_PNG } from '@ondine/contract/site-icon'

/** Path of the web app manifest. */
export const APP_MANIFEST = '/manifest.webmanifest'

/** Path of the icon that {@link appIcon} returns. */
export const APP_ICON = '/app-icon.svg'

/** Size of the icon at `APP_ICON_PNG`, in pixels. */
export const APP_ICON_SIZE = 512

/** The wave of `icon.svg`, in a square of 512. */
const WAVE =
  '<path transform="translate(64 64) scale(6)" d="M10 38c11-16 21-17 31-8 5 4 9 3 13-3" fill="none" ' +
  'stroke="#8fe9d6" stroke-width="8" stroke-linecap="round"/>'

/** Distance of the picture from the edges of the icon, in pixels. Systems cut icons to their own shape. */
export const APP_ICON_MARGIN = 112

export type AppLook = Pick<Configuration, 'brand' | 'colors'>

/** Media types of icons, by file extension. */
const TYPES: Readonly<Record<string, string>> = {
  svg: 'image/svg+xml',
  png: 'image/png',
  webp: 'image/webp',
}

/** Longest name that home screens show, in characters. */
const SHORT_NAME_MAX = 12

/**
 * Returns the web app manifest of a storefront (W3C Web Application Manifest). Browsers use it to install the
 * site. The name, colours and icon come from the configuration. Browsers install sites only with a square icon, so a
 * logo is drawn on a square ground.
 */
export function appManifest({ brand, colors }: AppLook): object {
  const src = brand.icon || '/icon.svg'
  const own = { src, sizes: 'any', ...typeOf(src), purpose: 'any' }
  const svg = { src: APP_ICON, sizes: 'any', type: 'image/svg+xml' }
  const png = { src: APP_ICON_PNG, sizes: `${APP_ICON_SIZE}x${APP_ICON_SIZE}`, type: 'image/png' }
  // An SVG that is shown as a picture loads no other files.
  const isAtAddress = pictureAt(brand) !== undefined
  const onGround = isAtAddress ? png : svg
  const isDrawn = isAtAddress || appIcon({ brand, colors }) !== undefined
  // A logo has neither a ground nor a margin.
  const isLogo = brand.icon === '' && (isAtAddress || isEmbedded(brand.logos.logo))
  return {
    id: '/',
    name: brand.name,
    // Home screens shorten longer names themselves, at the end of a word.
    ...(brand.name.length <= SHORT_NAME_MAX && { short_name: brand.name }),
    start_url: '/',
    scope: '/',
    display: 'standalone',
    background_color: colors.surface0,
    theme_color: colors.surface0,
    icons: [
      isLogo ? { ...onGround, purpose: 'any' } : own,
      ...(isDrawn ? [{ ...onGround, purpose: 'maskable' }] : []),
      ...(isDrawn && !isAtAddress ? [{ ...png, purpose: 'any' }] : []),
    ],
  }
}

/**
 * Returns the icon for home screens as SVG: the icon, the logo or the wave on the site's background, within the circle
 * that systems leave when they cut icons to their own shape. Undefined if the icon is at an address, because an SVG
 * that is shown as a picture loads no other files. For the same reason, the wave replaces a logo at an address.
 */
export function appIcon({ brand, colors }: AppLook): string | undefined {
  if (brand.icon !== '' && !isEmbedded(brand.icon)) return undefined
  const picture = brand.icon || brand.logos.logo
  return iconGround({ colors }, isEmbedded(picture) ? imageOf(picture, { margin: APP_ICON_MARGIN }) : WAVE)
}

/** Returns the background of an icon as SVG, with a drawing on it. */
export function iconGround({ colors }: Pick<AppLook, 'colors'>, drawn = WAVE): string {
  return drawing(`<rect width="512" height="512" fill="${escaped(colors.surface0)}"/>${drawn}`)
}

/** Returns the address of the icon, or else of the logo. Undefined if it is embedded, or a path of the site. */
export function pictureAt({ icon, logos }: AppLook['brand']): string | undefined {
  const picture = icon || logos.logo
  return /^https?:\/\//i.test(picture) ? picture : undefined
}

/** Returns the embedded icon or logo as SVG, for the tabs of browsers, which refuse `data:` addresses here. */
export function embeddedIcon({ icon, logos }: AppLook['brand']): string {
  return drawing(imageOf(icon || logos.logo, { margin: 0 }))
}

function isEmbedded(picture: string): boolean {
  return picture.startsWith('data:')
}

function drawing(content: string): string {
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 512 512">${content}</svg>`
}

function imageOf(address: string, { margin }: { margin: number }): string {
  const side = 512 - 2 * margin
  return `<image x="${margin}" y="${margin}" width="${side}" height="${side}" href="${escaped(address)}"/>`
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;')
}

/** Returns the media type of an icon: from a `data:` address, else by the file extension; empty if unknown. */
function typeOf(address: string): { type?: string } {
  const written = /^data:(image\/[\w.+-]+)/.exec(address)?.[1]
  const type = written ?? TYPES[/\.(\w+)(?:[?#]|$)/.exec(address)?.[1]?.toLowerCase() ?? '']
  return type === undefined ? {} : { type }
}
