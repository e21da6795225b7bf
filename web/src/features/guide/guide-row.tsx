import type { Channel } from '@ondine/contract/entities'
import { slugWithId } from '@ondine/contract/slugs'
import { memo } from 'react'
import { useTranslation } from 'react-i18next'
import { LockIcon } from '../../design/icons.tsx'
import { BareLink } from '../../design/link.tsx'
import { liveState } from '../../design/live-state.ts'
import { Picture } from '../../design/picture.tsx'
import { UNSEEN } from '../../design/unseen.ts'
import { usePlace } from '../../words/place.tsx'
import { pathOf } from '../links/content-link.ts'
import styles from './guide-grid.module.css'
import { chosenProgramme, followingIn, isMissing, type Tile } from './tiles.ts'
import { useDayName } from './use-day-name.ts'
import { spanText } from './when.ts'

/** On a shorter tile the title takes all the room. */
const NARROW_SECONDS = 900
/** A tile of several programmes that lasts as long has room for the time beside what follows. */
const ROOMY_SECONDS = 3600

/** What a row is drawn from. Times are seconds since the Unix epoch. */
interface RowProps {
  channel: Channel
  index: number
  tiles: readonly Tile[]
  /** Where the grid begins. */
  origin: number
  from: number
  to: number
  /** The last moment at which something of the row began or ended: nothing has changed since. */
  mark: number
  /** Beginning of the tile that the Tab key comes to; undefined in all rows but one. */
  anchor: number | undefined
  /** Beginning of the tile that the panel shows. */
  selected: number | undefined
  addressOf: (path: string) => string
}

/** A channel and what it shows, in the part of the time that is in view. */
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
        // By its kind too: what has come is another thing than what was waited for, and the focus comes to it anew, which is heard.
        <GuideTile key={`${tile.start} ${tile.kind}`} channel={channel} tile={tile} {...rest} />
      ))}
    </tr>
  )
})

/** A text whose first letter is of a script that runs from right to left, by which browsers go too (`dir="auto"`). */
const RUNS_LEFT = /^\P{L}*[\p{Script=Arabic}\p{Script=Hebrew}\p{Script=Syriac}\p{Script=Thaana}]/u

function GuideTile({
  channel,
  tile,
  origin,
  mark,
  anchor,
  selected,
  addressOf,
}: Pick<RowProps, 'channel' | 'origin' | 'mark' | 'anchor' | 'selected' | 'addressOf'> & { tile: Tile }) {
  const { t } = useTranslation()
  const place = usePlace()
  const dayName = useDayName()
  const { kind, start, end } = tile
  const state = liveState({ startutc: start, endutc: end }, mark)
  const programme = chosenProgramme(tile, mark)
  const follows = kind === 'several' ? followingIn(tile, mark) : undefined
  const title = programme?.title || t(`guide.${isMissing(kind) ? kind : 'unknown'}`)
  const span = kind === 'several' && programme !== undefined ? programme : { startutc: start, endutc: end }
  const time = kind === 'failed' ? t('errors.retry') : spanText(span.startutc, span.endutc, place, t)
  const isCoded = programme?.isNeedParentalCode === true
  const common = {
    tabIndex: start === anchor ? 0 : -1,
    'data-tile': start,
    'data-row': channel.idChannel,
    'data-selected': start === selected || undefined,
  }
  // Title and time as they stand there; between them, for ears, what makes a sentence of them.
  const words = (
    <span className={styles.room}>
      <span className={styles.words}>
        <span
          className={kind === 'waiting' ? UNSEEN : styles.title}
          data-runs={RUNS_LEFT.test(title) ? 'left' : 'right'}
        >
          {isCoded && <LockIcon />}
          <span dir="auto">{title}</span>
        </span>
        <span className={UNSEEN}>
          {t(`guide.${state}Between`, { channel: channel.name, day: dayName(start) })}
        </span>
        <span className={kind === 'waiting' ? UNSEEN : styles.time}>
          {follows === undefined ? (
            time
          ) : (
            <>
              {/* The head of the grid says when, where there is no room for it. */}
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
