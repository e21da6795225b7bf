import { SCORES } from '@ondine/contract/constants'
import { changeScoreAsset, type TitleScore } from '@ondine/contract/scores'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { call } from '../../../api/call.ts'
import { Button } from '../../../design/buttons/button.tsx'
import { StarIcon } from '../../../design/icons/screen-icons.tsx'
import { scoreText } from '../../../words/format.ts'
import { usePlace } from '../../../words/place.tsx'
import { useSession } from '../../ground/session/session.ts'
import { type NamedTitle, scoreQuery } from './queries.ts'
import styles from './score-stars.module.css'

const VALUES = Array.from({ length: SCORES.max }, (_, index) => index + 1)

/**
 * Returns whether any viewer has scored a title. The title's page then shows the viewers' average instead of the
 * published score.
 */
export function useIsScored(title: NamedTitle): boolean {
  const { data } = useQuery(scoreQuery(title))
  return data?.average != null
}

/**
 * The viewers' average score of a title. A signed-in viewer scores the title by pressing a star, and removes the
 * score by pressing the same star again (V7-16, V7-17).
 */
export function ScoreStars({ of: title }: { of: NamedTitle }) {
  const { t } = useTranslation()
  const { language } = usePlace()
  const { profile } = useSession()
  const queryClient = useQueryClient()
  const query = scoreQuery(title)
  const { data } = useQuery(query)
  const { score = null, average = null, count = 0 } = data ?? {}

  async function give(chosen: number): Promise<void> {
    const before = queryClient.getQueryData<TitleScore>(query.queryKey)
    const wanted = chosen === score ? 0 : chosen
    if (before) queryClient.setQueryData(query.queryKey, { ...before, score: wanted === 0 ? null : wanted })
    try {
      queryClient.setQueryData(query.queryKey, await call(changeScoreAsset, { ...title, score: wanted }))
    } catch (error) {
      queryClient.setQueryData(query.queryKey, before)
      throw error
    }
  }

  if (profile === null && count === 0) return null
  return (
    <div className={styles.line}>
      {profile !== null && (
        <fieldset className={styles.stars}>
          <legend className={styles.label}>{t('score.own')}</legend>
          {VALUES.map((value) => (
            <Button
              key={value}
              look="plain"
              className={styles.star}
              aria-label={t('score.give', { score: value, max: SCORES.max })}
              aria-pressed={value === score}
              data-lit={(score !== null && value <= score) || undefined}
              onPress={() => void give(value)}
            >
              <StarIcon />
            </Button>
          ))}
        </fieldset>
      )}
      {average !== null && (
        <p className={styles.average}>
          {t('score.average', { score: scoreText(average, language), max: SCORES.max, count })}
        </p>
      )}
    </div>
  )
}
