import type { Channel } from '@ondine/contract/entities'
import { useSuspenseQuery } from '@tanstack/react-query'
import { useCallback, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useNow } from '../../design/clock.ts'
import { Select } from '../../design/select.tsx'
import { usePlace } from '../../words/place.tsx'
import { channelsQuery } from '../channels/queries.ts'
import { useConfiguration } from '../configuration/use-configuration.ts'
import { addressOf, type GuideAddress, viewAround, viewOf } from './address.ts'
import { dayOf, type GuideDay, guideDays, isCurrent, localParts, momentOf } from './days.ts'
import { type Chosen, type GridHandle, GuideGrid } from './guide-grid.tsx'
import styles from './guide-screen.module.css'
import { DayTabs, GuideToolbar } from './guide-toolbar.tsx'
import { ProgrammePanel } from './programme-panel.tsx'
import { dayRange, stepOf } from './range.ts'
import { slotAt, slotStart } from './slots.ts'

const DAY_SECONDS = 86_400
/** What began the view this long before now still shows now. */
const NOW_SHOWS_SECONDS = 3600

/** The guide: channels by time, over all its days (V2.1-07). */
export function GuideScreen({ address }: { address: GuideAddress }) {
  const { t } = useTranslation()
  const now = useNow()
  const { timeZone } = usePlace()
  const { epgGridConfiguration } = useConfiguration().guide
  const { data: all } = useSuspenseQuery(channelsQuery)
  const grid = useRef<GridHandle>(null)
  const range = dayRange(epgGridConfiguration)
  const [guide, setGuide] = useState(() => guideDays(now, timeZone, range))
  // Midnight has passed, or the browser is in another zone than the server knew of.
  if (!isCurrent(guide, now, timeZone)) setGuide(guideDays(now, timeZone, range))
  const start = viewOf(address, guide, now)
  const [first] = useState(start)
  const [left, setLeft] = useState(start)
  const [chosen, setChosen] = useState<Chosen>()
  const [filter, setFilter] = useState(0)
  const filters = useFilters(all)
  const channels = filters[filter]?.channels ?? all

  const onRest = useCallback((from: number) => rememberAddress(addressOf(from, guide)), [guide])
  const shown = dayOf(guide.days, left + NOW_SHOWS_SECONDS / 4)
  const step = stepOf(epgGridConfiguration)
  const goTo = (seconds: number) => grid.current?.goTo(seconds)

  function goToDay(day: GuideDay) {
    goTo(
      day.date === guide.today.date
        ? viewAround(now)
        : momentOf(day, localParts(left, timeZone).time, timeZone),
    )
  }

  function goStep(direction: 1 | -1) {
    if (step.unit === 'minutes') return goTo(left + direction * step.count * 60)
    const wanted =
      guide.days[0] === undefined ? undefined : dayOf(guide.days, left + direction * step.count * DAY_SECONDS)
    if (wanted !== undefined) goToDay(wanted)
  }

  return (
    <div className={styles.screen}>
      <GuideToolbar
        title={t('guide.title')}
        isNow={left <= now && now < left + NOW_SHOWS_SECONDS}
        slot={slotAt(left, timeZone)}
        stepText={
          step.unit === 'minutes'
            ? { back: t('guide.backMinutes'), forward: t('guide.forwardMinutes') }
            : { back: t('guide.backDays'), forward: t('guide.forwardDays') }
        }
        onNow={() => goTo(viewAround(now))}
        onSlot={(slot) => {
          const day = dayOf(guide.days, left)
          if (day !== undefined) goTo(slotStart(slot, day, timeZone))
        }}
        onStep={goStep}
        filter={
          filters.length > 1 && (
            <Select
              label={t('guide.filter')}
              value={filter}
              options={filters.map(({ title }, id) => ({ id, title }))}
              onChange={(id) => {
                setFilter(id)
                setChosen(undefined)
              }}
            />
          )
        }
      />
      {epgGridConfiguration.timeline && <DayTabs guide={guide} shown={shown} onDay={goToDay} />}
      {channels.length === 0 ? (
        <p className={styles.empty}>{t('live.empty')}</p>
      ) : (
        <GuideGrid
          key={filter}
          ref={grid}
          channels={channels}
          guide={guide}
          now={now}
          start={filter === 0 ? first : left}
          chosen={chosen}
          onChoose={setChosen}
          onView={setLeft}
          onRest={onRest}
        />
      )}
      {chosen !== undefined && (
        <ProgrammePanel
          key={`${chosen.channel.idChannel} ${chosen.tile.start}`}
          chosen={chosen}
          now={now}
          onClose={() => {
            setChosen(undefined)
            grid.current?.focus()
          }}
        />
      )}
    </div>
  )
}

/** What the channels can be narrowed to: favourites where there are any, and the genres of channels. */
function useFilters(all: readonly Channel[]): { title: string; channels: readonly Channel[] }[] {
  const { t } = useTranslation()
  const favourites = all.filter(({ isFavorite }) => isFavorite)
  const groups = [...new Set(all.map(({ mainGenre }) => mainGenre).filter(Boolean))].sort()
  return [
    { title: t('guide.allChannels'), channels: all },
    ...(favourites.length > 0 ? [{ title: t('guide.favourites'), channels: favourites }] : []),
    ...groups.map((group) => ({
      title: group,
      channels: all.filter(({ mainGenre }) => mainGenre === group),
    })),
  ]
}

/**
 * Writes where the view stands into the address. The router is not told: nothing of the page depends on it, and a guide
 * that is scrolled would be loaded anew at each rest.
 */
function rememberAddress(address: Required<GuideAddress>): void {
  const url = new URL(location.href)
  url.searchParams.set('day', address.day)
  url.searchParams.set('time', address.time)
  if (url.href !== location.href) History.prototype.replaceState.call(history, history.state, '', url)
}
