import { useEffect, useRef } from 'react'
import { Button, ButtonLink } from '../design/button.tsx'
import { WarningIcon } from '../design/icons.tsx'
import styles from './error-panel.module.css'

/** One way on: a place to go, or something to do. The first is the one that helps most. */
export type ErrorAction = { text: string; to: string } | { text: string; act: () => void }

/** Why the player stopped, and what to do next. `notes` say more about why, one a line. */
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
  // Two devices may play the same: a line is known by its place.
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
