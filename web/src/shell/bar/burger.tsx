import { lazy, Suspense, useCallback, useEffect, useId, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { CloseIcon, MenuIcon } from '../../design/icons/icons.tsx'
import type { MenuItem } from '../menu.ts'
import { useLocked } from '../use-lock.ts'
import { useOpenHere } from '../use-open-here.ts'
import styles from './burger.module.css'
import { SHELL_TIMES } from './times.ts'

const load = () => import('./burger-menu.tsx')
// Lazy, because wide windows never need this code, and on most narrow pages nobody opens the menu.
const BurgerMenu = lazy(load)

/** The menu button for phones without a tab bar. It opens the whole menu in front of the page (V2.4-07, V4-08). */
export function Burger({ items }: { items: readonly MenuItem[] }) {
  const { t } = useTranslation()
  const panel = useId()
  const trigger = useRef<HTMLButtonElement>(null)
  const [open, setOpen] = useOpenHere()
  const close = useCallback(() => setOpen(false), [setOpen])
  useEffect(() => {
    if (!open) return undefined
    const onKey = (event: KeyboardEvent) => {
      if (event.key !== 'Escape') return
      close()
      trigger.current?.focus()
    }
    // Closes the menu when the window becomes wider, for example when a phone is rotated. The bar then contains
    // the menu.
    const wide = matchMedia('(min-width: 600px)')
    // The menu covers the page, so it closes when the focus moves to the page behind it.
    const onFocus = ({ target }: FocusEvent) => {
      const bar = trigger.current?.closest('header')
      if (target instanceof Node && bar?.contains(target) === false) close()
    }
    addEventListener('keydown', onKey)
    addEventListener('focusin', onFocus)
    wide.addEventListener('change', close)
    return () => {
      removeEventListener('keydown', onKey)
      removeEventListener('focusin', onFocus)
      wide.removeEventListener('change', close)
    }
  }, [open, close])
  const toggle = useLocked(
    useCallback(() => setOpen(!open), [open, setOpen]),
    SHELL_TIMES.burgerLockMs,
  )
  return (
    <>
      <button
        ref={trigger}
        type="button"
        className={styles.button}
        aria-label={t(open ? 'shell.closeMenu' : 'shell.openMenu')}
        aria-expanded={open}
        aria-controls={panel}
        onPointerEnter={() => void load()}
        onFocus={() => void load()}
        onClick={toggle}
      >
        {open ? <CloseIcon /> : <MenuIcon />}
      </button>
      <div id={panel} className={styles.overlay} hidden={!open}>
        {open && (
          <Suspense>
            <BurgerMenu items={items} trigger={trigger} onClose={close} />
          </Suspense>
        )}
      </div>
    </>
  )
}
