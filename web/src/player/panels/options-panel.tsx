import { type ReactNode, useEffect, useId, useRef } from 'react'
import { CheckIcon } from '../../design/icons/icons.tsx'
import styles from './options-panel.module.css'

/**
 * A panel above the button that opened it. The panel takes the focus when it opens, and returns the focus when it
 * closes.
 */
export function OptionsPanel({
  id,
  label,
  close,
  className = '',
  children,
}: {
  id: string
  label: string
  close: () => void
  className?: string | undefined
  children: ReactNode
}) {
  const panel = useRef<HTMLDialogElement>(null)
  const latestClose = useRef(close)
  useEffect(() => {
    latestClose.current = close
  })
  useEffect(() => {
    // Leaving the panel with the Tab key closes it. The button that opened the panel is excluded, because it
    // closes the panel itself.
    const onFocusIn = ({ target }: FocusEvent) => {
      if (target instanceof Node && !panel.current?.parentElement?.contains(target)) latestClose.current()
    }
    document.addEventListener('focusin', onFocusIn)
    return () => document.removeEventListener('focusin', onFocusIn)
  }, [])
  useEffect(() => {
    const before = document.activeElement
    const first = panel.current?.querySelector<HTMLElement>('input:checked') ?? panel.current
    first?.focus({ preventScroll: true })
    return () => {
      if (before instanceof HTMLElement && before !== document.body) before.focus({ preventScroll: true })
    }
  }, [])
  return (
    <dialog
      ref={panel}
      id={id}
      className={`${styles.panel} ${className}`}
      open
      aria-label={label}
      tabIndex={-1}
    >
      {children}
    </dialog>
  )
}

/** An option of a {@link ChoiceList}. */
export interface Choice {
  id: string
  text: string
  /** Read out instead of a short text. */
  spoken?: string
}

/** A list of options of which exactly one is selected. */
export function ChoiceList({
  legend,
  choices,
  chosen,
  choose,
}: {
  legend: string
  choices: Choice[]
  chosen: string | undefined
  choose: (id: string) => void
}) {
  const name = useId()
  return (
    <fieldset className={styles.list}>
      <legend className={styles.legend}>{legend}</legend>
      {choices.map(({ id, text, spoken }) => (
        <label key={id} className={styles.choice}>
          <input
            type="radio"
            name={name}
            value={id}
            checked={id === chosen}
            aria-label={spoken}
            onChange={() => choose(id)}
          />
          <span className={styles.mark}>{id === chosen && <CheckIcon />}</span>
          {text}
        </label>
      ))}
    </fieldset>
  )
}
