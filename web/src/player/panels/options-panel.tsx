import { Fragment, type KeyboardEvent, type ReactNode, useEffect, useId, useRef } from 'react'
import { CheckIcon } from '../../design/icons/icons.tsx'
import styles from './options-panel.module.css'

/** CSS selector of the selected option in a panel. */
const CHOSEN = 'input:checked, [aria-pressed="true"]'

/**
 * A panel above the button that opened it. When the panel opens, it takes the focus. When the panel closes, it gives
 * the focus back to the element that had it before.
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
    // The panel closes when the Tab key moves the focus out of it. The button that opened the panel does not count
    // as outside, because a press on this button closes the panel.
    const onFocusIn = ({ target }: FocusEvent) => {
      if (target instanceof Node && !panel.current?.parentElement?.contains(target)) latestClose.current()
    }
    document.addEventListener('focusin', onFocusIn)
    return () => document.removeEventListener('focusin', onFocusIn)
  }, [])
  useEffect(() => {
    const before = document.activeElement
    const first = panel.current?.querySelector<HTMLElement>(CHOSEN) ?? panel.current
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
export interface PanelChoice {
  id: string
  text: string
  /** Text for screen readers, in place of a short text. */
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
  choices: PanelChoice[]
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

/** An option of a {@link PressList}. */
export interface PressChoice {
  id: string
  text: string
  isDisabled?: boolean
  /** A second line below the option, with a button of its own. `spoken` is the button's name for screen readers. */
  detail?: { text: string; action: string; spoken: string; act: () => void }
}

/**
 * A list of options, each of which runs an action when pressed. Moving the focus to an option does not choose it,
 * unlike in a {@link ChoiceList}.
 */
export function PressList({
  legend,
  choices,
  chosen,
  choose,
}: {
  legend: string
  choices: PressChoice[]
  chosen: string | undefined
  choose: (id: string) => void
}) {
  return (
    <fieldset className={styles.list} data-own-arrows>
      <legend className={styles.legend}>{legend}</legend>
      {choices.map(({ id, text, isDisabled, detail }) => (
        <Fragment key={id}>
          <button
            type="button"
            className={styles.choice}
            aria-pressed={id === chosen}
            disabled={isDisabled}
            onClick={() => choose(id)}
            onKeyDown={moveFocus}
          >
            <span className={styles.mark}>{id === chosen && <CheckIcon />}</span>
            {text}
          </button>
          {detail !== undefined && (
            <div className={styles.detail}>
              <span className={styles.detailText}>{detail.text}</span>
              <button
                type="button"
                className={styles.action}
                aria-label={detail.spoken}
                onClick={detail.act}
                onKeyDown={moveFocus}
              >
                {detail.action}
              </button>
            </div>
          )}
        </Fragment>
      ))}
    </fieldset>
  )
}

/** Moves the focus to the next or previous button of a list. */
function moveFocus(event: KeyboardEvent<HTMLButtonElement>): void {
  const { currentTarget, key } = event
  if (key !== 'ArrowDown' && key !== 'ArrowUp') return
  event.preventDefault()
  const buttons = [...(currentTarget.closest('fieldset')?.querySelectorAll('button') ?? [])].filter(
    ({ disabled }) => !disabled,
  )
  buttons[buttons.indexOf(currentTarget) + (key === 'ArrowDown' ? 1 : -1)]?.focus()
}
