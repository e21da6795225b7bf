import type { Asset } from '@ondine/contract/entities'
import { useTranslation } from 'react-i18next'
import type { TagContent } from '../../../design/cards/tag.tsx'
import { usePlace } from '../../../words/place.tsx'
import { useConfiguration } from '../../ground/configuration/use-configuration.ts'
import { useNative } from '../../ground/platform/use-platform.ts'
import { useSession } from '../../ground/session/session.ts'
import { sellsSingles } from '../../rights/offers/shop.ts'
import { assetTags } from './asset-tags.ts'

/** Returns a function that returns the tags of an asset for the current viewer. See {@link assetTags}. */
export function useAssetTags(): (
  asset: Asset,
  at: { now: number; live?: boolean; showNew: boolean },
) => TagContent[] {
  const { t } = useTranslation()
  const { language } = usePlace()
  const { account } = useSession()
  const configuration = useConfiguration()
  const sells = sellsSingles(configuration, useNative())
  const { newDays, leavingDays } = configuration.catalogue
  const { rentalDisplayLimitHours: rentalLimitHours } = configuration.offers
  // A suspended account cannot buy (A6-03), so it sees no prices. For a child's profile, the service sends no
  // prices.
  const prices = sells && account?.status !== 'SUSPENDED' ? language : undefined
  return (asset, at) =>
    assetTags(asset, { ...at, signedIn: account !== null, newDays, leavingDays, rentalLimitHours, prices }, t)
}
