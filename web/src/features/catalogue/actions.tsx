import { useTranslation } from 'react-i18next'
import { ButtonLink } from '../../design/button.tsx'
import { TrailerIcon } from '../../design/icons.tsx'
import styles from './actions.module.css'
import { PlayButton } from './play-button.tsx'
import type { PlayAction } from './playing.ts'

/** What can be done with a title: play it or what stands in place of that, and its trailer, which is for everyone (V6-02). */
export function Actions({
  action,
  trailer,
  title,
}: {
  action: PlayAction | undefined
  trailer: string | undefined
  title: string
}) {
  const { t } = useTranslation()
  return (
    <div className={styles.actions}>
      {action !== undefined && <PlayButton action={action} />}
      {trailer !== undefined && (
        <ButtonLink to={trailer} label={`${t('play.trailer')} : ${title}`}>
          <TrailerIcon />
          {t('play.trailer')}
        </ButtonLink>
      )}
    </div>
  )
}
