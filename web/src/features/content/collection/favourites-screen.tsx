import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { ButtonLink } from '../../../design/buttons/button.tsx'
import { HeartIcon } from '../../../design/icons/icons.tsx'
import { Grid } from '../../../design/lists/grid.tsx'
import { EmptyNote } from '../../../design/page/empty-note.tsx'
import { ScreenTitle } from '../../../design/page/screen-title.tsx'
import { QueryPart } from '../../ground/errors/query-part.tsx'
import { pathOf } from '../../ground/links/content-link.ts'
import { HomePosters } from '../catalogue/home-posters.tsx'
import { ItemCard, itemKey } from '../catalogue/item-card.tsx'
import { favouriteChannelsQuery, favouriteTitlesQuery } from '../favourites/favourites-query.ts'
import styles from './favourites-screen.module.css'

/** The profile's favourites: channels, films and series (A2.1-14). */
export function FavouritesScreen() {
  const { t } = useTranslation()
  return (
    <div className={styles.screen}>
      <ScreenTitle>{t('favourites.title')}</ScreenTitle>
      <QueryPart name={t('favourites.channels')} query={favouriteChannelsQuery} waiting={null}>
        {(channels) =>
          channels.length > 0 && (
            <section aria-labelledby="favourite-channels">
              <h2 id="favourite-channels" className={styles.heading}>
                {t('favourites.channels')}
              </h2>
              <Grid layout="Cover">
                {channels.map((channel) => (
                  <ItemCard
                    key={channel.idChannel}
                    item={{ type: 'channel', payload: channel, programme: null }}
                    layout="Cover"
                  />
                ))}
              </Grid>
            </section>
          )
        }
      </QueryPart>
      <QueryPart name={t('favourites.titles')} query={favouriteTitlesQuery} waiting={<Waiting />}>
        {(items) =>
          items.length === 0 ? (
            <NoTitles />
          ) : (
            <section aria-labelledby="favourite-titles">
              <h2 id="favourite-titles" className={styles.heading}>
                {t('favourites.titles')}
              </h2>
              <Grid layout="Cover">
                {items.map((item) => (
                  <ItemCard key={itemKey(item)} item={item} layout="Cover" />
                ))}
              </Grid>
            </section>
          )
        }
      </QueryPart>
    </div>
  )
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
