import { Link } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { Icon } from './icon.tsx'
import type { Rail, Title } from './page-context.ts'
import { Picture } from './picture.tsx'

/** Shows titles side by side, with a link to the full list. */
export function TitleRail({ rail: { id, title, path, titles } }: { rail: Rail }) {
  const { t } = useTranslation()
  return (
    <section className="rail" aria-labelledby={`rail-${id}`}>
      <div className="head">
        <h2 id={`rail-${id}`}>{title}</h2>
        {path !== null && (
          <Link className="more" aria-label={t('rail.allOf', { title })} to={path}>
            {t('rail.all')}
            <Icon path="M9.5 5.5 16 12l-6.5 6.5" />
          </Link>
        )}
      </div>
      <ul className="track">
        {titles.map((each) => (
          <li key={each.id} className="slide">
            <Card title={each} />
          </li>
        ))}
      </ul>
    </section>
  )
}

function Card({ title: { path, title, durationMinutes, images, live } }: { title: Title }) {
  const { t } = useTranslation()
  return (
    <Link className="card" draggable={false} to={path}>
      <span className="frame">
        {live === null ? (
          <Picture image={images.poster} sizes="(min-width: 1600px) 260px, (min-width: 821px) 200px, 150px" />
        ) : (
          <Picture
            image={images.background}
            sizes="(min-width: 1600px) 360px, (min-width: 821px) 296px, 264px"
          />
        )}
        {live !== null && (
          <>
            <span className="tags">
              <span className="tag">{t('card.live')}</span>
              <span className="corner">{live.channel}</span>
            </span>
            <span className="progress">
              <span style={{ width: `${live.share * 100}%` }} />
            </span>
          </>
        )}
      </span>
      <span className="caption">
        <span className="title">{title}</span>
        <span className="subtitle">{t('card.minutes', { minutes: durationMinutes })}</span>
      </span>
    </Link>
  )
}
