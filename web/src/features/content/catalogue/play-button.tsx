import { useNavigate } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { Button, ButtonLink } from '../../../design/buttons/button.tsx'
import { LockIcon, PersonIcon, PlayIcon } from '../../../design/icons/icons.tsx'
import { modal } from '../../../modals/modal.ts'
import { preloadModals } from '../../../modals/modal-host.tsx'
import { useConfiguration } from '../../ground/configuration/use-configuration.ts'
import { isChild, useSession } from '../../ground/session/session.ts'
import { SubscribeButton } from '../../rights/offers/subscribe-button.tsx'
import { useShop } from '../../rights/offers/use-shop.ts'
import styles from './play-button.module.css'
import { type MediaQuestion, mediaPath, type PlayAction } from './playing.ts'

/** The note above the offers for a locked title. Renders nothing if the title is not locked. */
export function LockedNote({ action }: { action: PlayAction | undefined }) {
  const session = useSession()
  const { t } = useTranslation()
  if (action?.kind !== 'locked') return null
  return (
    <p className={styles.note}>
      <LockIcon />
      {isChild(session) ? t('child.locked') : action.text}
    </p>
  )
}

/**
 * The main action for a title, or a text that says why the title cannot be played.
 *
 * @param isSecond whether the page has another main action. The button to sign in is then less prominent. The note
 * of a locked title is left out, because {@link LockedNote} is above the main button.
 */
export function PlayButton({ action, isSecond = false }: { action: PlayAction; isSecond?: boolean }) {
  const { player } = useConfiguration()
  const { shop } = useShop()
  const session = useSession()
  const { t } = useTranslation()
  switch (action.kind) {
    case 'play':
      if (action.choice !== undefined && player.mediaSelectionEnabled) {
        return <ChooseButton {...action} choice={action.choice} />
      }
      return (
        <ButtonLink look="primary" to={action.to}>
          <PlayIcon />
          {action.text}
        </ButtonLink>
      )
    case 'connect':
      return (
        <ButtonLink look={isSecond ? 'secondary' : 'primary'} to={action.to} label={action.label}>
          <PersonIcon />
          {action.text}
        </ButtonLink>
      )
    case 'suspended':
      return <ModalButton text={action.text} onPress={() => modal.open('suspended', {})} />
    case 'locked':
      return (
        <>
          {!isSecond && <Reason kind="locked" text={isChild(session) ? t('child.locked') : action.text} />}
          <SubscribeButton shop={shop} />
        </>
      )
    default:
      return <Reason kind="preparing" text={action.text} />
  }
}

function Reason({ kind, text }: { kind: 'locked' | 'preparing'; text: string }) {
  return (
    <p className={styles.reason} data-kind={kind}>
      {kind === 'locked' && <LockIcon />}
      {text}
    </p>
  )
}

/** Plays the media that the viewer chooses (V4-15). */
function ChooseButton({ text, to, choice }: { text: string; to: string; choice: MediaQuestion }) {
  const navigate = useNavigate()

  async function choose(): Promise<void> {
    const media = await modal.open('manageMedia', choice)
    if (media !== null) await navigate({ href: mediaPath(to, media) })
  }

  return <ModalButton text={text} onPress={choose} />
}

function ModalButton({ text, onPress }: { text: string; onPress: () => Promise<void> }) {
  return (
    <Button
      look="primary"
      aria-haspopup="dialog"
      onHoverStart={preloadModals}
      onFocus={preloadModals}
      onPress={() => void onPress()}
    >
      <PlayIcon />
      {text}
    </Button>
  )
}
