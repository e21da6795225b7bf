import {
  type BundledLanguage,
  bundledLanguage,
  DEFAULT_LANGUAGE,
  isLanguage,
  type Language,
} from '@ondine/contract/languages'
import type { Context } from '../../../context.ts'
import type { SlateLook } from '../../../ingest/live/slate-picture.ts'

const SENTENCES: Record<BundledLanguage, { first: string; again: string }> = {
  fra: { first: 'Le direct commence bientôt.', again: 'Le signal revient dans un instant.' },
  eng: { first: 'The broadcast will start soon.', again: 'The signal will be back in a moment.' },
}

type LookParts = Pick<Context, 'storefronts' | 'configurations'>

/**
 * Returns the look of the slate, from the first storefront. The viewers of all storefronts see the same channel,
 * so there is only one slate.
 *
 * @param isFirst whether the channel was never on the air
 */
export function slateLook({ storefronts, configurations }: LookParts, isFirst = false): SlateLook {
  const { brand, colors, languages } = configurations.of(storefronts.first().id)
  const { full, compact, logo } = brand.logos
  return {
    name: brand.name,
    // Uses only embedded logos, because the slate does not fetch logos from an address.
    logo: [full, compact, logo].find((each) => each.startsWith('data:')) ?? '',
    sentence: SENTENCES[bundledLanguage(languageOf(languages.default))][isFirst ? 'first' : 'again'],
    background: colors.surface0,
    glow: colors.surface2,
    accent: colors.accent,
    text: colors.text1,
    quietText: colors.text2,
  }
}

/** Returns the default language of the first storefront. */
export function slateLanguage({ storefronts, configurations }: LookParts): Language {
  return languageOf(configurations.of(storefronts.first().id).languages.default)
}

function languageOf(code: string): Language {
  return isLanguage(code) ? code : DEFAULT_LANGUAGE
}
