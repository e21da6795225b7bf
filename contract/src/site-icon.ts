import type { Configuration } from './configuration.ts'

/** Path at which browsers look for the icon. The service has pictures there that the configuration embeds. */
export const FAVICON = '/favicon.ico'

/** Path of the icon for home screens that show no SVG, such as those of iOS. */
export const APP_ICON_PNG = '/app-icon.png'

/**
 * Returns the address of the site's icon: the operator's icon, else the logo without text, else the wave. An embedded
 * picture has the address {@link FAVICON}, so that pages do not contain it.
 */
export function siteIcon({ icon, logos }: Pick<Configuration['brand'], 'icon' | 'logos'>): string {
  const picture = icon || logos.logo || '/icon.svg'
  return picture.startsWith('data:') ? FAVICON : picture
}
