import { useRouteContext } from '@tanstack/react-router'
import { type MouseEvent, type ReactNode, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { withPrefix } from '../../../api/language-prefix.ts'
import { ChevronLeftIcon, ChevronRightIcon } from '../../../design/icons/icons.tsx'
import { useCurrentInView } from '../../../design/lists/use-current-in-view.ts'
import { UNSEEN } from '../../../design/page/unseen.ts'
import { usePlace } from '../../../words/place.tsx'
import type { GuideDay, GuideDays } from '../../ground/days/days.ts'
import { dayName, dayOfShowing } from '../../ground/days/when.ts'
import { pathOf } from '../../ground/links/content-link.ts'
import styles from './guide-toolbar.module.css'
import { SLOTS, type Slot } from './slots.ts'

/** The toolbar of a guide: its title, the parts of the day, the buttons that step back and forward, and the filter. */
export function GuideToolbar({
  title,
  isNow,
  slot,
  stepText,
  onNow,
  onSlot,
  onStep,
  filter,
}: {
  title: string
  /** Whether the view shows the current time. */
  isNow: boolean
  slot: Slot
  /** Labels of the buttons that step back and forward, by 30 minutes or by a week. */
  stepText: { back: string; forward: string }
  onNow: () => void
  onSlot: (slot: Slot) => void
  onStep: (direction: 1 | -1) => void
  filter: ReactNode
}) {
  const { t } = useTranslation()
  return (
    <div className={styles.bar}>
      <h1 className={styles.title}>{title}</h1>
      <div className={styles.tools}>
        <fieldset className={styles.group} aria-label={t('guide.move')}>
          <button
            type="button"
            className={styles.round}
            aria-label={stepText.back}
            onClick={() => onStep(-1)}
          >
            <ChevronLeftIcon />
          </button>
          <button type="button" className={styles.pill} aria-pressed={isNow} onClick={onNow}>
            {t('guide.now')}
          </button>
          {SLOTS.map((each) => (
            <button
              key={each}
              type="button"
              className={styles.pill}
              aria-pressed={!isNow && slot === each}
              onClick={() => onSlot(each)}
            >
              {t(`guide.${each}`)}
            </button>
          ))}
          <button
            type="button"
            className={styles.round}
            aria-label={stepText.forward}
            onClick={() => onStep(1)}
          >
            <ChevronRightIcon />
          </button>
        </fieldset>
        {filter}
      </div>
    </div>
  )
}

/** The days of a guide as tabs, each with its own address. */
export function DayTabs({
  guide: { days, today },
  shown,
  path = pathOf('epg'),
  onDay,
}: {
  guide: GuideDays
  shown: GuideDay | undefined
  /** Path of the page that contains the tabs. */
  path?: string
  onDay: (day: GuideDay) => void
}) {
  const { t } = useTranslation()
  const prefix = useRouteContext({ from: '__root__', select: ({ environment }) => environment.prefix })
  const place = usePlace()
  const list = useRef<HTMLElement>(null)
  const date = shown?.date
  useCurrentInView(list, date)
  return (
    <nav ref={list} className={styles.days} aria-label={t('guide.days')}>
      <ul>
        {days.map((day) => {
          return (
            <li key={day.date}>
              <a
                className={styles.day}
                data-day={day.date}
                href={withPrefix(`${path}?day=${day.date}`, prefix)}
                aria-current={day.date === date ? 'date' : undefined}
                data-past={day.end <= today.start || undefined}
                onClick={(event: MouseEvent) => {
                  if (event.ctrlKey || event.metaKey || event.shiftKey) return
                  event.preventDefault()
                  onDay(day)
                }}
              >
                {dayOfShowing(day.start, today.start, place, t, 'short')}
                <span className={UNSEEN}>, {dayName(day.start, place)}</span>
              </a>
            </li>
          )
        })}
      </ul>
    </nav>
  )
}
