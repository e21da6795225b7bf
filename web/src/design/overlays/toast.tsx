import { type ReactNode, useCallback, useEffect, useRef, useState } from 'react'
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
 * or its button has the focus. Screen readers announce the notice, and the focus does not move. F6 moves the focus to
 * the toast and back, because the toast is the last element of a page.
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
  const toast = useRef<HTMLDivElement>(null)
  /** The element that had the focus before the toast. */
  const origin = useRef<HTMLElement>(null)
  /** Moves the focus from the toast back to where it was. Returns false if the focus is not in the toast. */
  const leave = useCallback((): boolean => {
    const here = document.activeElement
    if (!(here instanceof HTMLElement) || toast.current?.contains(here) !== true) return false
    origin.current?.focus({ preventScroll: true })
    // The element may have disappeared, or no element had the focus.
    if (document.activeElement === here) here.blur()
    return true
  }, [])
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      if (!isPlainF6(event) || toast.current === null || !isReachable(toast.current)) return
      event.preventDefault()
      if (!leave()) toast.current.querySelector('button')?.focus({ preventScroll: true })
    }
    addEventListener('keydown', onKeyDown)
    return () => removeEventListener('keydown', onKeyDown)
  }, [leave])
  const Icon = ICONS[tone]
  return (
    <Group
      ref={toast}
      role="presentation"
      className={styles.toast ?? ''}
      data-tone={tone}
      onHoverChange={setHeld}
      onFocus={({ relatedTarget, currentTarget }) => {
        // Without a related target, the focus may come back with the window.
        if (relatedTarget instanceof HTMLElement && !currentTarget.contains(relatedTarget))
          origin.current = relatedTarget
      }}
      onBlur={({ relatedTarget, currentTarget }) => {
        if (relatedTarget instanceof Node && !currentTarget.contains(relatedTarget)) origin.current = null
      }}
    >
      <span className={styles.icon}>
        <Icon />
      </span>
      <span className={styles.text}>{children}</span>
      {action !== undefined && (
        <Button
          look="plain"
          className={styles.action}
          data-toast-action=""
          onPress={() => {
            leave()
            action.onPress()
          }}
          onFocusChange={setHeld}
        >
          {action.text}
        </Button>
      )}
      <Button
        look="plain"
        className={styles.close}
        aria-label={closeText}
        onPress={() => {
          leave()
          onClose()
        }}
        onFocusChange={setHeld}
      >
        <CloseIcon />
      </Button>
      {durationMs !== null && <Rest durationMs={durationMs} held={held} onEnd={onClose} />}
    </Group>
  )
}

function isPlainF6({ key, defaultPrevented, altKey, ctrlKey, metaKey, shiftKey }: KeyboardEvent): boolean {
  return key === 'F6' && !(defaultPrevented || altKey || ctrlKey || metaKey || shiftKey)
}

/** Returns whether a toast is neither behind a modal nor behind an element in full screen. */
function isReachable(toast: Element): boolean {
  const { fullscreenElement } = document
  return (
    toast.closest('[inert], [aria-hidden="true"]') === null &&
    (fullscreenElement == null || fullscreenElement.contains(toast))
  )
}

/** A line that shows how much time remains before the toast closes. */
function Rest(props: { durationMs: number | undefined; held: boolean; onEnd: () => void }) {
  const share = useCountdown(props)
  return <span className={styles.rest} aria-hidden="true" style={{ transform: `scaleX(${1 - share})` }} />
}
