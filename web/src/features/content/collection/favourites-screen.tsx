import type { Channel } from '@ondine/contract/entities'
import { useQuery } from '@tanstack/react-query'
import { useMemo, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { ButtonLink } from '../../../design/buttons/button.tsx'
import { HeartIcon } from '../../../design/icons/icons.tsx'
import { Grid } from '../../../design/lists/grid.tsx'
import { useKeptFocus } from '../../../design/lists/use-kept-focus.ts'
import { EmptyNote } from '../../../design/page/empty-note.tsx'
import { ScreenTitle } from '../../../design/page/screen-title.tsx'
import { QueryPart } from '../../ground/errors/query-part.tsx'
import { pathOf } from '../../ground/links/content-link.ts'
import { ChannelCard } from '../catalogue/channel-card.tsx'
import { HomePosters } from '../catalogue/home-posters.tsx'
import { ItemCard, itemKey } from '../catalogue/item-card.tsx'
import { favouriteChannelsQuery, favouriteTitlesQuery } from '../favourites/favourites-query.ts'
import { currentProgramme } from '../line-up/current-programme.ts'
import { useWallProgrammes } from '../line-up/use-wall-programmes.ts'
import { WALL_PAGE, wallPage } from '../line-up/wall-page.ts'
import { CardSection, type OtherCards } from './card-section.tsx'
import styles from './favourites-screen.module.css'

/**
 * The profile's favourites: channels with their current programmes, films and series, and recordings (A2.1-14). `start`
 * is the start of the guide's window with which the page was rendered.
 */
export function FavouritesScreen({ start, recordings }: { start: number; recordings: OtherCards }) {
  const { t } = useTranslation()
  const screen = useRef<HTMLDivElement>(null)
  useKeptFocus(screen)
  return (
    <div ref={screen} className={styles.screen}>
      <ScreenTitle>{t('favourites.title')}</ScreenTitle>
      <QueryPart name={t('favourites.channels')} query={favouriteChannelsQuery} waiting={null}>
        {(channels) =>
          channels.length > 0 && (
            <CardSection name="favourite-channels" title={t('favourites.channels')}>
              <FavouriteChannels channels={channels} start={start} />
            </CardSection>
          )
        }
      </QueryPart>
      <QueryPart name={t('favourites.titles')} query={favouriteTitlesQuery} waiting={<Waiting />}>
        {(items) =>
          items.length === 0 ? (
            recordings.isEmpty && <NoTitles />
          ) : (
            <CardSection name="favourite-titles" title={t('favourites.titles')}>
              <Grid layout="Cover">
                {items.map((item) => (
                  <ItemCard key={itemKey(item)} item={item} layout="Cover" showNew />
                ))}
              </Grid>
            </CardSection>
          )
        }
      </QueryPart>
      {recordings.section}
    </div>
  )
}

function FavouriteChannels({ channels, start }: { channels: readonly Channel[]; start: number }) {
  const cards = useMemo(() => {
    const pages = Array.from({ length: Math.ceil(channels.length / WALL_PAGE) }, (_, page) =>
      wallPage(channels, page),
    )
    return pages.flatMap((page) => page.channels.map((channel) => ({ channel, ids: page.ids })))
  }, [channels])
  return (
    <Grid layout="Cover">
      {cards.map(({ channel, ids }) => (
        <FavouriteChannel key={channel.idChannel} channel={channel} ids={ids} start={start} />
      ))}
    </Grid>
  )
}

/** The card of a favourite channel. `ids` are the channels whose programmes are fetched by the same call. */
function FavouriteChannel({
  channel,
  ids,
  start,
}: {
  channel: Channel
  ids: readonly number[]
  start: number
}) {
  const { now, programmesOf } = useWallProgrammes(start, ids)
  const programme = currentProgramme(programmesOf(channel.idChannel), now)
  return <ChannelCard channel={channel} programme={programme} layout="Cover" />
}

/**
 * The note for a profile without favourites. Renders nothing if the profile has favourite channels, or if they could
 * not be fetched.
 */
function NoTitles() {
  const { t } = useTranslation()
  const { data: channels, isError } = useQuery(favouriteChannelsQuery)
  if (channels === undefined) return isError ? null : <Waiting />
  if (channels.length > 0) return null
  return (
    <>
      <EmptyNote icon={<HeartIcon />} text={t('favourites.empty')}>
        <ButtonLink to={pathOf('home')}>{t('favourites.goHome')}</ButtonLink>
      </EmptyNote>
      <div className={styles.suggestions}>
        <HomePosters />
      </div>
    </>
  )
}

function Waiting() {
  return <div className={styles.waiting} aria-busy="true" />
}
