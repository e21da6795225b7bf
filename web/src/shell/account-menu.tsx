import { lazy, Suspense, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Button } from '../design/button.tsx'
import { useSession } from '../features/accounts/session.ts'
import styles from './account-menu.module.css'

const load = () => import('./account-menu-list.tsx')
// What a menu needs is fetched when a hand comes near it: most pages are left without opening it.
const AccountMenuList = lazy(load)

/** The avatar of who is watching, with the menu of the account behind it (V2.4-16). */
export function AccountMenu() {
  const { t } = useTranslation()
  const { account, profile } = useSession()
  const trigger = useRef<HTMLButtonElement>(null)
  const [open, setOpen] = useState(false)
  const name = profile?.name ?? account?.firstName ?? ''
  return (
    <>
      <Button
        ref={trigger}
        look="plain"
        className={styles.avatar}
        aria-label={t('shell.accountMenu', { name })}
        aria-haspopup="menu"
        aria-expanded={open}
        onHoverStart={() => void load()}
        onFocus={() => void load()}
        onPress={() => setOpen(true)}
      >
        {Array.from(name)[0]?.toUpperCase()}
      </Button>
      {open && (
        <Suspense>
          <AccountMenuList trigger={trigger} onClose={() => setOpen(false)} />
        </Suspense>
      )}
    </>
  )
}
