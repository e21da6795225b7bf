import { type ReactNode, useState } from 'react'
import { Group } from 'react-aria-components/Group'
import { Button } from './button.tsx'
import { CheckIcon, CloseIcon, InfoIcon, WarningIcon } from './icons.tsx'
import styles from './toast.module.css'
import { useCountdown } from './use-countdown.ts'

/** What a toast is about. */
export type ToastTone = 'plain' | 'good' | 'bad'

const ICONS: Record<ToastTone, () => ReactNode> = { plain: InfoIcon, good: CheckIcon, bad: WarningIcon }

/**
 * A short notice at the foot of the window that goes by itself after 5 s (V9-10), and stays while it is pointed at or its
 * button has the focus. It is read out without taking the focus.
 */
export function Toast({
  tone = 'plain',
  closeText,
  durationMs,
  onClose,
  children,
}: {
  tone?: ToastTone
  closeText: string
  /** Time that it stays; by default that of V9-10. `null`: until it is closed. */
  durationMs?: number | null
  onClose: () => void
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

/** The line that shows how long a toast stays. */
function Rest(props: { durationMs: number | undefined; held: boolean; onEnd: () => void }) {
  const share = useCountdown(props)
  return <span className={styles.rest} aria-hidden="true" style={{ transform: `scaleX(${1 - share})` }} />
}

/** Where toasts stand, the newest lowest. One for a page, there before the first of them, so that each is read out. */
export function ToastRegion({ children }: { children: ReactNode }) {
  return (
    <div className={styles.region} aria-live="polite">
      {children}
    </div>
  )
}
