import type { Asset } from '@ondine/contract/entities'
import { useTranslation } from 'react-i18next'
import { BareLink } from '../../../design/buttons/link.tsx'
import { Progress } from '../../../design/cards/progress.tsx'
import { Tag } from '../../../design/cards/tag.tsx'
import { PlayIcon } from '../../../design/icons/icons.tsx'
import { Picture } from '../../../design/pictures/picture.tsx'
import { useHour } from '../../../design/time/use-hour.ts'
import { episodeNumbers } from '../../../words/episode-numbers.ts'
import { lengthText } from '../../../words/format.ts'
import { useConfiguration } from '../../ground/configuration/use-configuration.ts'
import { useSession } from '../../ground/session/session.ts'
import { isNewRare } from './asset-tags.ts'
import { useCardNote } from './card-notes.ts'
import styles from './episode-list.module.css'
import { assetAction, isBegun, isFinished } from './playing.ts'
import { useAssetTags } from './use-asset-tags.ts'

/** The episodes of a season. A press on the picture plays the episode. The title is a link to the episode's page. */
export function EpisodeList({
  episodes,
  page,
  heading = 'h2',
}: {
  episodes: Asset[]
  page: string
  /** The element of an episode's title. */
  heading?: 'h2' | 'h5'
}) {
  const { t } = useTranslation()
  const now = useHour()
  const showNew = isNewRare(episodes, now, useConfiguration().catalogue.newDays)
  if (episodes.length === 0) return <p className={styles.empty}>{t('detail.noEpisodes')}</p>
  return (
    <ol className={styles.list}>
      {episodes.map((episode) => (
        <Episode
          key={episode.idAsset}
          episode={episode}
          page={page}
          heading={heading}
          at={{ now, showNew }}
        />
      ))}
    </ol>
  )
}

function Episode({
  episode,
  page,
  heading: Heading,
  at,
}: {
  episode: Asset
  page: string
  heading: 'h2' | 'h5'
  at: { now: number; showNew: boolean }
}) {
  const { t } = useTranslation()
  const session = useSession()
  const action = assetAction(episode, session, page, t)
  const note = useCardNote(episode.idAsset)
  const tags = [...note.tags, ...useAssetTags()(episode, at)]
  const { title } = episode
  const label = action.kind === 'play' ? t('detail.actionOf', { action: action.text, title }) : title
  return (
    <li className={styles.episode}>
      <span className={styles.number} aria-hidden="true">
        {episodeNumbers(episode.directMetadata)?.episode}
      </span>
      <BareLink
        to={action.kind === 'play' ? action.to : episode.detailRoute}
        className={styles.picture}
        aria-label={[label, ...tags.map((tag) => tag.label ?? tag.text)].join(', ')}
      >
        {episode.thumbnailImage !== null && (
          <Picture image={episode.thumbnailImage} sizes="240px" blurred={episode.isBlurred} />
        )}
        {action.kind === 'play' && (
          <span className={styles.play}>
            <PlayIcon />
          </span>
        )}
        {tags.length > 0 && (
          <span className={styles.tags}>
            {tags.map((tag) => (
              <Tag key={tag.tone} {...tag} />
            ))}
          </span>
        )}
        {(note.progress !== undefined || isBegun(episode) || isFinished(episode)) && (
          <span className={styles.progress}>
            <Progress value={note.progress ?? episode.alreadyWatchedInPercent / 100} />
          </span>
        )}
      </BareLink>
      <div className={styles.words}>
        <Heading className={styles.title}>
          <BareLink to={episode.detailRoute}>{title}</BareLink>
        </Heading>
        <p className={styles.text}>{episode.description || episode.tagline}</p>
      </div>
      <span className={styles.length}>
        {episode.durationInSeconds > 0 && lengthText(episode.durationInSeconds, t)}
      </span>
    </li>
  )
}
