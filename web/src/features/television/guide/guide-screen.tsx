import { useSuspenseQuery } from '@tanstack/react-query'
import { useRouteContext } from '@tanstack/react-router'
import { useCallback, useMemo, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { withPrefix } from '../../../api/language-prefix.ts'
import { Select } from '../../../design/fields/select.tsx'
import { useNow } from '../../../design/time/clock.ts'
import { usePlace } from '../../../words/place.tsx'
import { channelsQuery } from '../../content/line-up/queries.ts'
import { useConfiguration } from '../../ground/configuration/use-configuration.ts'
import { type GuideDay, type GuideDays, guideDays, isCurrent } from '../../ground/days/days.ts'
import { pathOf } from '../../ground/links/content-link.ts'
import { channelFilters, FAVOURITES } from '../channels/channel-groups.ts'
import {
  GUIDE_QUERY,
  type GuideAddress,
  type GuidePlace,
  queryOf,
  viewAround,
  viewOf,
} from '../schedule/address.ts'
import { LIST_KEPT_FRESH } from '../schedule/queries.ts'
import type { GridStart } from './grid-scroll.ts'
import { type Chosen, type GridHandle, type GridView, GuideGrid } from './guide-grid.tsx'
import styles from './guide-screen.module.css'
import { DayTabs, GuideToolbar } from './guide-toolbar.tsx'
import { type PanelHandle, ProgrammePanel } from './programme-panel.tsx'
import { dayRange, stepOf } from './range.ts'
import { dayAfter, sameTimeOn, shownDay, showsNow } from './shown-day.ts'
import { slotAt, slotStart } from './slots.ts'

/** The guide: the programmes of all channels, on all days that the configuration allows (V2.1-07). */
export function GuideScreen({ address }: { address: GuideAddress }) {
  const { t } = useTranslation()
  const now = useNow()
  const { language, timeZone } = usePlace()
  const { epgGridConfiguration } = useConfiguration().guide
  const { data: all } = useSuspenseQuery({ ...channelsQuery, ...LIST_KEPT_FRESH })
  const grid = useRef<GridHandle>(null)
  const panel = useRef<PanelHandle>(null)
  const prefix = useRouteContext({ from: '__root__', select: ({ environment }) => environment.prefix })
  const path = withPrefix(pathOf('epg'), prefix)
  const range = dayRange(epgGridConfiguration)
  const filters = useMemo(() => channelFilters(all, language), [all, language])
  const [filter, setFilter] = useState(address.filter)
  const { channels, slug } = filters.find((each) => each.slug === filter) ?? filters[0]
  const [{ guide, before }, setDays] = useState<{ guide: GuideDays; before?: GuideDays }>(() => ({
    guide: guideDays(now, timeZone, range),
  }))
  const [start, setStart] = useState<GridStart>(() => ({
    time: viewOf(address, guide, now),
    row: Math.max(
      0,
      channels.findIndex(({ idChannel }) => idChannel === address.channel),
    ),
  }))
  const [{ left, walked }, setView] = useState<GridView>({ left: start.time, walked: undefined })
  const [chosen, setChosen] = useState<Chosen>()
  // The days have to change after midnight, or if the browser is in another time zone than the server assumed.
  if (!isCurrent(guide, now, timeZone)) {
    const days = guideDays(now, timeZone, range)
    setDays({ guide: days, before: guide })
    // The time in the address is local time. In another zone, it means another moment, so the view begins
    // elsewhere.
    const isAsked = address.day !== undefined || address.time !== undefined
    if (isAsked && timeZone !== guide.timeZone) setStart({ ...start, time: viewOf(address, days, now) })
  }

  const onRest = useCallback(
    ({ time, row }: GridStart) => {
      const channel = row === 0 ? undefined : channels[row]?.idChannel
      rememberPlace({ from: time, filter: slug, channel }, guide, path)
    },
    [channels, guide, path, slug],
  )
  const shown = shownDay(guide, left, now, walked)
  const step = stepOf(epgGridConfiguration)
  const goTo = (seconds: number) => grid.current?.goTo(seconds)

  function goToDay(day: GuideDay) {
    goTo(day.date === guide.today.date ? viewAround(now) : sameTimeOn(day, left, shown, timeZone))
  }

  function goStep(direction: 1 | -1) {
    if (step.unit === 'minutes') return goTo(left + direction * step.count * 60)
    const wanted = dayAfter(guide.days, shown, direction * step.count)
    if (wanted !== undefined) goToDay(wanted)
  }

  return (
    <div className={styles.screen}>
      <GuideToolbar
        title={t('guide.title')}
        isNow={showsNow(left, now)}
        slot={slotAt(Math.max(left, shown.start), timeZone)}
        stepText={
          step.unit === 'minutes'
            ? { back: t('guide.backMinutes'), forward: t('guide.forwardMinutes') }
            : { back: t('guide.backDays'), forward: t('guide.forwardDays') }
        }
        onNow={() => goTo(viewAround(now))}
        onSlot={(slot) => goTo(slotStart(slot, shown, timeZone))}
        onStep={goStep}
        filter={
          filters.length > 1 && (
            <Select
              label={t('guide.filter')}
              value={filters.findIndex((each) => each.slug === slug)}
              options={filters.map((each, id) => ({
                id,
                title: each.title ?? t(`guide.${wordOf(each.slug)}`),
              }))}
              onChange={(id) => {
                const wanted = filters[id]?.slug
                setFilter(wanted)
                setStart({ time: left, row: 0 })
                setChosen(undefined)
                rememberPlace({ from: left, filter: wanted, channel: undefined }, guide, path)
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
          // If the address means another moment than the server assumed, the key changes. React then renders a new
          // grid, which does not scroll visibly.
          key={`${slug} ${start.time}`}
          ref={grid}
          channels={channels}
          guide={guide}
          before={before}
          now={now}
          start={start}
          chosen={chosen}
          onChoose={setChosen}
          onReplace={(replaced) => setChosen({ ...replaced, byKey: panel.current?.hasFocus() === true })}
          onView={setView}
          onRest={onRest}
        />
      )}
      {chosen !== undefined && (
        <ProgrammePanel
          ref={panel}
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

/** Returns the key of a filter's name, for a filter that is not a genre. */
function wordOf(slug: string | undefined): 'favourites' | 'allChannels' {
  return slug === FAVOURITES ? 'favourites' : 'allChannels'
}

/**
 * Writes the visible place into the address. It does not use the router, because the router would load the guide
 * again after each scrolling, although the data does not depend on the place.
 */
function rememberPlace(place: GuidePlace, guide: GuideDays, path: string): void {
  const url = new URL(location.href)
  // While the next page loads, the guide still scrolls, but the address is already that of the next page.
  if (url.pathname !== path) return
  for (const name of GUIDE_QUERY) url.searchParams.delete(name)
  for (const [name, value] of queryOf(place, guide)) url.searchParams.set(name, value)
  if (url.href !== location.href) History.prototype.replaceState.call(history, history.state, '', url)
}
