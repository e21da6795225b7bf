import type { ProgrammePart } from '@ondine/contract/channels'
import type { Channel, Programme } from '@ondine/contract/entities'
import { episodeRange } from '@ondine/contract/episode-range'
import { assetRoute } from '@ondine/contract/slugs'
import { useSuspenseQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { ActionRow, Button, ButtonLink, RowWords } from '../../../design/buttons/button.tsx'
import { BareLink, TextLink } from '../../../design/buttons/link.tsx'
import { Progress } from '../../../design/cards/progress.tsx'
import { FilmIcon, GuideIcon, LiveIcon } from '../../../design/icons/icons.tsx'
import { Stage } from '../../../design/pictures/stage.tsx'
import { useNow } from '../../../design/time/clock.ts'
import { elapsedShare, liveState } from '../../../design/time/live-state.ts'
import { episodeNumbers } from '../../../words/episode-numbers.ts'
import { maturityText, rangeLengthText, secondsText } from '../../../words/format.ts'
import { usePlace } from '../../../words/place.tsx'
import { Facts } from '../../content/catalogue/facts.tsx'
import { shownFacts } from '../../content/catalogue/shown-facts.ts'
import { FavouriteButton } from '../../content/favourites/favourite-button.tsx'
import { channelsQuery } from '../../content/line-up/queries.ts'
import { useConfiguration } from '../../ground/configuration/use-configuration.ts'
import { guideDays } from '../../ground/days/days.ts'
import { whenText } from '../../ground/days/showing-when.ts'
import { QueryPart } from '../../ground/errors/query-part.tsx'
import { ShareButton } from '../../ground/share/share-button.tsx'
import { ChannelOffers, ChannelPlayButton, useIsChannelSold } from '../channels/channel-offers.tsx'
import { ProgrammeList } from '../channels/programme-list.tsx'
import { useStagePicture } from '../channels/use-stage-picture.ts'
import { RecordButton, RecordNote } from '../recordings/record-button.tsx'
import { useChangesOfState } from '../recordings/recorded-programmes.ts'
import { SeriesButton } from '../recordings/series-button.tsx'
import { ForbiddenNote } from '../schedule/forbidden-note.tsx'
import { Neighbours } from '../schedule/neighbours.tsx'
import { guidePath, programmePath } from '../schedule/programme-path.ts'
import { eventQuery, followingQuery, KEPT_FRESH } from '../schedule/queries.ts'
import { SOON } from '../schedule/start-over.ts'
import { StartOverButton, useMayStartOver } from '../schedule/start-over-button.tsx'
import { announcedFacts } from './announced.ts'
import styles from './event-screen.module.css'
import { Flags } from './flags.tsx'
import { dayRange } from './range.ts'
import { titlesOnce } from './titles-once.ts'

/** Number of following programmes that the page shows. */
const FOLLOWING_SHOWN = 8
/** Number of other showings that the page shows until the viewer requests all of them. */
const SHOWINGS_SHOWN = 4

/**
 * The page of a programme: its description, its time and channel, the programmes before and after it, and its other
 * showings (V2.1-08).
 */
export function EventScreen({ id }: { id: number }) {
  const { t } = useTranslation()
  const now = useNow()
  const place = usePlace()
  const {
    catalogue,
    guide: { channelEventsGuideConfiguration, epgGridConfiguration },
  } = useConfiguration()
  const { data: event } = useSuspenseQuery({ ...eventQuery(id), ...KEPT_FRESH })
  const { data: channels } = useSuspenseQuery(channelsQuery)
  const { current, previous, next, showings, announced, parts } = event
  const pictures = useStagePicture(current)
  useChangesOfState()
  const channel = channels.find(({ idChannel }) => idChannel === current.id_channel)
  const state = liveState(current, now)
  const [openedAt] = useState(now)
  // Before a programme begins, the start-over button has reserved space at the end of the row, where an empty
  // space is not noticed.
  const hasBegun = current.startutc <= openedAt
  // An ended programme can only be watched from its beginning, so the start-over button is the main action.
  const isOver = current.endutc <= openedAt
  const others = showings.filter(({ endutc }) => endutc > now)
  if (channel === undefined) return null
  const facts = shownFacts(
    announcedFacts(announced, { place, isOfLibrary: current.idAsset !== null, t }),
    catalogue.metadataShown,
  )
  const following = t('guide.followingOn', { channel: channel.name })
  return (
    <div className={styles.screen}>
      <Stage
        {...pictures}
        eyebrow={`${channel.name} · ${state === 'live' ? t('tag.live') : t(`guide.${state}`)}`}
        tone={state === 'live' ? 'live' : 'accent'}
        title={current.title}
        logo={null}
      >
        <When key={current.id} programme={current} now={now} />
        <Flags announced={announced} />
        {current.synopsis !== '' && (
          <p className={styles.synopsis} dir="auto">
            {current.synopsis}
          </p>
        )}
        <ForbiddenNote programme={current} channel={channel} />
        <ChannelOffers channel={channel} isMain={!isOver} />
        <ActionRow>
          {isOver && (
            <StartOverButton
              key={`over ${current.id}`}
              programme={current}
              channel={channel}
              now={now}
              look="primary"
            />
          )}
          <MainAction key={current.id} programme={current} channel={channel} now={now} />
          {hasBegun && !isOver && (
            <StartOverButton key={`over ${current.id}`} programme={current} channel={channel} now={now} />
          )}
          {current.idAsset !== null && (
            <ButtonLink to={assetRoute(current.title, current.idAsset)}>
              <FilmIcon />
              <RowWords>{t('guide.inCatalogue')}</RowWords>
            </ButtonLink>
          )}
          {epgGridConfiguration.pageActivation && (
            <ButtonLink
              to={guidePath(current, guideDays(now, place.timeZone, dayRange(epgGridConfiguration)))}
            >
              <GuideIcon />
              <RowWords>{t('guide.inGuide')}</RowWords>
            </ButtonLink>
          )}
          <RecordButton programme={current} channel={channel} />
          <SeriesButton programme={current} channel={channel} />
          <FavouriteButton
            thing={current.idAsset === null ? { idChannel: channel.idChannel } : { idAsset: current.idAsset }}
            title={current.idAsset === null ? channel.name : current.title}
          />
          <ShareButton
            title={current.title}
            image={current.isBlurred ? null : current.image}
            path={programmePath(current)}
          />
          {!hasBegun && (
            <StartOverButton key={`over ${current.id}`} programme={current} channel={channel} now={now} />
          )}
        </ActionRow>
        <RecordNote programme={current} channel={channel} />
      </Stage>
      {facts.length > 0 && (
        <section className={styles.part} aria-label={t('programme.about')}>
          <Facts facts={facts} />
        </section>
      )}
      {parts.length > 0 && (
        <section className={styles.part} aria-label={t('guide.parts')}>
          <h2>{t('guide.parts')}</h2>
          <Parts parts={titlesOnce(parts)} />
        </section>
      )}
      <Neighbours previous={previous} current={current} next={next} now={now} />
      {others.length > 0 && <Showings key={current.id} showings={others} current={current} now={now} />}
      <QueryPart name={following} query={followingQuery(current)} waiting={null}>
        {(guide) => {
          const programmes = (guide[`chan_${channel.idChannel}`] ?? []).filter(
            ({ startutc, endutc }) => startutc >= current.endutc && endutc > openedAt,
          )
          return programmes.length === 0 ? null : (
            <section className={styles.part} aria-label={following}>
              <h2>{following}</h2>
              <ProgrammeList
                programmes={programmes.slice(0, FOLLOWING_SHOWN)}
                channel={channel}
                now={now}
                after={current}
              />
              {channelEventsGuideConfiguration.pageActivation && (
                <p className={styles.more}>
                  <TextLink to={`${channel.detailRoute}/epg`}>{t('guide.wholeGuide')}</TextLink>
                </p>
              )}
            </section>
          )
        }}
      </QueryPart>
    </div>
  )
}

/**
 * The main action: while the programme is live, a button that plays it, otherwise a link to its channel. If the
 * link will replace the button while the page is open, space is reserved for both, so that nothing moves. Both are
 * as wide as the wider of them, so the link then has a short text.
 */
function MainAction({ programme, channel, now }: { programme: Programme; channel: Channel; now: number }) {
  const { t } = useTranslation()
  const isLive = liveState(programme, now) === 'live'
  const [mayChange] = useState(() => now < programme.endutc)
  const startsOver = useMayStartOver({ programme, channel, now })
  const isSold = useIsChannelSold(channel)
  return (
    <div className={styles.main}>
      {mayChange && (
        <div data-unseen={!isLive || undefined}>
          <ChannelPlayButton channel={channel} page={programmePath(programme)} />
        </div>
      )}
      <div data-unseen={isLive || undefined}>
        <ButtonLink
          to={channel.detailRoute}
          look={(mayChange ? isSold : startsOver) ? 'secondary' : 'primary'}
          label={t(mayChange ? 'guide.channelOf' : 'guide.toChannel', { channel: channel.name })}
        >
          <LiveIcon />
          <RowWords>
            {mayChange ? t('guide.channel') : t('guide.toChannel', { channel: channel.name })}
          </RowWords>
        </ButtonLink>
      </div>
    </div>
  )
}

/** The programme's times, its length, its age rating, and its progress. */
function When({ programme, now }: { programme: Programme; now: number }) {
  const { t } = useTranslation()
  const place = usePlace()
  const { startutc, endutc, subtitle, genre, rating, direct_metadata } = programme
  const { TS_PRODYEAR: year } = direct_metadata
  const numbers = episodeNumbers(direct_metadata)
  const state = liveState(programme, now)
  // Space is reserved when the page opens. If the programme begins or ends later, the text changes, but nothing
  // moves.
  const [hasRoom] = useState(() => now < endutc && startutc - now < SOON)
  const { levelAges } = useConfiguration().accounts
  const age = maturityText(rating, levelAges, t)
  return (
    <>
      <p className={styles.when}>
        <strong>
          <time dateTime={new Date(startutc * 1000).toISOString()}>
            {whenText(startutc, endutc, now, place, t)}
          </time>
        </strong>
        <span>{rangeLengthText(startutc, endutc, t)}</span>
        {numbers && <span>{t('meta.episode', numbers)}</span>}
        {subtitle !== '' && <span dir="auto">{subtitle}</span>}
        {genre !== '' && <span>{genre}</span>}
        {year !== undefined && <span>{year}</span>}
        <span className={styles.age} title={age.text}>
          {age.short}
        </span>
      </p>
      {(hasRoom || state === 'live') && (
        <div className={styles.progress}>
          <Progress
            value={elapsedShare(programme, now)}
            {...(state === 'live' && {
              tone: 'live',
              label: t('live.progress', { title: programme.title }),
            })}
          />
          <span>
            {state === 'starts' && t('guide.startsIn', { duration: secondsText(startutc - now, t) })}
            {state === 'live' && t('meta.remaining', { duration: secondsText(endutc - now, t) })}
            {state === 'done' && t('guide.done')}
          </span>
        </div>
      )}
    </>
  )
}

/**
 * The names of the titles in a block. An episode also has its number, and the name of its series if the block has
 * titles of several series.
 */
function Parts({ parts }: { parts: readonly ProgrammePart[] }) {
  const { t } = useTranslation()
  const isOneSeries = new Set(parts.map(({ title }) => title)).size === 1
  return (
    <ul className={styles.entries}>
      {parts.map(({ title, subtitle, season, episode, lastEpisode, idAsset }) => (
        <li key={idAsset}>
          <BareLink to={assetRoute(subtitle || title, idAsset)} className={styles.entry}>
            {season !== null && episode !== null && (
              <span className={styles.beside}>
                {t('meta.episode', { season, episode: episodeRange(episode, lastEpisode) })}
              </span>
            )}
            {subtitle || title}
            {subtitle !== '' && !isOneSeries && <span className={styles.beside}>{title}</span>}
          </BareLink>
        </li>
      ))}
    </ul>
  )
}

/**
 * The other showings of a programme. A button shows all showings after the first few. A showing on another channel
 * names that channel.
 */
function Showings({
  showings,
  current,
  now,
}: {
  showings: readonly Programme[]
  current: Programme
  now: number
}) {
  const { t } = useTranslation()
  const place = usePlace()
  const [whole, setWhole] = useState(false)
  return (
    <section className={styles.part} aria-label={t('guide.showings')}>
      <h2>{t('guide.showings')}</h2>
      <div className={styles.entries}>
        <ul className={styles.list}>
          {(whole ? showings : showings.slice(0, SHOWINGS_SHOWN)).map((showing) => (
            <li key={showing.id}>
              <BareLink to={programmePath(showing)} className={styles.entry}>
                {whenText(showing.startutc, showing.endutc, now, place, t)}
                {showing.id_channel !== current.id_channel && (
                  <span className={styles.beside}>{showing.direct_metadata.channel_name}</span>
                )}
              </BareLink>
            </li>
          ))}
        </ul>
        {showings.length > SHOWINGS_SHOWN && (
          <Button
            className={`${styles.entry} ${styles.all}`}
            aria-expanded={whole}
            onPress={() => setWhole(!whole)}
          >
            {t('guide.allShowings')}
          </Button>
        )}
      </div>
    </section>
  )
}
