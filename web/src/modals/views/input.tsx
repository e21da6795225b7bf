import { ACCOUNTS } from '@ondine/contract/constants'
import { type FormEvent, useId, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Button } from '../../design/buttons/button.tsx'
import { focusInvalid } from '../../design/fields/focus-invalid.ts'
import { isNextInForm } from '../../design/fields/is-next-in-form.ts'
import { TextField } from '../../design/fields/text-field.tsx'
import { inputFault, kept } from '../input-rule.ts'
import { ModalFrame } from '../modal-frame.tsx'
import type { ModalViewProps } from '../modal-view.ts'
import styles from './input.module.css'

/**
 * Asks for the parental code, a voucher code or a gift code. An error appears below the field, and the modal stays open
 * (V5, A5-18).
 */
export function InputView({ modal, answer }: ModalViewProps<'input'>) {
  const { t } = useTranslation('modals')
  const form = useId()
  const { purpose, check } = modal
  const [value, setValue] = useState(modal.value)
  const [left, setLeft] = useState(false)
  const [refused, setRefused] = useState<string>()
  const [pending, setPending] = useState(false)
  const fault = inputFault(purpose, value)
  const error = refused ?? (left && fault !== undefined ? t(fault) : undefined)

  async function submit(event: FormEvent): Promise<void> {
    event.preventDefault()
    const { currentTarget } = event
    if (pending) return
    if (fault !== undefined) {
      focusInvalid(currentTarget, () => setLeft(true))
      return
    }
    const given = value.trim()
    if (check === undefined) {
      answer(given)
      return
    }
    setPending(true)
    const wrong = await check(given).catch(() => t(`${purpose}Failed`))
    setPending(false)
    if (wrong === undefined) {
      answer(given)
      return
    }
    focusInvalid(currentTarget, () => {
      setRefused(wrong)
      // Hidden digits cannot be corrected, so the field is cleared.
      if (purpose === 'parentalCode') {
        setLeft(false)
        setValue('')
      }
    })
  }

  return (
    <ModalFrame
      title={modal.title || t(`${purpose}Title`)}
      text={modal.description || t(purpose)}
      onClose={() => answer(null)}
      actions={
        <>
          {/* A press must not move the focus out of the field, because an error would move the button. */}
          <Button look="primary" type="submit" form={form} preventFocusOnPress isPending={pending}>
            {modal.primaryLabel || t('confirm')}
          </Button>
          <Button onPress={() => answer(null)}>{modal.negativeLabel || t('cancel')}</Button>
        </>
      }
    >
      <form
        id={form}
        className={styles.form}
        data-purpose={purpose}
        noValidate
        onSubmit={(event) => void submit(event)}
      >
        <TextField
          name={purpose}
          label={t(`${purpose}Label`)}
          type={purpose === 'parentalCode' ? 'password' : 'text'}
          autoComplete="off"
          autoFocus
          {...(purpose === 'parentalCode'
            ? { inputMode: 'numeric' as const, maxLength: ACCOUNTS.parentalCodeDigits }
            : {})}
          value={value}
          error={error}
          onChange={(written) => {
            setValue(kept(purpose, written))
            setRefused(undefined)
          }}
          onBlur={(event) => {
            // A dialog that is closed at once shows no error.
            if (value !== '' || isNextInForm(event)) setLeft(true)
          }}
        />
      </form>
    </ModalFrame>
  )
}
