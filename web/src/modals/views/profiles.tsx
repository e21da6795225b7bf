import { isShown } from '@ondine/contract/shown-names'
import { type FormEvent, useId, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Button } from '../../design/buttons/button.tsx'
import { focusInvalid } from '../../design/fields/focus-invalid.ts'
import { isNextInForm } from '../../design/fields/is-next-in-form.ts'
import { SelectField } from '../../design/fields/select-field.tsx'
import { Switch } from '../../design/fields/switch.tsx'
import { TextField } from '../../design/fields/text-field.tsx'
import { ModalFrame } from '../modal-frame.tsx'
import type { ProfileFault } from '../modal-kinds.ts'
import type { ModalViewProps } from '../modal-view.ts'
import styles from './profiles.module.css'

/** The form of a new or existing profile: name, language, picture, child, parental control, level (A2.3-08). */
export function ProfileView({ modal, answer }: ModalViewProps<'profile'>) {
  const { t } = useTranslation('profiles')
  const { t: words } = useTranslation('modals')
  const form = useId()
  const { avatars, languages, levels, isNew, isDefault, noKid, hasControl, hasCode } = modal
  const [fields, setFields] = useState(modal.initial)
  const [left, setLeft] = useState(false)
  const [pending, setPending] = useState(false)
  const [fault, setFault] = useState<ProfileFault>()
  const missing = left && !isShown(fields.name)

  function change(changed: Partial<typeof fields>): void {
    setFields({ ...fields, ...changed })
    setFault(undefined)
  }

  /** A child's profile starts with the lowest level. */
  function lowest(isKid: boolean): { level?: number } {
    const [level] = levels
    return isKid && level !== undefined ? { level: Number(level.id) } : {}
  }

  async function submit(event: FormEvent): Promise<void> {
    event.preventDefault()
    const { currentTarget } = event
    if (pending) return
    if (!isShown(fields.name) || fields.language === '') {
      focusInvalid(currentTarget, () => setLeft(true))
      return
    }
    setPending(true)
    const wrong = await modal
      .save({ ...fields, name: fields.name.trim() })
      .catch(() => ({ text: t('failed') }))
    setPending(false)
    if (wrong === undefined) answer('saved')
    else focusInvalid(currentTarget, () => setFault(wrong))
  }

  return (
    <ModalFrame
      title={modal.title || t(isNew ? 'createTitle' : 'updateTitle')}
      text={modal.description || words('profile')}
      onClose={() => answer(null)}
      actions={
        <>
          {/* A press must not move the focus out of the field, because an error would move the button. */}
          <Button look="primary" type="submit" form={form} preventFocusOnPress isPending={pending}>
            {modal.primaryLabel || t(isNew ? 'create' : 'save')}
          </Button>
          <Button onPress={() => answer(null)}>{words('cancel')}</Button>
          {!isNew && !isDefault && (
            <Button look="plain" onPress={() => answer('delete')}>
              {t('delete')}
            </Button>
          )}
        </>
      }
    >
      <form id={form} className={styles.form} noValidate onSubmit={(event) => void submit(event)}>
        <TextField
          name="name"
          label={t('name')}
          autoComplete="off"
          autoFocus
          maxLength={40}
          value={fields.name}
          error={missing ? t('required') : fault?.field === 'name' ? fault.text : undefined}
          onChange={(name) => change({ name })}
          onBlur={(event) => {
            // A dialog that is closed at once shows no error.
            if (fields.name !== modal.initial.name || isNextInForm(event)) setLeft(true)
          }}
        />
        <SelectField
          name="language"
          label={t('language')}
          options={languages}
          placeholder=""
          value={fields.language}
          error={left && fields.language === '' ? t('required') : undefined}
          onChange={(language) => change({ language })}
        />
        <fieldset className={styles.avatars}>
          <legend>{t('avatar')}</legend>
          {avatars.map(({ id, name, picture }) => (
            <Button
              key={id}
              look="plain"
              className={styles.choice}
              // As for the submit button: an error of the name would move the pictures.
              preventFocusOnPress
              aria-label={name}
              aria-pressed={id === fields.avatarId}
              onPress={() => change({ avatarId: id })}
            >
              <img src={picture} alt="" width={150} height={150} />
            </Button>
          ))}
        </fieldset>
        {!isDefault && (
          <Switch
            label={t('kid')}
            note={t(hasControl ? (hasCode ? 'kidNote' : 'kidNoteWithoutCode') : 'kidNoteWithoutControl')}
            isSelected={fields.isKid}
            onChange={(isKid) => {
              if (isKid && noKid !== undefined) setFault({ text: noKid })
              else change({ isKid, hasControl: false, ...lowest(isKid) })
            }}
          />
        )}
        {hasControl && (
          <Switch
            label={t('control')}
            note={t('controlNote')}
            isSelected={fields.isKid || fields.hasControl}
            isDisabled={fields.isKid}
            onChange={(on) => change({ hasControl: on })}
          />
        )}
        {(fields.isKid || fields.hasControl) && (
          <SelectField
            name="level"
            label={t('level')}
            options={levels}
            placeholder=""
            value={String(fields.level)}
            onChange={(level) => change({ level: Number(level) })}
          />
        )}
        <p className={styles.fault} role="alert">
          {fault !== undefined && fault.field === undefined ? fault.text : ''}
        </p>
      </form>
    </ModalFrame>
  )
}
