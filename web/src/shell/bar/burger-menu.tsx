import { type RefObject, useCallback, useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { ChevronLeftIcon, ChevronRightIcon } from '../../design/icons/icons.tsx'
import { useSession } from '../../features/ground/session/session.ts'
import { EntryImage } from '../entry-image.tsx'
import type { MenuItem } from '../menu.ts'
import { MenuLink } from '../menu-link.tsx'
import { useLocked } from '../use-lock.ts'
import styles from './burger.module.css'
import { SignIn } from './navigation-bar.tsx'
import { ProfileItems } from './profile-items.tsx'
import { Who } from './profile-menu.tsx'
import { SHELL_TIMES } from './times.ts'

/**
 * The panel that the menu button opens: the main menu, whose second level slides in, and the profile menu
 * (V2.4-07).
 */
export default function BurgerMenu({
  items,
  trigger,
  onClose,
}: {
  items: readonly MenuItem[]
  /** The menu button. It gets the focus before a dialog opens, and again after the dialog closes. */
  trigger: RefObject<HTMLElement | null>
  onClose: () => void
}) {
  const { t } = useTranslation()
  const { account } = useSession()
  // `parent` stays set while the second level slides out, so that the level keeps its content.
  const [{ parent, isSecond }, setLevel] = useState<{ parent?: MenuItem; isSecond: boolean }>({
    isSecond: false,
  })
  const second = useRef<HTMLDivElement>(null)
  const opener = useRef<HTMLElement>(null)
  const wanted = useRef<MenuItem>(undefined)
  useEffect(() => {
    // The page behind the menu does not scroll while the menu is open.
    const { overflow } = document.body.style
    document.body.style.overflow = 'hidden'
    return () => {
      document.body.style.overflow = overflow
    }
  }, [])
  useEffect(() => {
    // Without `preventScroll`, the browser would scroll the focused element into view, in addition to the
    // animation.
    const next = isSecond ? second.current?.querySelector('button') : opener.current
    next?.focus({ preventScroll: true })
  }, [isSecond])
  // One lock for both directions, so that only one level moves at a time.
  const slide = useLocked(
    useCallback(() => {
      const item = wanted.current
      setLevel((before) =>
        item === undefined ? { ...before, isSecond: false } : { parent: item, isSecond: true },
      )
    }, []),
    SHELL_TIMES.burgerLockMs,
  )
  const slideTo = (item: MenuItem | undefined) => {
    wanted.current = item
    slide()
  }
  return (
    <nav className={styles.slides} data-level={isSecond ? 2 : 1} aria-label={t('shell.mainNavigation')}>
      <div className={styles.slide} inert={isSecond}>
        <ul className={styles.list}>
          {items.map((item) => (
            <li key={item.key}>
              {item.children.length > 0 || item.target === undefined ? (
                <button
                  type="button"
                  className={styles.entry}
                  onClick={({ currentTarget }) => {
                    opener.current = currentTarget
                    slideTo(item)
                  }}
                >
                  <span className={styles.words}>
                    <EntryImage image={item.image} size={24} />
                    {item.title}
                  </span>
                  <ChevronRightIcon />
                </button>
              ) : (
                <MenuLink target={item.target} className={styles.entry} onClick={onClose}>
                  <span className={styles.words}>
                    <EntryImage image={item.image} size={24} />
                    {item.title}
                  </span>
                </MenuLink>
              )}
            </li>
          ))}
        </ul>
        {account === null ? (
          <div className={`${styles.account} ${styles.wayIn}`}>
            <SignIn />
          </div>
        ) : (
          <div className={styles.account}>
            <Who />
            <ProfileItems
              onChosen={() => {
                trigger.current?.focus()
                onClose()
              }}
            />
          </div>
        )}
      </div>
      <div ref={second} className={styles.slide} inert={!isSecond}>
        <button type="button" className={styles.backEntry} onClick={() => slideTo(undefined)}>
          <ChevronLeftIcon />
          {parent?.title}
        </button>
        <ul className={styles.list}>
          {parent?.target !== undefined && (
            <li>
              <MenuLink target={parent.target} className={styles.entry} onClick={onClose}>
                {t('shell.allOf', { title: parent.title })}
              </MenuLink>
            </li>
          )}
          {parent?.children.map((child) => (
            <li key={child.key}>
              {child.target !== undefined && (
                <MenuLink target={child.target} className={styles.entry} onClick={onClose}>
                  <span className={styles.words}>
                    <EntryImage image={child.image} size={24} />
                    {child.title}
                  </span>
                </MenuLink>
              )}
            </li>
          ))}
        </ul>
      </div>
    </nav>
  )
}
