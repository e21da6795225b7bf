import { type epgEvent, epgGrid } from '@ondine/contract/channels'
import type { Programme } from '@ondine/contract/entities'
import type { OutputOf } from '@ondine/contract/operation'
import { assetRoute, slugWithId } from '@ondine/contract/slugs'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { type Ref, useEffect, useEffectEvent, useImperativeHandle, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { Button, ButtonLink } from '../../../design/buttons/button.tsx'
import { TextLink } from '../../../design/buttons/link.tsx'
import { Progress } from '../../../design/cards/progress.tsx'
import { CloseIcon, InfoIcon } from '../../../design/icons/icons.tsx'
import { Picture } from '../../../design/pictures/picture.tsx'
import { elapsedShare, liveState } from '../../../design/time/live-state.ts'
import { maturityText, secondsText, timeText } from '../../../words/format.ts'
import { usePlace } from '../../../words/place.tsx'
import { FavouriteButton } from '../../content/favourites/favourite-button.tsx'
import { useConfiguration } from '../../ground/configuration/use-configuration.ts'
import { beginningText, whenText } from '../../ground/days/showing-when.ts'
import { spanText } from '../../ground/days/when.ts'
import { PartError } from '../../ground/errors/part-error.tsx'
import { reportFault } from '../../ground/errors/report-fault.ts'
import { pathOf } from '../../ground/links/content-link.ts'
import { ShareButton } from '../../ground/share/share-button.tsx'
import { ChannelOffers, ChannelPlayButton } from '../channels/channel-offers.tsx'
import { RecordButton, RecordNote, useIsRecordingTimeKnown } from '../recordings/record-button.tsx'
import { RecordState } from '../recordings/record-mark.tsx'
import { markOf, useRecorded } from '../recordings/recorded-programmes.ts'
import { SeriesButton } from '../recordings/series-button.tsx'
import { ForbiddenNote } from '../schedule/forbidden-note.tsx'
import { programmePath } from '../schedule/programme-path.ts'
import { eventQuery, KEPT_FRESH } from '../schedule/queries.ts'
import { StartOverButton, StartOverNote } from '../schedule/start-over-button.tsx'
import { shortCredits } from './announced.ts'
import { Flags } from './flags.tsx'
import type { Chosen } from './guide-grid.tsx'
import styles from './programme-panel.module.css'
import { chosenProgramme, isMissing } from './tiles.ts'
import { titlesOnce } from './titles-once.ts'

/** Maximum number of other showings in the panel. The page of the programme shows all of them. */
const SHOWINGS_SHOWN = 3

/** Function with which the screen asks for the focus. */
export interface PanelHandle {
  /** Returns whether an element of the panel has the focus. */
  hasFocus(): boolean
}

/** The panel of the guide with the programme that the viewer has chosen: its description, its times and its actions. */
export function ProgrammePanel({
  chosen: { channel, tile, byKey },
  now,
  onClose,
  ref,
}: {
  chosen: Chosen
  /** Seconds since the Unix epoch. */
  now: number
  onClose: () => void
  ref?: Ref<PanelHandle>
}) {
  const { t } = useTranslation()
  const place = usePlace()
  const short = chosenProgramme(tile, now)
  const queries = useQueryClient()
  const { data, error, isFetching, refetch } = useQuery({
    ...eventQuery(short?.id ?? 0, channel.idChannel),
    ...KEPT_FRESH,
    enabled: short !== undefined,
  })
  useEffect(() => reportFault(error), [error])
  const failed = data === undefined && error !== null && !isFetching
  const recorded = useRecorded()
  const recording = short && markOf(recorded, short)
  const isTimeKnown = useIsRecordingTimeKnown(channel)
  // Undefined until the details of the chosen programme have arrived, so that the panel never shows another
  // programme. Also waits for the account's recording time, whose note would move the details.
  const programme: Programme | undefined = isTimeKnown ? data?.current : undefined
  const { startutc: start, endutc: end } = programme ?? short ?? { startutc: tile.start, endutc: tile.end }
  const { levelAges } = useConfiguration().accounts
  const state = liveState({ startutc: start, endutc: end }, now)
  const title = short?.title ?? t(`guide.${isMissing(tile.kind) ? tile.kind : 'unknown'}`)
  const element = useRef<HTMLElement>(null)
  useImperativeHandle(ref, () => ({
    hasFocus: () => element.current?.contains(document.activeElement) === true,
  }))
  useEffect(() => {
    if (byKey) element.current?.querySelector<HTMLElement>('a, button')?.focus()
  }, [byKey])
  const close = useEffectEvent(onClose)
  useEffect(() => {
    // Listens on the window, because after a pointer press the focus is in the grid and not in the panel.
    const onKeyDown = (event: KeyboardEvent) => {
      if (event.key === 'Escape') close()
    }
    addEventListener('keydown', onKeyDown)
    return () => removeEventListener('keydown', onKeyDown)
  }, [])
  // If the details cannot be fetched, neither can the page.
  const page =
    short === undefined || failed ? undefined : pathOf('epg-slug', { slug: slugWithId(title, short.id) })
  return (
    <section ref={element} className={styles.panel} aria-label={title} data-escapable>
      <div className={styles.inner}>
        <div className={styles.picture} style={{ backgroundColor: channel.color }}>
          {(programme?.image ?? null) === null
            ? channel.logoImage !== null && (
                <Picture image={channel.logoImage} sizes="196px" className={styles.logo} />
              )
            : programme?.image && (
                <Picture
                  key={programme.image.url}
                  image={programme.image}
                  sizes="196px"
                  blurred={programme.isBlurred}
                />
              )}
          {state === 'live' && (
            <span className={styles.progress}>
              <Progress value={elapsedShare({ startutc: start, endutc: end }, now)} tone="live" />
            </span>
          )}
        </div>
        <div className={styles.words}>
          <p className={styles.eyebrow} data-state={state}>
            {channel.name} · {state === 'live' ? t('tag.live') : t(`guide.${state}`)}
          </p>
          <h2 className={styles.title} dir="auto">
            {title}
          </h2>
          <p className={styles.meta}>
            <span>
              {state === 'live' ? spanText(start, end, place, t) : whenText(start, end, now, place, t)}
            </span>
            {programme?.subtitle && <span dir="auto">{programme.subtitle}</span>}
            {programme?.genre && <span>{programme.genre}</span>}
            {programme !== undefined && (
              <span className={styles.age} title={maturityText(programme.rating, levelAges, t).text}>
                {maturityText(programme.rating, levelAges, t).short}
              </span>
            )}
            {recording !== undefined && <RecordState state={recording} />}
            {state === 'live' && <span>{t('meta.remaining', { duration: secondsText(end - now, t) })}</span>}
          </p>
          {programme?.synopsis && (
            <p className={styles.synopsis} dir="auto">
              {programme.synopsis}
            </p>
          )}
          {programme !== undefined && <ForbiddenNote programme={programme} channel={channel} />}
          {programme !== undefined && <StartOverNote programme={programme} channel={channel} now={now} />}
          {programme !== undefined && <RecordNote programme={programme} channel={channel} />}
          {data?.next && state === 'live' && (
            <p className={styles.note}>
              {t('guide.following', { time: timeText(data.next.startutc, place), title: data.next.title })}
            </p>
          )}
        </div>
        <div className={styles.actions}>
          {state === 'live' && <ChannelPlayButton channel={channel} />}
          <ChannelOffers channel={channel} isMain={state === 'live'} />
          {page !== undefined && (
            <ButtonLink to={page} look={state === 'live' ? 'secondary' : 'primary'}>
              <InfoIcon />
              {t('guide.details')}
            </ButtonLink>
          )}
          {programme !== undefined && <RecordButton programme={programme} channel={channel} />}
          {programme !== undefined && <SeriesButton programme={programme} channel={channel} />}
          <FavouriteButton thing={{ idChannel: channel.idChannel }} title={channel.name} />
          {page !== undefined && (
            <ShareButton
              title={title}
              image={programme === undefined || programme.isBlurred ? null : programme.image}
              path={page}
            />
          )}
          {programme !== undefined && (
            <StartOverButton key={programme.id} programme={programme} channel={channel} now={now} />
          )}
          <TextLink to={channel.detailRoute} className={styles.channel ?? ''}>
            {t('guide.toChannel', { channel: channel.name })}
          </TextLink>
        </div>
        {data !== undefined && <More event={data} now={now} />}
        {failed && (
          <div className={styles.failed}>
            <PartError
              name=""
              onRetry={() => {
                void refetch()
                // The guide may have changed, so that its tile is out of date too.
                void queries.invalidateQueries({ queryKey: [epgGrid.name] })
              }}
            />
          </div>
        )}
      </div>
      <Button look="icon" className={styles.close} aria-label={t('guide.close')} onPress={onClose}>
        <CloseIcon />
      </Button>
    </section>
  )
}

/** Further details of a programme: labels, credits and other showings. */
function More({
  event: { current, announced, showings, parts },
  now,
}: {
  event: OutputOf<typeof epgEvent>
  now: number
}) {
  const { t } = useTranslation()
  const place = usePlace()
  const credits = shortCredits(announced, t)
  const others = showings.filter(({ endutc }) => endutc > now)
  return (
    <div className={styles.more}>
      <Flags announced={announced} />
      {credits !== '' && (
        <p className={styles.note} dir="auto">
          {credits}
        </p>
      )}
      {parts.length > 0 && (
        <ul className={styles.showings} aria-label={t('guide.parts')}>
          <li aria-hidden="true">{t('guide.parts')}</li>
          {titlesOnce(parts)
            .slice(0, SHOWINGS_SHOWN)
            .map(({ title, subtitle, idAsset }) => (
              <li key={idAsset}>
                <TextLink to={assetRoute(subtitle || title, idAsset)}>{subtitle || title}</TextLink>
              </li>
            ))}
        </ul>
      )}
      {others.length > 0 && (
        <ul className={styles.showings} aria-label={t('guide.showings')}>
          <li aria-hidden="true">{t('guide.showings')}</li>
          {others.slice(0, SHOWINGS_SHOWN).map((showing) => (
            <li key={showing.id}>
              <TextLink to={programmePath(showing)}>
                {beginningText(showing.startutc, now, place, t, 'short')}
              </TextLink>
              {showing.id_channel !== current.id_channel && ` ${showing.direct_metadata.channel_name}`}
            </li>
          ))}
        </ul>
      )}
    </div>
  )
}
