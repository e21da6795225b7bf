import { useEffect, useRef } from 'react'
import { Button, ButtonLink } from '../../design/buttons/button.tsx'
import { WarningIcon } from '../../design/icons/icons.tsx'
import styles from './error-panel.module.css'

/** An action of the error panel: a link or a function. The first action is the most helpful. */
export type ErrorAction = { text: string; to: string } | { text: string; act: () => void }

/** The reason why the player stopped, and the next steps. `notes` are additional lines about the reason. */
export function ErrorPanel({
  title,
  text,
  notes = [],
  code,
  actions,
}: {
  title: string
  text: string
  notes?: readonly string[] | undefined
  code?: string | undefined
  actions: ErrorAction[]
}) {
  const panel = useRef<HTMLDivElement>(null)
  useEffect(() => panel.current?.focus(), [])
  // The key is the index, because two notes are equal when two devices play the same content.
  const lines = notes.map((note, line) => ({ line, note }))
  return (
    <div
      ref={panel}
      className={styles.panel}
      role="alertdialog"
      aria-labelledby="player-error"
      aria-describedby="player-error-text"
      tabIndex={-1}
    >
      <span className={styles.icon}>
        <WarningIcon />
      </span>
      <h1 id="player-error" className={styles.title}>
        {title}
      </h1>
      <p id="player-error-text" className={styles.text}>
        {text}
      </p>
      {notes.length > 0 && (
        <ul className={styles.notes}>
          {lines.map(({ line, note }) => (
            <li key={line}>{note}</li>
          ))}
        </ul>
      )}
      <div className={styles.actions}>
        {actions.map((action, index) =>
          'to' in action ? (
            <ButtonLink key={action.text} look={index === 0 ? 'primary' : 'secondary'} to={action.to}>
              {action.text}
            </ButtonLink>
          ) : (
            <Button key={action.text} look={index === 0 ? 'primary' : 'secondary'} onPress={action.act}>
              {action.text}
            </Button>
          ),
        )}
      </div>
      {code !== undefined && <p className={styles.code}>{code}</p>}
    </div>
  )
}
