import type { Configuration } from '@ondine/contract/configuration'

/** Path of the web app manifest. */
export const APP_MANIFEST = '/manifest.webmanifest'

/** Longest name that home screens show, in characters. */
const SHORT_NAME_MAX = 12

/**
 * Returns the web app manifest of a storefront (W3C Web Application Manifest). Browsers use it to install the
 * site. The name, colours and icon come from the configuration.
 *
 * @param icon address of the icon for storefronts that do not configure one
 */
export function appManifest(
  { brand, colors }: Pick<Configuration, 'brand' | 'colors'>,
  icon: string,
): object {
  const src = brand.icon === '' ? icon : brand.icon
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
    icons: [{ src, sizes: 'any', ...typeOf(src), purpose: 'any' }],
  }
}

const TYPES: Readonly<Record<string, string>> = {
  svg: 'image/svg+xml',
  png: 'image/png',
  webp: 'image/webp',
}

/** Returns the media type of an icon: from a `data:` address, else by the file extension; empty if unknown. */
function typeOf(address: string): { type?: string } {
  const written = /^data:(image\/[\w.+-]+)/.exec(address)?.[1]
  const type = written ?? TYPES[/\.(\w+)(?:[?#]|$)/.exec(address)?.[1]?.toLowerCase() ?? '']
  return type === undefined ? {} : { type }
}
