import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { Button } from 'react-aria-components/Button'
import { useTranslation } from 'react-i18next'
import { Icon } from './icon.tsx'
import type { Title } from './page-context.ts'
import { Picture } from './picture.tsx'

/** Shows a title that fills the screen, and changes to the next title regularly. */
export function Highlights({ titles }: { titles: readonly Title[] }) {
  const { t } = useTranslation()
  const [index, setIndex] = useState(0)
  const [moves, setMoves] = useState(true)
  const shown = titles[index]
  if (shown === undefined) return null
  const { title, path, description, year, durationMinutes, rating, medias, images } = shown
  const languages = medias.flatMap(({ audioLanguages }) => audioLanguages).join(', ')
  return (
    <div className="stage">
      <Picture image={images.background} sizes="100vw" first />
      <div className="content">
        <p className="eyebrow">{t('highlights.kind')}</p>
        <h2>{title}</h2>
        <ul className="line">
          <li>{year}</li>
          <li>{t('card.minutes', { minutes: durationMinutes })}</li>
          <li title={rating.text}>{rating.name}</li>
          <li>{t('highlights.audio', { languages })}</li>
        </ul>
        <p>{description}</p>
        <Link
          className="primary"
          aria-label={t('highlights.watch', { title })}
          to="/auth/login"
          search={{ back: '/' }}
        >
          <Icon path="M4.6 20c.9-3.9 3.8-5.9 7.4-5.9s6.5 2 7.4 5.9" />
          {t('signIn')}
        </Link>
        <Link className="secondary" aria-label={t('highlights.moreOf', { title })} to={path}>
          <Icon path="M12 11v5.5M12 7.6v.1" />
          {t('highlights.more')}
        </Link>
      </div>
      <fieldset>
        <legend>{t('highlights.label')}</legend>
        {titles.map((each, choice) => (
          <Button
            key={each.id}
            className="choice"
            aria-label={t('highlights.show', { title: each.title })}
            aria-pressed={choice === index}
            onPress={() => setIndex(choice)}
          >
            <Picture image={each.images.background} sizes="120px" />
          </Button>
        ))}
        <Button
          className="icon"
          aria-label={t('highlights.pause')}
          aria-pressed={!moves}
          onPress={() => setMoves(!moves)}
        >
          <Icon path="M7 4.6v14.8M17 4.6v14.8" />
        </Button>
      </fieldset>
    </div>
  )
}
