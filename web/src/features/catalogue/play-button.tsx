import { ButtonLink } from '../../design/button.tsx'
import { LockIcon, PersonIcon, PlayIcon, WarningIcon } from '../../design/icons.tsx'
import styles from './play-button.module.css'
import type { PlayAction } from './playing.ts'

/** The one thing to do with a title, or the words that say why there is nothing to press. */
export function PlayButton({ action }: { action: PlayAction }) {
  if (action.kind === 'play') {
    return (
      <ButtonLink look="primary" to={action.to}>
        <PlayIcon />
        {action.text}
      </ButtonLink>
    )
  }
  if (action.kind === 'connect') {
    return (
      <ButtonLink look="primary" to={action.to} label={action.label}>
        <PersonIcon />
        {action.text}
      </ButtonLink>
    )
  }
  return (
    <p className={styles.reason} data-kind={action.kind}>
      {action.kind === 'locked' && <LockIcon />}
      {action.kind === 'suspended' && <WarningIcon />}
      {action.text}
    </p>
  )
}
