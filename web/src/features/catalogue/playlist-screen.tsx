import type { Asset, Category } from '@ondine/contract/entities'
import { useSuspenseQueries } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { BareLink } from '../../design/link.tsx'
import { EpisodeList } from './episode-list.tsx'
import styles from './playlist-screen.module.css'
import { seriesQuery } from './queries.ts'

/** All episodes of a catalogue of series, one series after the other, season by season (decision 4). */
export function PlaylistScreen({ title, series }: { title: string; series: Pick<Category, 'idCatalog'>[] }) {
  const { t } = useTranslation()
  const answers = useSuspenseQueries({ queries: series.map(({ idCatalog }) => seriesQuery(idCatalog)) })
  const shown = answers.flatMap(({ data: { content } }) =>
    content.type === 'category' ? [content.payload] : [],
  )
  return (
    <div className={styles.screen}>
      <header className={styles.head}>
        <h1 className={styles.title} dir="auto">
          {title || t('playlist.title')}
        </h1>
        <p className={styles.note}>{t(shown.length === 0 ? 'playlist.empty' : 'playlist.text')}</p>
      </header>
      {shown.map((each) => (
        <section key={each.idCatalog} className={styles.series} aria-label={each.name}>
          <div className={styles.name}>
            <h2 dir="auto">{each.name}</h2>
            <BareLink
              to={each.detailRoute}
              className={styles.more}
              aria-label={`${t('playlist.page')} : ${each.name}`}
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
    </div>
  )
}

function seasonsOf(series: Category): { number: number; episodes: Asset[] }[] {
  const seasons = series.categories
    .filter(({ isSeason, assets }) => isSeason && assets.length > 0)
    .map(({ seasonNumber, assets }) => ({ number: seasonNumber, episodes: assets }))
  return seasons.length === 0 && series.assets.length > 0 ? [{ number: 1, episodes: series.assets }] : seasons
}
