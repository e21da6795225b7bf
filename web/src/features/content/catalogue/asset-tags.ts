import type { Asset } from '@ondine/contract/entities'
import type { Language } from '@ondine/contract/languages'
import type { TFunction } from 'i18next'
import type { TagContent } from '../../../design/cards/tag.tsx'
import type { ShowingTimes } from '../../../design/time/live-state.ts'
import { amountText } from '../../../words/money.ts'

const DAY_SECONDS = 86_400
const HOUR_SECONDS = 3600

/**
 * Returns whether a title was added within the last `days` (V3-19), as the operator configures. `now` is in
 * seconds since the Unix epoch, and may be rounded down to the hour: a title that arrived in this hour is new.
 */
export function isNew(asset: Pick<Asset, 'validityStartDateTime'>, now: number, days: number): boolean {
  const age = now - asset.validityStartDateTime
  return age > -HOUR_SECONDS && age <= days * DAY_SECONDS
}

/**
 * The cards of a list show the tag “new” only if at most one in `RARE` titles is new. With more new titles, the tag
 * would distinguish nothing (docs/decisions/0041).
 */
const RARE = 3

/** Returns whether so few of `assets` are new that the tag “new” distinguishes them. */
export function isNewRare(
  assets: readonly Pick<Asset, 'validityStartDateTime'>[],
  now: number,
  days: number,
): boolean {
  return assets.filter((asset) => isNew(asset, now, days)).length * RARE <= assets.length
}

/**
 * Returns the number of whole days until a title leaves the catalogue. Undefined if that is later than `within`
 * days (V3-20), as the operator configures.
 */
export function daysLeft(
  asset: Pick<Asset, 'validityEndDateTime'>,
  now: number,
  within: number,
): number | undefined {
  if (asset.validityEndDateTime === null) return undefined
  const days = Math.ceil((asset.validityEndDateTime - now) / DAY_SECONDS)
  return days >= 0 && days <= within ? days : undefined
}

/** A rental with at least this many days left shows its remaining time in days instead of hours. */
const LONG_DAYS = 3

/**
 * Returns the tag of a rental (spec 49). For a rental that was played, the tag is the remaining time in whole days
 * or hours. If the rental was not played yet, has no end, or ends far in the future, the tag is "rented".
 * Undefined for an asset that is not rented. Rounds down, because cards have the time only to the full hour, and a
 * rental of 48 hours must never show 49.
 *
 * @param now seconds since the Unix epoch
 * @param limitHours with at least this many hours left, the end of a rental is far (A9-02)
 */
export function rentalTag(
  { rental }: Pick<Asset, 'rental'>,
  { now, limitHours }: { now: number; limitHours: number },
  t: TFunction,
): TagContent | undefined {
  if (rental === null) return undefined
  const { until, slotSeconds } = rental
  if (until === null || slotSeconds !== null || until - now >= limitHours * HOUR_SECONDS)
    return { tone: 'plain', text: t('tag.rented') }
  const left = until - now
  if (left < HOUR_SECONDS) {
    return { tone: 'leaving', text: t('tag.rentalLastHour'), label: t('tag.rentalLastHourLabel') }
  }
  if (left < LONG_DAYS * DAY_SECONDS) {
    const count = Math.floor(left / HOUR_SECONDS)
    return {
      tone: 'plain',
      text: t('tag.rentalHours', { count }),
      label: t('tag.rentalHoursLabel', { count }),
    }
  }
  const count = Math.floor(left / DAY_SECONDS)
  return { tone: 'plain', text: t('tag.rentalDays', { count }), label: t('tag.rentalDaysLabel', { count }) }
}

/** Returns the interval in which an event is live; undefined for an asset that is not an event (V3-15). */
export function eventInterval({ directMetadata }: Pick<Asset, 'directMetadata'>): ShowingTimes | undefined {
  const { TS_STARTUTC: start, TS_ENDUTC: end } = directMetadata
  return start === undefined || end === undefined
    ? undefined
    : { startutc: Number(start), endutc: Number(end) }
}

/**
 * Returns the tags of an asset's card. In a list of titles, `showNew` is the result of {@link isNewRare} for the list.
 */
export function assetTags(
  asset: Asset,
  {
    now,
    live = false,
    signedIn,
    showNew,
    newDays,
    leavingDays,
    rentalLimitHours,
    prices,
  }: {
    now: number
    /** Whether the asset is live now. */
    live?: boolean
    signedIn: boolean
    showNew: boolean
    newDays: number
    leavingDays: number
    rentalLimitHours: number
    /** The language in which a price is written; undefined where titles are not sold singly. */
    prices: Language | undefined
  },
  t: TFunction,
): TagContent[] {
  if (asset.availability.state === 'failed') return [{ tone: 'preparing', text: t('tag.failed') }]
  if (asset.availability.state === 'preparing') {
    return [
      {
        tone: 'preparing',
        text: t('tag.preparing'),
        label: t('tag.preparingLabel'),
      },
    ]
  }
  const tags: TagContent[] = live ? [{ tone: 'live', text: t('tag.live') }] : []
  const rented = rentalTag(asset, { now, limitHours: rentalLimitHours }, t)
  if (rented !== undefined) tags.push(rented)
  if (!asset.isIncludedInUserOffers) {
    // Only an asset outside the viewer's offers shows a price. An episode shows no price, because the price may be
    // for the whole season.
    const isEpisode = asset.directMetadata.AD_SERIESEP !== undefined
    if (asset.rentalPrice !== null && prices !== undefined && !isEpisode) {
      const text = amountText(asset.rentalPrice, prices)
      tags.push({ tone: 'price', text, label: t('tag.price', { price: text }) })
    } else if (signedIn) tags.push({ tone: 'lock', text: t('tag.locked') })
  }
  const left = daysLeft(asset, now, leavingDays)
  if (left !== undefined) {
    tags.push({
      tone: 'leaving',
      text: t('tag.leaving', { count: left }),
      label: t('tag.leavingLabel', { count: left }),
    })
  } else if (showNew && isNew(asset, now, newDays)) tags.push({ tone: 'new', text: t('tag.new') })
  return tags
}
