import { useNavigate } from '@tanstack/react-router'
import type { RefObject } from 'react'
import { Menu, MenuItem } from 'react-aria-components/Menu'
import { Popover } from 'react-aria-components/Popover'
import { useTranslation } from 'react-i18next'
import { useSession } from '../features/accounts/session.ts'
import { signOut } from '../features/accounts/sign-out.ts'
import { pathOf } from '../features/links/content-link.ts'
import styles from './account-menu.module.css'

/** The open menu of the account. */
export default function AccountMenuList({
  trigger,
  onClose,
}: {
  trigger: RefObject<HTMLButtonElement | null>
  onClose: () => void
}) {
  const { t } = useTranslation()
  const { account, profile } = useSession()
  const navigate = useNavigate()
  const name = profile?.name ?? account?.firstName ?? ''
  return (
    <Popover
      className={styles.popover ?? ''}
      triggerRef={trigger}
      placement="bottom end"
      offset={12}
      isOpen
      onOpenChange={(open) => {
        if (!open) onClose()
      }}
    >
      <div className={styles.who}>
        <p className={styles.name}>{name}</p>
        <p className={styles.email}>{account?.email}</p>
      </div>
      <Menu aria-label={t('shell.accountMenu', { name })} autoFocus="first" onClose={onClose}>
        <MenuItem
          className={styles.item ?? ''}
          onAction={() => void navigate({ to: pathOf('account-devices') })}
        >
          {t('shell.devices')}
        </MenuItem>
        <MenuItem className={styles.item ?? ''} onAction={() => void signOut()}>
          {t('shell.signOut')}
        </MenuItem>
      </Menu>
    </Popover>
  )
}
