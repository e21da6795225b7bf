import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Button } from '../../design/buttons/button.tsx'
import { useByWidth } from '../../design/page/use-by-width.ts'
import { ModalFrame } from '../modal-frame.tsx'
import type { ModalViewProps } from '../modal-view.ts'
import { profilesBeside } from '../profile-slider.ts'
import styles from './profiles.module.css'

/**
 * The profile chooser, which highlights the active profile (A2.3-05). In the manage mode, a press edits a profile
 * (A2.3-06).
 */
export function SwitchProfileView({ modal, answer }: ModalViewProps<'switchProfile'>) {
  const { t } = useTranslation('modals')
  const { t: words } = useTranslation('profiles')
  const [managing, setManaging] = useState(false)
  const beside = useByWidth(profilesBeside)
  return (
    <ModalFrame
      title={modal.title || t('switchProfileTitle')}
      text={modal.description || t('switchProfile')}
      onClose={() => answer(null)}
      actions={
        <>
          {modal.canAdd && <Button onPress={() => answer({ action: 'add' })}>{t('addProfile')}</Button>}
          <Button onPress={() => setManaging(!managing)}>{words(managing ? 'done' : 'manage')}</Button>
        </>
      }
    >
      <ul className={styles.slider} style={{ '--beside': beside }}>
        {modal.profiles.map(({ idProfile, name, isKid, picture }) => {
          const active = idProfile === modal.activeProfile
          return (
            <li key={idProfile}>
              <Button
                look="plain"
                className={styles.profile}
                aria-current={active}
                {...(managing ? { 'aria-label': words('edit', { name }) } : {})}
                onPress={() => answer({ action: managing ? 'edit' : 'switch', idProfile })}
              >
                <ProfilePicture name={name} picture={picture} />
                <span className={styles.name}>{name}</span>
                {(active || isKid || managing) && (
                  <span className={styles.mark}>
                    {managing
                      ? words('edit', { name: '' }).trim()
                      : t(active ? 'activeProfile' : 'kidProfile')}
                  </span>
                )}
              </Button>
            </li>
          )
        })}
      </ul>
    </ModalFrame>
  )
}

/** The picture of a profile, or its first letter. */
function ProfilePicture({ name, picture }: { name: string; picture: string | null }) {
  return (
    <span className={styles.avatar} aria-hidden="true">
      {picture === null ? (
        Array.from(name)[0]?.toUpperCase()
      ) : (
        <img src={picture} alt="" width={150} height={150} />
      )}
    </span>
  )
}
