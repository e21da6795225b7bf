import type { Asset } from '@ondine/contract/entities'
import type { Language } from '@ondine/contract/languages'
import type { TFunction } from 'i18next'
import type { Interval } from '../../design/live-state.ts'
import type { TagContent } from '../../design/tag.tsx'
import { amountText } from '../../words/money.ts'

const DAY_SECONDS = 86_400

/** Whether a title came within the last `days`, a configured number (V3-19). `now` in seconds since the epoch. */
export function isNew(asset: Pick<Asset, 'validityStartDateTime'>, now: number, days: number): boolean {
  const age = now - asset.validityStartDateTime
  return age >= 0 && age <= days * DAY_SECONDS
}

/** Of so many titles one may be new for the word to say something. */
const RARE = 3

/** Whether so few of `assets` are new that those which are stand out: on a day on which all arrived, none does. */
export function isNewRare(
  assets: readonly Pick<Asset, 'validityStartDateTime'>[],
  now: number,
  days: number,
): boolean {
  return assets.filter((asset) => isNew(asset, now, days)).length * RARE <= assets.length
}

/** Whole days that are left, or undefined when a title does not leave within `within` days, a configured number (V3-20). */
export function daysLeft(
  asset: Pick<Asset, 'validityEndDateTime'>,
  now: number,
  within: number,
): number | undefined {
  if (asset.validityEndDateTime === null) return undefined
  const days = Math.ceil((asset.validityEndDateTime - now) / DAY_SECONDS)
  return days >= 0 && days <= within ? days : undefined
}

const HOUR_SECONDS = 3600
/** From so many days on, what is left of a rental is counted in days. */
const LONG_DAYS = 3

/**
 * What is left of a rental (decision 49): of one that was begun the time, in whole days or hours; of one that nobody has played,
 * or that has no end, that it is rented. Undefined for what is not rented.
 *
 * @param now seconds since the epoch
 * @param limitHours from so many hours on a rental counts as unlimited (A9-02)
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
    const count = Math.ceil(left / HOUR_SECONDS)
    return {
      tone: 'plain',
      text: t('tag.rentalHours', { count }),
      label: t('tag.rentalHoursLabel', { count }),
    }
  }
  const count = Math.ceil(left / DAY_SECONDS)
  return { tone: 'plain', text: t('tag.rentalDays', { count }), label: t('tag.rentalDaysLabel', { count }) }
}

/** When an event is live; undefined for what is none (V3-15). */
export function eventInterval({ directMetadata }: Pick<Asset, 'directMetadata'>): Interval | undefined {
  const { TS_STARTUTC: start, TS_ENDUTC: end } = directMetadata
  return start === undefined || end === undefined
    ? undefined
    : { startutc: Number(start), endutc: Number(end) }
}

/** What a card says about an asset. `showNew` as {@link isNewRare} has it for what stands around. */
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
    /** Whether it is on the air now. */
    live?: boolean
    signedIn: boolean
    showNew: boolean
    newDays: number
    leavingDays: number
    rentalLimitHours: number
    /** The language in which it says what it costs alone; undefined where it is not bought here. */
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
    // A price says by itself that it is not included. That of an episode may be the price of its season.
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
