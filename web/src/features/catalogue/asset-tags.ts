import type { Asset } from '@ondine/contract/entities'
import type { TFunction } from 'i18next'
import type { TagContent } from '../../design/tag.tsx'

const DAY_SECONDS = 86_400

/** Within so many days of the start a title is new, and of its end it is leaving (V3, new and leaving tags). */
export const TAG_DAYS = { new: 14, leaving: 7 } as const

/** Whether a title came within the last days. `now` in seconds since the epoch. */
export function isNew(asset: Pick<Asset, 'validityStartDateTime'>, now: number): boolean {
  const age = now - asset.validityStartDateTime
  return age >= 0 && age <= TAG_DAYS.new * DAY_SECONDS
}

/** Whole days that are left, or undefined when a title does not leave within the next days. */
export function daysLeft(asset: Pick<Asset, 'validityEndDateTime'>, now: number): number | undefined {
  if (asset.validityEndDateTime === null) return undefined
  const days = Math.ceil((asset.validityEndDateTime - now) / DAY_SECONDS)
  return days >= 0 && days <= TAG_DAYS.leaving ? days : undefined
}

/** What a card says about an asset. `showNew` is false where everything around is new too, so that it would say nothing. */
export function assetTags(
  asset: Asset,
  { now, signedIn, showNew }: { now: number; signedIn: boolean; showNew: boolean },
  t: TFunction,
): TagContent[] {
  if (asset.availability.state === 'failed') return [{ tone: 'preparing', text: t('tag.failed') }]
  if (asset.availability.state === 'preparing') {
    const percent = Math.round(asset.availability.percent)
    return [
      {
        tone: 'preparing',
        text: t('tag.preparing', { percent }),
        label: t('tag.preparingLabel', { percent }),
      },
    ]
  }
  const tags: TagContent[] = []
  if (signedIn && !asset.isIncludedInUserOffers) tags.push({ tone: 'lock', text: t('tag.locked') })
  const left = daysLeft(asset, now)
  if (left !== undefined) {
    tags.push({
      tone: 'leaving',
      text: t('tag.leaving', { count: left }),
      label: t('tag.leavingLabel', { count: left }),
    })
  } else if (showNew && isNew(asset, now)) tags.push({ tone: 'new', text: t('tag.new') })
  return tags
}
