import type { Asset, Category } from '@ondine/contract/entities'
import { useSuspenseInfiniteQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { BareLink } from '../../design/link.tsx'
import { ScreenHead } from '../../design/screen-head.tsx'
import { EpisodeList } from './episode-list.tsx'
import { ListEnd } from './list-end.tsx'
import { playlistQuery } from './list-query.ts'
import styles from './playlist-screen.module.css'

/** All episodes of a catalogue of series, one series after the other, season by season (decision 4). */
export function PlaylistScreen({ title, ids }: { title: string; ids: readonly number[] }) {
  const { t } = useTranslation()
  const query = useSuspenseInfiniteQuery(playlistQuery(ids))
  const shown = query.data.pages.flat()
  return (
    <div className={styles.screen}>
      <ScreenHead
        title={title || t('playlist.title')}
        lead={t(shown.length === 0 ? 'playlist.empty' : 'playlist.text')}
      />
      {shown.map((each) => (
        <section key={each.idCatalog} className={styles.series} aria-label={each.name}>
          <div className={styles.name}>
            <h2 dir="auto">{each.name}</h2>
            <BareLink
              to={each.detailRoute}
              className={styles.more}
              aria-label={t('playlist.pageOf', { title: each.name })}
            >
              {t('playlist.page')}
            </BareLink>
          </div>
          {seasonsOf(each).map(({ number, episodes }) => (
            <div key={number} className={styles.season}>
              <h3 className={styles.number}>{t('detail.season', { number })}</h3>
              <EpisodeList episodes={episodes} page={each.detailRoute} />
            </div>
          ))}
        </section>
      ))}
      {shown.length > 0 && <ListEnd query={query} />}
    </div>
  )
}

function seasonsOf(series: Category): { number: number; episodes: Asset[] }[] {
  const seasons = series.categories
    .filter(({ isSeason, assets }) => isSeason && assets.length > 0)
    .map(({ seasonNumber, assets }) => ({ number: seasonNumber, episodes: assets }))
  return seasons.length === 0 && series.assets.length > 0 ? [{ number: 1, episodes: series.assets }] : seasons
}
