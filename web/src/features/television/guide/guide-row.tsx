import type { Channel } from '@ondine/contract/entities'
import { slugWithId } from '@ondine/contract/slugs'
import { memo } from 'react'
import { useTranslation } from 'react-i18next'
import { BareLink } from '../../../design/buttons/link.tsx'
import { LockIcon } from '../../../design/icons/icons.tsx'
import { UNSEEN } from '../../../design/page/unseen.ts'
import { Picture } from '../../../design/pictures/picture.tsx'
import { liveState } from '../../../design/time/live-state.ts'
import { usePlace } from '../../../words/place.tsx'
import { spanText } from '../../ground/days/when.ts'
import { pathOf } from '../../ground/links/content-link.ts'
import { RecordMark } from '../recordings/record-mark.tsx'
import { markOf, type useRecorded } from '../recordings/recorded-programmes.ts'
import styles from './guide-grid.module.css'
import { chosenProgramme, followingIn, isMissing, type Tile } from './tiles.ts'
import { useDayName } from './use-day-name.ts'

/** A tile shorter than this many seconds has room for the title only. */
const NARROW_SECONDS = 900

/** A tile of several programmes with at least this many seconds has room for the time before the next title. */
const ROOMY_SECONDS = 3600

/** The props of a row. Times are seconds since the Unix epoch. */
interface RowProps {
  channel: Channel
  index: number
  tiles: readonly Tile[]
  /** Start of the grid. */
  origin: number
  from: number
  to: number
  /**
   * The last moment at which a programme of the row began or ended. Until the next such moment, the row looks the
   * same.
   */
  mark: number
  /** Start of the tile that the tab key reaches, if that tile is in this row; undefined in all other rows. */
  anchor: number | undefined
  /** Start of the tile that the panel shows. */
  selected: number | undefined
  /** Start of the tile at the left edge whose visible part is too narrow for its text (`sliverAt`). */
  sliver: number | undefined
  /** The profile's recordings, by programme. */
  recorded: ReturnType<typeof useRecorded>
  addressOf: (path: string) => string
}

/** A channel, and its programmes in the rendered part of the grid. */
export const GuideRow = memo(function GuideRow({ channel, index, tiles, from, to, ...rest }: RowProps) {
  const { t } = useTranslation()
  const shown = tiles.filter(({ start, end }) => (start < to && end > from) || start === rest.anchor)
  return (
    <tr className={styles.row} aria-rowindex={index + 2} style={{ '--index': index }}>
      <th scope="row" className={styles.channel}>
        <BareLink to={channel.detailRoute} tabIndex={-1} className={styles.channelLink}>
          <span className={styles.number} aria-hidden="true">
            {channel.item.lcn}
          </span>
          {channel.logoImage === null ? (
            <span className={styles.initial} style={{ '--channel': channel.color }} aria-hidden="true">
              {Array.from(channel.name)[0]}
            </span>
          ) : (
            <Picture image={channel.logoImage} sizes="48px" className={styles.logo} />
          )}
          <span className={styles.channelName}>
            <span className={UNSEEN}>{t('guide.channelNumber', { number: channel.item.lcn })} </span>
            {channel.name}
          </span>
        </BareLink>
      </th>
      {shown.map((tile) => (
        // `kind` is part of the key. When the data of a tile arrives, the tile is therefore a new element. It
        // takes the focus from the placeholder, and screen readers announce it.
        <GuideTile key={`${tile.start} ${tile.kind}`} channel={channel} tile={tile} {...rest} />
      ))}
    </tr>
  )
})

/**
 * Matches a text whose first letter belongs to a right-to-left script. Browsers apply the same rule for
 * `dir="auto"`.
 */
const RUNS_LEFT = /^\P{L}*[\p{Script=Arabic}\p{Script=Hebrew}\p{Script=Syriac}\p{Script=Thaana}]/u

function GuideTile({
  channel,
  tile,
  origin,
  mark,
  anchor,
  selected,
  sliver,
  recorded,
  addressOf,
}: Pick<
  RowProps,
  'channel' | 'origin' | 'mark' | 'anchor' | 'selected' | 'sliver' | 'recorded' | 'addressOf'
> & {
  tile: Tile
}) {
  const { t } = useTranslation()
  const place = usePlace()
  const dayName = useDayName()
  const { kind, start, end } = tile
  const state = liveState({ startutc: start, endutc: end }, mark)
  const programme = chosenProgramme(tile, mark)
  const follows = kind === 'several' ? followingIn(tile, mark) : undefined
  const title = programme?.title || t(`guide.${isMissing(kind) ? kind : 'unknownHere'}`)
  const span = kind === 'several' && programme !== undefined ? programme : { startutc: start, endutc: end }
  const time = kind === 'failed' ? t('errors.retry') : spanText(span.startutc, span.endutc, place, t)
  const isCoded = programme?.isNeedParentalCode === true
  const recording = programme && markOf(recorded, programme)
  const common = {
    tabIndex: start === anchor ? 0 : -1,
    'data-tile': start,
    'data-row': channel.idChannel,
    'data-selected': start === selected || undefined,
  }
  // The visible title and time. Hidden words between them make a sentence for screen readers.
  const words = (
    <span className={styles.room}>
      <span className={styles.words}>
        <span
          className={kind === 'waiting' ? UNSEEN : styles.title}
          data-runs={RUNS_LEFT.test(title) ? 'left' : 'right'}
        >
          {isCoded && <LockIcon />}
          {recording !== undefined && <RecordMark state={recording} />}
          <span dir="auto">
            <span className={styles.ground}>{title}</span>
          </span>
        </span>
        <span className={UNSEEN}>
          {t(`guide.${state}Between`, { channel: channel.name, day: dayName(start) })}
        </span>
        <span className={kind === 'waiting' ? UNSEEN : styles.time}>
          {follows === undefined ? (
            time
          ) : (
            <>
              {/* In a narrow tile, only screen readers get the time. Other viewers see the time at the head of
                  the grid. */}
              <span className={end - start < ROOMY_SECONDS ? UNSEEN : undefined}>{time} · </span>
              {t('guide.afterwards', { title: follows.title })}
            </>
          )}
        </span>
        {isCoded && <span className={UNSEEN}>. {t('guide.coded')}</span>}
      </span>
    </span>
  )
  const cell = {
    'data-kind': kind,
    'data-state': state,
    'data-narrow': end - start < NARROW_SECONDS || undefined,
    'data-sliver': start === sliver || undefined,
    style: { '--from': (start - origin) / 60, '--for': (end - start) / 60 },
  }
  if (programme === undefined) {
    return (
      <td {...cell} {...common} className={`${styles.tile} ${styles.press}`}>
        {words}
      </td>
    )
  }
  return (
    <td {...cell} className={styles.tile}>
      <a
        {...common}
        className={styles.press}
        href={addressOf(pathOf('epg-slug', { slug: slugWithId(programme.title, programme.id) }))}
      >
        {words}
      </a>
    </td>
  )
}
