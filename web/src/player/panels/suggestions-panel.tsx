import { useSelector } from '@xstate/react'
import { useEffect, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { CloseIcon } from '../../design/icons/icons.tsx'
import { useByWidth } from '../../design/page/use-by-width.ts'
import { suggestionsPerView } from '../../design/tokens/layouts.ts'
import { ContentRail } from '../../features/content/catalogue/content-rail.tsx'
import { ControlButton } from '../buttons/control-button.tsx'
import type { PlayerActor } from '../machine/player-machine.ts'
import { wheelGesture } from '../machine/suggestions-gesture.ts'
import styles from './suggestions-panel.module.css'

/** Titles related to the current title. Playback pauses while the panel is open (V4-35). */
export function SuggestionsPanel({ actor, open }: { actor: PlayerActor; open: boolean }) {
  const { t } = useTranslation('player')
  const items = useSelector(actor, (state) => state.context.related)
  const perView = useByWidth(suggestionsPerView)
  const panel = useRef<HTMLDialogElement>(null)
  useEffect(() => {
    if (!open) return undefined
    const before = document.activeElement
    panel.current?.focus()
    return () => {
      if (before instanceof HTMLElement) before.focus()
    }
  }, [open])
  if (items.length === 0) return null
  return (
    <dialog
      ref={panel}
      className={styles.panel}
      open
      aria-label={t('suggestions')}
      data-open={open || undefined}
      data-own-arrows
      inert={!open}
      tabIndex={-1}
      onWheel={(event) => {
        if (wheelGesture(event.deltaY) === 'close') actor.send({ type: 'suggestions.close' })
      }}
    >
      <div className={styles.head}>
        <ControlButton
          name={t('closeSuggestions')}
          align="end"
          onPress={() => actor.send({ type: 'suggestions.close' })}
        >
          <CloseIcon />
        </ControlButton>
      </div>
      {open && (
        <ContentRail
          rail={{ id: 'suggestions', title: t('suggestions'), layout: 'Cover', items }}
          perView={perView}
        />
      )}
    </dialog>
  )
}
