import * as z from 'zod'
import { brand, colors, languages, seo, style } from './configuration-look.ts'
import { accounts, offers, registration, settings } from './configuration-people.ts'
import { ads, downloads, live, player, protection } from './configuration-playback.ts'
import { catalogue, guide, home, navigation, search } from './configuration-screens.ts'
import {
  BILLING_REDIRECTIONS,
  CONSENT_MODES,
  HOME_TYPES,
  RESET_PASSWORD_MODES,
  SUB_CATEGORY_LAYOUTS,
} from './configuration-values.ts'

/** The sections of the configuration. Each is also a file of `/configuration/{apiKey}/data/` (V7-31). */
const SECTIONS = {
  brand,
  colors,
  style,
  seo,
  languages,
  navigation,
  home,
  catalogue,
  search,
  guide,
  live,
  player,
  protection,
  ads,
  downloads,
  accounts,
  registration,
  offers,
  settings,
} as const

/**
 * The remote configuration of a storefront (V1-01, V3). The service stores only the fields that an operator has
 * set. Parsing adds the defaults. Unknown fields and values of a wrong type are rejected.
 */
export const configuration = z
  .strictObject(SECTIONS)
  .superRefine(({ downloads, home, languages, navigation, offers }, { addIssue }) => {
    const refuse = (path: (string | number)[], message: string) =>
      addIssue({ code: 'custom', path, message, input: undefined })
    for (const type of HOME_TYPES) {
      const ids = home[type].map(({ id }) => id)
      const twice = ids.findIndex((id, index) => ids.indexOf(id) !== index)
      if (twice >= 0) refuse(['home', type, twice, 'id'], 'is already used by another rail in the list')
    }
    if (!languages.languages.includes(languages.default))
      refuse(['languages', 'default'], 'must be one of the languages that viewers may choose')
    if (downloads.helperUrl !== '' && downloads.helperInstallUrl === '')
      refuse(['downloads', 'helperInstallUrl'], 'is required where a local player is named')
    const { offerId, discountEnabled, discountedPrice } = offers.globalPromotion
    if (discountEnabled && offerId === 0)
      refuse(['offers', 'globalPromotion', 'offerId'], 'must name an offer while the promotion is enabled')
    if (discountEnabled && discountedPrice === '')
      refuse(['offers', 'globalPromotion', 'discountedPrice'], 'is required while the promotion is enabled')
    for (const [index, item] of navigation.getMenuProfile.items.entries()) {
      if (item !== 'notifications' && navigation.getMenuProfile[item] === undefined)
        refuse(['navigation', 'getMenuProfile', 'items', index], `has no ${item}.url`)
    }
  })

/** The configuration with all its fields, as clients receive it. */
export type Configuration = z.output<typeof configuration>

/** The fields of the configuration that an operator has set. */
export type ConfigurationDocument = z.input<typeof configuration>

/** The configuration of a storefront without any field set. */
export const DEFAULT_CONFIGURATION: Configuration = configuration.parse({})

/**
 * Fields, by path, that accept unknown values with a warning (V3-52). `values` lists the known values. An unknown
 * value becomes `fallback`.
 */
export const TOLERANT_FIELDS: Readonly<Record<string, { values: readonly string[]; fallback: string }>> = {
  'accounts.resetPassword.mode': { values: RESET_PASSWORD_MODES, fallback: 'internal' },
  'catalogue.subCategoryLayout': { values: SUB_CATEGORY_LAYOUTS, fallback: 'thumbnails' },
  'accounts.consent.mode': { values: CONSENT_MODES, fallback: 'disabled' },
  'offers.billingRedirectionMode': { values: BILLING_REDIRECTIONS, fallback: 'same-tab' },
}
