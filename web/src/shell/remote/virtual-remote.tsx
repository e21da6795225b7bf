import { useRouter } from '@tanstack/react-router'
import { useEffect } from 'react'
import { useTranslation } from 'react-i18next'
import { ChevronLeftIcon } from '../../design/icons/icons.tsx'
import { moveFocus, pressFocused, topDialog } from '../spatial/arrows.ts'
import type { Direction } from '../spatial/nearest.ts'
import { okInPlayer, playerOnScreen } from '../television/player-remote.ts'
import { followRemote } from '../television/remote.ts'
import { pressKey } from '../television/send-key.ts'
import styles from './virtual-remote.module.css'

const ARROWS: readonly Direction[] = ['up', 'left', 'right', 'down']

const KEYS = {
  up: 'ArrowUp',
  left: 'ArrowLeft',
  right: 'ArrowRight',
  down: 'ArrowDown',
} as const satisfies Record<Direction, string>

/** An on-screen remote that moves the focus: arrows, OK and back (V3-47, spec 14). */
export default function VirtualRemote() {
  const { t } = useTranslation()
  const router = useRouter()
  // Handles only untrusted key presses, which scripts create. Keys of a real keyboard keep their meaning (V4-59).
  useEffect(() => followRemote(router, ({ isTrusted }) => !isTrusted), [router])
  return (
    <fieldset
      aria-label={t('remote.title')}
      className={styles.remote}
      // Modals leave elements with this attribute usable, and do not close when the viewer presses them.
      data-react-aria-top-layer=""
      // A press on the remote must not move the focus out of the page, because the remote controls that focus.
      onPointerDown={(event) => event.preventDefault()}
    >
      {ARROWS.map((direction) => (
        <button
          key={direction}
          type="button"
          tabIndex={-1}
          className={styles.arrow}
          data-direction={direction}
          aria-label={t(`remote.${direction}`)}
          onClick={() => pressArrow(direction)}
        >
          <ChevronLeftIcon />
        </button>
      ))}
      <button type="button" tabIndex={-1} className={styles.ok} onClick={pressOk}>
        {t('remote.ok')}
      </button>
      <button type="button" tabIndex={-1} className={styles.back} onClick={() => pressKey('GoBack')}>
        {t('remote.back')}
      </button>
    </fieldset>
  )
}

/**
 * In the player, the arrows seek or move the focus. Elsewhere they always move the focus, even from an element
 * that uses arrow keys itself.
 */
function pressArrow(direction: Direction): void {
  if (playerOnScreen() === null) moveFocus(direction)
  else pressKey(KEYS[direction])
}

/**
 * In the player, OK plays or pauses unless a button has the focus. Elsewhere it clicks the focused element. It sends
 * no Enter key, because the buttons of React Aria would take the key and wait for its release.
 */
function pressOk(): void {
  const player = topDialog() === null ? playerOnScreen() : null
  if (player === null || !okInPlayer(player)) pressFocused()
}
