import {
  type BundledLanguage,
  bundledLanguage,
  DEFAULT_LANGUAGE,
  isLanguage,
} from '@ondine/contract/languages'
import type { Context } from '../../../context.ts'
import type { SlateLook } from '../../../ingest/live/slate-picture.ts'

const SENTENCES: Record<BundledLanguage, string> = {
  fra: 'Le signal revient dans un instant.',
  eng: 'The signal will be back in a moment.',
}

/**
 * Returns the look of the slate, from the first storefront. The viewers of all storefronts see the same channel,
 * so there is only one slate.
 */
export function slateLook({
  storefronts,
  configurations,
}: Pick<Context, 'storefronts' | 'configurations'>): SlateLook {
  const { brand, colors, languages } = configurations.of(storefronts.first().id)
  const { full, compact, logo } = brand.logos
  return {
    name: brand.name,
    // Uses only embedded logos, because the slate does not fetch logos from an address.
    logo: [full, compact, logo].find((each) => each.startsWith('data:')) ?? '',
    sentence:
      SENTENCES[bundledLanguage(isLanguage(languages.default) ? languages.default : DEFAULT_LANGUAGE)],
    background: colors.surface0,
    glow: colors.surface2,
    accent: colors.accent,
    text: colors.text1,
    quietText: colors.text2,
  }
}
