import { useSelector } from '@xstate/react'
import { useTranslation } from 'react-i18next'
import type { PlayerActor } from '../machine/player-machine.ts'
import { offersNext } from '../machine/player-steps.ts'
import { type Skip, skipAt } from '../machine/skip-rule.ts'
import styles from './skip-button.module.css'

/** Returns the named range that the viewer can skip at the current position; undefined if there is none. */
export function useSkip(actor: PlayerActor): Skip | undefined {
  return useSelector(
    actor,
    ({ context }) => skipAt(context.segments, context.reading.position, offersNext(context)),
    (one, other) => one?.kind === other?.kind && one?.to === other?.to,
  )
}

/** The button that skips the intro, the credits or another named range at the current position (V4-41). */
export function SkipButton({ actor }: { actor: PlayerActor }) {
  const { t } = useTranslation('player')
  const skip = useSkip(actor)
  if (skip === undefined) return null
  const text = { intro: t('skipIntro'), credits: t('skipCredits'), other: t('skip', { label: skip.label }) }[
    skip.kind
  ]
  return (
    <button
      type="button"
      className={styles.skip}
      data-over-picture="skip"
      onMouseDown={(event) => event.preventDefault()}
      onClick={() => actor.send({ type: 'skip' })}
    >
      {text}
    </button>
  )
}
