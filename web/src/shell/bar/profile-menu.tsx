import { useCallback, useEffect, useId, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useSession } from '../../features/ground/session/session.ts'
import { profilePicture } from '../../features/people/profiles/profile-picture.ts'
import { useDismiss } from '../use-dismiss.ts'
import { useScreenAddress } from '../use-screen.ts'
import panels from './panel.module.css'
import { ProfileItems } from './profile-items.tsx'
import styles from './profile-menu.module.css'
import { SHELL_TIMES } from './times.ts'

/** The avatar of the active profile. A press opens the profile menu (V2.4-06, V2.4-16). */
export function ProfileMenu() {
  const { t } = useTranslation()
  const { account, profile } = useSession()
  const panel = useId()
  const place = useRef<HTMLDivElement>(null)
  const trigger = useRef<HTMLButtonElement>(null)
  const [open, setOpen] = useState(false)
  const close = useCallback(() => setOpen(false), [])
  useDismiss(place, open, close, trigger)
  const address = useScreenAddress()
  const openedAt = useRef(address)
  useEffect(() => {
    if (!open || openedAt.current === address) return undefined
    // Delayed, so that the new screen appears before the menu closes (V4-08).
    const timer = setTimeout(close, SHELL_TIMES.profileCloseMs)
    return () => clearTimeout(timer)
  }, [open, address, close])
  const name = profile?.name ?? account?.firstName ?? ''
  return (
    <div ref={place} className={styles.profile}>
      <button
        ref={trigger}
        type="button"
        className={styles.avatar}
        aria-label={t('shell.accountMenu', { name })}
        aria-expanded={open}
        aria-controls={panel}
        onClick={() => {
          openedAt.current = address
          setOpen(!open)
        }}
      >
        {profile === null ? (
          <Initial name={name} />
        ) : (
          <img src={profilePicture(profile)} alt="" width={150} height={150} />
        )}
      </button>
      <div id={panel} className={`${panels.panel} ${styles.panel}`} hidden={!open}>
        <Who />
        <ProfileItems
          onChosen={() => {
            // A dialog returns the focus to the element that has the focus when the dialog opens.
            trigger.current?.focus()
            close()
          }}
        />
      </div>
    </div>
  )
}

/** The head of the profile menu: the name of the active profile, or the first name of the account. */
export function Who() {
  const { account, profile } = useSession()
  return (
    <div className={styles.who}>
      <p className={styles.name}>{profile?.name ?? account?.firstName}</p>
      {account !== null && account.email !== '' && <p className={styles.email}>{account.email}</p>}
    </div>
  )
}

function Initial({ name }: { name: string }) {
  return Array.from(name)[0]?.toUpperCase() ?? ''
}
