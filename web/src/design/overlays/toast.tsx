import { type ReactNode, useState } from 'react'
import { Group } from 'react-aria-components/Group'
import { Button } from '../buttons/button.tsx'
import { CheckIcon, CloseIcon, InfoIcon, WarningIcon } from '../icons/icons.tsx'
import { useCountdown } from '../time/use-countdown.ts'
import styles from './toast.module.css'

/** The kind of message of a toast. */
export type ToastTone = 'plain' | 'good' | 'bad'

const ICONS: Record<ToastTone, () => ReactNode> = { plain: InfoIcon, good: CheckIcon, bad: WarningIcon }

/**
 * A short notice at the bottom of the window. It closes after 5 s (V9-10), but not while the pointer is over it,
 * or its button has the focus. Screen readers announce the notice, and the focus does not move.
 */
export function Toast({
  tone = 'plain',
  closeText,
  durationMs,
  onClose,
  action,
  children,
}: {
  tone?: ToastTone
  closeText: string
  /**
   * Time in ms before the toast closes. The default is the time of V9-10. `null` keeps the toast until the
   * viewer closes it.
   */
  durationMs?: number | null
  onClose: () => void
  /** An action in the toast, such as undo. */
  action?: { text: string; onPress: () => void } | undefined
  children: ReactNode
}) {
  const [held, setHeld] = useState(false)
  const Icon = ICONS[tone]
  return (
    <Group role="presentation" className={styles.toast ?? ''} data-tone={tone} onHoverChange={setHeld}>
      <span className={styles.icon}>
        <Icon />
      </span>
      <span className={styles.text}>{children}</span>
      {action !== undefined && (
        <Button look="plain" className={styles.action} onPress={action.onPress} onFocusChange={setHeld}>
          {action.text}
        </Button>
      )}
      <Button
        look="plain"
        className={styles.close}
        aria-label={closeText}
        onPress={onClose}
        onFocusChange={setHeld}
      >
        <CloseIcon />
      </Button>
      {durationMs !== null && <Rest durationMs={durationMs} held={held} onEnd={onClose} />}
    </Group>
  )
}

/** A line that shows how much time remains before the toast closes. */
function Rest(props: { durationMs: number | undefined; held: boolean; onEnd: () => void }) {
  const share = useCountdown(props)
  return <span className={styles.rest} aria-hidden="true" style={{ transform: `scaleX(${1 - share})` }} />
}
