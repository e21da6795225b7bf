import type { Channel, Programme } from '@ondine/contract/entities'
import { useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Button } from '../../../design/buttons/button.tsx'
import { usePlace } from '../../../words/place.tsx'
import type { GuideDay } from '../../ground/days/days.ts'
import { ProgrammeRow } from '../channels/programme-row.tsx'
import styles from './day-of-channel.module.css'
import { SLOTS, type Slot, slotAt } from './slots.ts'

/**
 * Number of programmes of the morning, the afternoon or the evening that are shown until the viewer requests all.
 */
const SHOWN = 40

/**
 * The programmes of a channel on one day: morning, afternoon and evening. For today, the list begins with the
 * current programme, and a button shows the earlier programmes above it. `now` is in seconds since the Unix epoch.
 */
export function DayOfChannel({
  channel,
  day,
  programmes,
  now,
}: {
  channel: Channel
  day: GuideDay
  programmes: readonly Programme[]
  now: number
}) {
  const { t } = useTranslation()
  const { timeZone } = usePlace()
  const [whole, setWhole] = useState(false)
  // The list begins with the same programme as long as the page is open, so that the list does not move. A day
  // that is entirely in the past or in the future shows all programmes.
  const [first] = useState(() =>
    Math.max(
      0,
      programmes.findIndex(({ endutc }) => endutc > now),
    ),
  )
  const from = whole ? 0 : first
  const slots = useMemo(
    // A programme that began on the previous day belongs to the morning.
    () =>
      Map.groupBy(programmes.slice(from), ({ startutc }) => slotAt(Math.max(startutc, day.start), timeZone)),
    [programmes, from, day.start, timeZone],
  )
  return (
    <>
      {first > 0 && (
        <p className={styles.more}>
          <Button aria-expanded={whole} onPress={() => setWhole(!whole)}>
            {t('guide.earlier', { count: first })}
          </Button>
        </p>
      )}
      {SLOTS.map((slot) => {
        const own = slots.get(slot)
        return own && <SlotOfDay key={slot} slot={slot} programmes={own} channel={channel} now={now} />
      })}
    </>
  )
}

function SlotOfDay({
  slot,
  programmes,
  channel,
  now,
}: {
  slot: Slot
  programmes: readonly Programme[]
  channel: Channel
  now: number
}) {
  const { t } = useTranslation()
  const [whole, setWhole] = useState(false)
  const shown = whole ? programmes : programmes.slice(0, SHOWN)
  const left = programmes.length - shown.length
  return (
    <section className={styles.slot} aria-label={t(`guide.${slot}`)}>
      <h2>{t(`guide.${slot}`)}</h2>
      <ol>
        {shown.map((programme) => (
          <ProgrammeRow key={programme.id} programme={programme} channel={channel} now={now} />
        ))}
      </ol>
      {left > 0 && (
        <p className={styles.more}>
          <Button onPress={() => setWhole(true)}>{t('guide.others', { count: left })}</Button>
        </p>
      )}
    </section>
  )
}
