import { type FormEvent, useId, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Button } from '../../design/button.tsx'
import { TextField } from '../../design/text-field.tsx'
import { ModalFrame } from '../modal-frame.tsx'
import type { ModalViewProps } from '../modal-view.ts'
import styles from './profiles.module.css'

/** Who watches from now on; the one who does is marked (A2.3). */
export function SwitchProfileView({ modal, answer }: ModalViewProps<'switchProfile'>) {
  const { t } = useTranslation('modals')
  return (
    <ModalFrame
      title={modal.title || t('switchProfileTitle')}
      text={modal.description || t('switchProfile')}
      onClose={() => answer(null)}
      actions={
        modal.canAdd ? (
          <Button onPress={() => answer({ action: 'add' })}>{t('addProfile')}</Button>
        ) : undefined
      }
    >
      <ul className={styles.profiles}>
        {modal.profiles.map(({ idProfile, name, isKid }) => {
          const active = idProfile === modal.activeProfile
          return (
            <li key={idProfile}>
              <Button
                look="plain"
                className={styles.profile}
                aria-current={active}
                onPress={() => answer({ action: 'switch', idProfile })}
              >
                <span className={styles.avatar} aria-hidden="true">
                  {Array.from(name)[0]?.toUpperCase()}
                </span>
                <span className={styles.name}>{name}</span>
                {(active || isKid) && (
                  <span className={styles.mark}>{t(active ? 'activeProfile' : 'kidProfile')}</span>
                )}
              </Button>
            </li>
          )
        })}
      </ul>
    </ModalFrame>
  )
}

/** Names a profile. */
export function ProfileView({ modal, answer }: ModalViewProps<'profile'>) {
  const { t } = useTranslation('modals')
  const form = useId()
  const [name, setName] = useState(modal.value)
  const [left, setLeft] = useState(false)

  function submit(event: FormEvent): void {
    event.preventDefault()
    setLeft(true)
    if (name.trim() !== '') answer({ name: name.trim() })
  }

  return (
    <ModalFrame
      title={modal.title || t('profileTitle')}
      text={modal.description || t('profile')}
      onClose={() => answer(null)}
      actions={
        <>
          <Button look="primary" type="submit" form={form}>
            {modal.primaryLabel || t('profileSave')}
          </Button>
          <Button onPress={() => answer(null)}>{t('cancel')}</Button>
        </>
      }
    >
      <form id={form} noValidate onSubmit={submit}>
        <TextField
          name="name"
          label={t('profileName')}
          autoComplete="off"
          autoFocus
          value={name}
          error={left && name.trim() === '' ? t('required') : undefined}
          onChange={setName}
        />
      </form>
    </ModalFrame>
  )
}
