import { useTranslation } from 'react-i18next'
import { ChevronLeftIcon } from '../../design/icons/icons.tsx'
import { useBack } from '../../features/ground/links/use-back.ts'
import { moveFocus, pressFocused } from '../spatial/arrows.ts'
import type { Direction } from '../spatial/nearest.ts'
import styles from './virtual-remote.module.css'

const ARROWS: readonly Direction[] = ['up', 'left', 'right', 'down']

/** An on-screen remote that moves the focus: arrows, OK and back (V3-47, spec 14). */
export default function VirtualRemote() {
  const { t } = useTranslation()
  const back = useBack()
  return (
    <fieldset
      aria-label={t('remote.title')}
      className={styles.remote}
      // A press must not take the focus from the page, because the remote control moves that focus.
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
          onClick={() => moveFocus(direction)}
        >
          <ChevronLeftIcon />
        </button>
      ))}
      <button type="button" tabIndex={-1} className={styles.ok} onClick={pressFocused}>
        {t('remote.ok')}
      </button>
      <button type="button" tabIndex={-1} className={styles.back} onClick={back}>
        {t('remote.back')}
      </button>
    </fieldset>
  )
}
